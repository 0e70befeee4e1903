"""Publishing: which players are shown what after a batch, and when. Imported by the game loop."""
