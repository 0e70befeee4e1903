"""A world's file as a whole: inspect, copy, back up, replace. Imports the journal's interface and file access."""
