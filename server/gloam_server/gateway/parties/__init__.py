"""Parties on a running server: invites, and what members ask for. Imports what the gateway imports."""
