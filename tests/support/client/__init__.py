"""The client without its terminal, the servers that it talks to, and clients that are not the real one."""
