"""Growth: experience and levels, the learning of monsters, names and revenge, the bents and cards of players. Imports items and model."""
