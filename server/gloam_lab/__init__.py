"""The lab: bots, whole lives to measure a campaign's balance, the protocol's schema, and invariants of a dungeon.

For authors and tests, in a clone of the repository; the wheel and the image do not contain it.
"""
