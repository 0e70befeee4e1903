"""The ladder: the ended lives of the realm, ranked. It may import what the engine may, but nothing of the engine."""
