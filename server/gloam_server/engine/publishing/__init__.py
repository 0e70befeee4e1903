"""The view side: connections' views, and which players are shown what after a batch, and when. `build_engine` imports it."""
