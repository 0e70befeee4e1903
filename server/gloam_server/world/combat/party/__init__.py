"""Fights of players who are in a party together: who falls is down first, and two strike from both sides."""
