"""Guidance of the player: goals, hints, tips, the next step after a refusal. Pure."""
