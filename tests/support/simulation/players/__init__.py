"""The players of the simulation: their companies and minds."""
