"""Sessions, sans-I/O: messages in, effects out; turn timing and rate limits.

Nothing here waits or reads a clock.
"""
