"""From a command to its turn: the queue, the due turns, plans, idle players.

Imports players and what is below them.
"""
