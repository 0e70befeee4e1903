"""Lives of players who have been away for long, out of memory and back. It may import what the engine may."""
