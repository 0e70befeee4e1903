"""Watching: connections that see what a player sees, and send nothing into the dungeon. May import what `gateway` may."""
