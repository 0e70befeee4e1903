"""What the client knows, as frozen values, and what it keeps over runs. Imports net, terminal's canvas and the key table."""
