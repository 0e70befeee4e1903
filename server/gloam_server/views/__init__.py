"""What each player may know: projections of a level onto one viewer, and events as that viewer tells them."""
