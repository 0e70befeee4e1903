"""Conversations with a server without a login: status, ladder, shared replays."""
