"""Keys: their names, the key table, pasted text. Imports nothing of the client."""
