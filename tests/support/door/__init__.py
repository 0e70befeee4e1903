"""Doors in tests: a real door to a real server, and a real browser that plays through it."""
