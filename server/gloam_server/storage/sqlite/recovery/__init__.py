"""Salvage of a damaged world. Imports the rest of the backend."""
