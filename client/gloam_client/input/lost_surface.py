"""The error of a surface that is gone; it lies below all surfaces, so that the client's loop need not know which one it has."""


class LostSurface(Exception):
    """The surface is gone: a window was closed, or the connection to it was cut."""
