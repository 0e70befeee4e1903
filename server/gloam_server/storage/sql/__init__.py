"""The tables of a world in SQL, the same statements for every database. Imports the interfaces of storage."""
