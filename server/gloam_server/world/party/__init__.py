"""Parties of players: who is in which, who leads, what each chose. Imports `model` only."""
