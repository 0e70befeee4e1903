"""Screens that list what a player has, knows or was told. Imports map and common."""
