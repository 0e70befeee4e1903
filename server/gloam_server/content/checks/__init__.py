"""Checks across the values of a campaign: references, and numbers that fit together."""
