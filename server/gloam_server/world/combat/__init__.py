"""Who is hostile, attacks, damage, death, experience. Imports items and model."""
