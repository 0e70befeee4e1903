"""Parties on a running server: news of the members, and the patience of their turns."""
