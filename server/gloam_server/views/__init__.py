"""The knowledge of each player: projections of a level for one viewer, and events in that viewer's words."""
