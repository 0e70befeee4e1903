"""The ceilings of a load test: what its parts reach alone, on the same machine, in the same run."""
