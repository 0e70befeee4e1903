"""Screens round the game: title, passwords, chat, options, death, leaving. Imports lists, map and common."""
