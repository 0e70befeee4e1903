"""Real processes: a server, a client on a pseudo-terminal, and servers with a fault built in."""
