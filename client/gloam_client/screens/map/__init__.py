"""Screens that point at the map or travel on it. Imports common."""
