"""What the recorded tables of balance are held against."""
