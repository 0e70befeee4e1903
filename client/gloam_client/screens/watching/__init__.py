"""The screens of watching: the list of players, the view of one, and who watches this player."""
