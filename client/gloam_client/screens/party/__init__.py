"""The screen of the party, and what its keys and the client commands about it send."""
