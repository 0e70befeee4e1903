"""Growth: the learning of monsters, and the bents and cards of players. Imports items and model."""
