"""View processes in one process with their server, for tests."""
