"""Surfaces that are no terminal of this machine: cells for a page, sequences for ssh. Imports the client alone."""
