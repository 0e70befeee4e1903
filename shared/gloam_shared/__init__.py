"""The messages, framing, views and patches that server and client agree on. No clock, no I/O."""
