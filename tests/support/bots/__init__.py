"""Bots and plans at play: whole runs of a bot, plans followed to their end, and views drawn by hand."""
