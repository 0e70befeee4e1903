"""Trades of two players: what each offers, what both confirm, and the exchange. Imports combat and what is below it."""
