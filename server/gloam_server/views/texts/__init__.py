"""Texts for players: log lines, news, the recap of a life, the history of a creature. Imports the rest of views."""
