"""Storage in memory with the same contract as the real one, and names that trip careless code."""
