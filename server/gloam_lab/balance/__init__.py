"""Whole lives played by bots, to measure a campaign's balance. No wire, no journal, no clock."""
