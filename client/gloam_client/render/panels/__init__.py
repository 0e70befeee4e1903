"""The parts of the playing screen: map, log, status, side panel, party. Imports the rest of render."""
