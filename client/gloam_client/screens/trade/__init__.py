"""Trading: the screen with both sides of an offer, and what begins a trade. Imports lists, the map's screens and common."""
