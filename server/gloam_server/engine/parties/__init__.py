"""What a running server does for parties: news of the members, and the patience of their turns."""
