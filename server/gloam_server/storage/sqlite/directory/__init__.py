"""The directory in SQLite, in parts. Imports the transactions, which all parts share."""
