"""Parts that all screens share: windows, help, questions, short lists, effects. Imports render and state."""
