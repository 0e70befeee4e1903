"""What exists: the kinds of creatures and things, and the numbers of the rules. Frozen data; it opens no files."""
