"""Which part of the level the map's window shows. Numbers only."""


def scroll_to(camera: int, focus: int, level: int, window: int) -> int:
    """Return the window's start along one axis, moved as little as needed to keep `focus` off its margins.

    A level that fits is centred (the answer is then zero or less); a focus in the margin is moved to the
    middle.
    """
    if level <= window:
        return -((window - level) // 2)
    margin = min(max(window // 5, 2), max((window - 1) // 2, 0))
    if not camera + margin <= focus < camera + window - margin:
        camera = focus - window // 2
    return max(0, min(camera, level - window))
