"""Chat between players: channels, who receives each line, and the lines that a player missed. May import what `gateway` may."""
