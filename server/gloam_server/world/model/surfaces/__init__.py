"""The surfaces of a level, such as fire and ice: their state, and all changes of it. It imports the rest of `world.model`."""
