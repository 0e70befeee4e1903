"""The run of the tests itself: how much is tried, in which order, and under which orders of hashing."""
