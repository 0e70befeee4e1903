"""State and how it changes: levels, the realm, and `apply`.

No clock, no I/O, no randomness except keyed dice.
"""
