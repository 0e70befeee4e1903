"""Replays of this user's lives: recorded, kept within bounds, listed and read. It may import `net` and `gloam_shared`."""
