"""The Twisted edge: transport bytes to sessions and back. Decides nothing."""
