"""What server and client agree on: messages, framing, views and patches. No clock, no I/O."""
