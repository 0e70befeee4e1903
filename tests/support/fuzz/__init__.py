"""Hostile inputs by seed: broken frames, typed values, attackers, and the honest player among them."""
