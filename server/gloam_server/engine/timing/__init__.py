"""The time that a turn waits for players, without a clock: timing, patience of a party, gathering, debounce. Pure."""
