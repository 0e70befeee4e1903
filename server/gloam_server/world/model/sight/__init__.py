"""Sight on a level: light, and fields of view that are kept until something changes. It imports the rest of `world.model`."""
