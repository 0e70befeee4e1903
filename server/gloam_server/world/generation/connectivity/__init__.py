"""Which cells hang together, the stairs between levels, and the repair of what is cut off. Imports drafts."""
