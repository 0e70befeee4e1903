"""Status effects, upkeep after each action, traps, spells. Imports combat and what is below it."""
