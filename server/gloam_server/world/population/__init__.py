"""Additions of creatures and items to a level: spawning, respawning, party scaling, inheritance.

Imports combat and what is below it.
"""
