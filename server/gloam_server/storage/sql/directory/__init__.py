"""The directory in SQL, in parts. Imports the transactions, which all parts share."""
