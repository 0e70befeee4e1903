"""Equipment, items on the floor, starting kits, identification by use. Imports model."""
