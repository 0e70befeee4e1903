"""Generated levels read by an independent walk, and random play on levels and campaigns."""
