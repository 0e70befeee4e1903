"""Prints the present counts as JSON: `python -m benchmarks.counts`, in the folder `tests`."""

import json

from benchmarks.counts.workloads import counts

if __name__ == "__main__":
    print(json.dumps(counts()))
