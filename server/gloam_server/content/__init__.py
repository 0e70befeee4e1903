"""The kinds of creatures, items, levels and spells, and the numbers of the rules. Frozen data; it opens no files."""
