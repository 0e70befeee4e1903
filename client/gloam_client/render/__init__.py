"""From model to canvas to the fewest bytes. Pure: no terminal, no clock."""
