"""Plans that run without the player: explore, travel, run, rest, fight. Pure functions of a view; imports content alone."""
