"""The load test: a real server, and a fleet of protocol clients in a process of its own. Run `python -m benchmarks.load`."""
