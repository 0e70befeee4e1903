"""The growth of costs: with players and creatures on a level, with its size, and with the length of the journal."""
