"""The realm: who lives where, parties, fame, the chronicle. Imports `items` and `model`."""
