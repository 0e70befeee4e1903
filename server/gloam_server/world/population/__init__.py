"""How creatures and items come onto a level: spawning, respawning, party scaling, inheritance. Imports combat and what is below it."""
