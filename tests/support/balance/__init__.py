"""The values that the recorded tables of balance are held against."""
