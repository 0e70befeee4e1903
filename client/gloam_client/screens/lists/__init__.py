"""Screens with lists: inventory, knowledge, messages. Imports map and common."""
