"""Words between players: channels, their hearers, and what clients get of them. May import what `gateway` may."""
