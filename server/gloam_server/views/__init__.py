"""What each player may know: projections of a level for one viewer, and events in that viewer's words."""
