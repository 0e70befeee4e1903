"""The game in lines of text, for screen readers and plain terminals: what has changed, said once. Imports render."""
