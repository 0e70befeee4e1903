"""The running game: players, turn scheduling, the game loop, publishing. Imports storage, net and what is below them."""
