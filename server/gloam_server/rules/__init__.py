"""Pure functions over numbers and kinds: chance, growth, combat, energy, sight, paths. They know no level."""
