"""The command line of the ceilings: `python -m benchmarks.ceilings --clients 50`, with the load test's options."""

import sys

from benchmarks.ceilings.measure import ceilings
from benchmarks.load.__main__ import read_arguments


def main() -> None:
    """Run one load test and its ceilings, and print both."""
    options, _ = read_arguments(sys.argv[1:])
    load, compared = ceilings(options)
    for figure in load.figures():
        print(figure.line())
    print(f"\n{'':<40} {'server':>10} {'alone':>10}      {'ratio':>8}    what is alone")
    for each in compared:
        print(each.line())


if __name__ == "__main__":
    main()
