"""Presence: the players as others see them, and the news of who joins and leaves. It is part of the turn side."""
