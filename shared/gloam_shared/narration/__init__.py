"""Log lines as data into words: the templates, and what puts them together."""
