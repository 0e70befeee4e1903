"""A whole server under a manual clock, its connections, players and parties, and faults in it."""
