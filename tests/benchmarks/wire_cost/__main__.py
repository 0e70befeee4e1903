"""Prints what the protocol costs on the wire, in all four campaigns. Run it in `tests` with `python -m benchmarks.wire_cost`."""

from benchmarks.wire_cost.figures import wire_cost


def main() -> None:
    """Measure and print every scene."""
    for figure in wire_cost():
        print(figure.line(), flush=True)


if __name__ == "__main__":
    main()
