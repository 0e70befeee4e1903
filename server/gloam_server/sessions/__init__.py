"""Conversations, sans-I/O: messages in, effects out. Pace, plans, seats. Nothing here waits or reads a clock."""
