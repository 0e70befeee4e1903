"""From the journal to a running dungeon: replay, base states, snapshots, one level rebuilt. Imports storage and world."""
