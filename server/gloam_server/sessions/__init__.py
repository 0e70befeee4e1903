"""Sessions, sans-I/O: messages in, effects out, and rate limits.

Nothing here waits or reads a clock.
"""
