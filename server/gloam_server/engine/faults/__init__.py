"""Faults of our own: their isolation to a level, their reports, and the notices about them."""
