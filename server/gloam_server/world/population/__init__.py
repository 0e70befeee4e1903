"""How creatures and items are added to a level: spawning, respawning, party scaling, inheritance.

Imports combat and what is below it.
"""
