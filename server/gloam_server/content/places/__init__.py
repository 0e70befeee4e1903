"""Drawn rooms of a campaign: their format and their parsed drawings. Imports the field types and the shared terrain."""
