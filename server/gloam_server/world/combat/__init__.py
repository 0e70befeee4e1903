"""Hostility, attacks, damage, death, experience. Imports items and model."""
