"""The files in which a player's options and keys are kept."""
