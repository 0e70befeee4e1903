"""Fuzzing as a command: `make fuzz` calls it; the tests do in processes of their own. Prints what it sent and found."""

import argparse
import json
import logging
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from support.fuzz.client_side import ClientRound
from support.fuzz.door_side import DoorRound
from support.fuzz.rounds import INPUTS, Faults, Found, Round, play, resident_kib
from support.fuzz.server_side import ServerRound
from support.simulation.randomness import Chance

SIDES: dict[str, Callable[[Chance, int, Faults], Round]] = {
    "server": ServerRound,
    "client": ClientRound,
    "door": DoorRound,
}
WARM = 2
"""This many marks fill what is kept for ever: campaigns, tables, caches."""


def main() -> int:
    """Fuzz, and tell; 1 when an input broke something."""
    options = _options()
    logging.getLogger().addHandler(logging.NullHandler())
    marks: list[int] = []
    began = time.monotonic()
    first, count = options.first, options.inputs
    if options.at is not None:
        first = options.at // INPUTS * INPUTS
        count = options.at - first + 1
    try:
        tally = play(
            options.side,
            SIDES[options.side],
            options.seed,
            first,
            count,
            lambda _: marks.append(resident_kib()),
        )
    except Found as found:
        print(found, file=sys.stderr)
        if options.at is not None:
            raise
        return 1
    names = {
        "side": options.side,
        "inputs": count,
        "seconds": round(time.monotonic() - began, 1),
        "grew_kib": max(marks[WARM:]) - marks[WARM - 1] if len(marks) > WARM else None,
        "tally": dict(tally),
    }
    print(json.dumps(names) if options.json else _words(names, tally), flush=True)
    return 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--side", choices=sorted(SIDES), default="server")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--inputs", type=int, default=30_000)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--at", type=int, help="send the inputs of one round up to this one")
    parser.add_argument("--json", action="store_true")
    return parser.parse_args()


def _words(entry: dict[str, object], tally: Counter[str]) -> str:
    speed = int(str(entry["inputs"])) / max(0.1, float(str(entry["seconds"])))
    parts = ", ".join(f"{count:,} {what}" for what, count in tally.most_common())
    return (
        f"{entry['side']}: {entry['inputs']:,} inputs in {entry['seconds']} s ({speed:,.0f}/s), 0 uncaught exceptions, "
        f"memory grew by {entry['grew_kib']} KiB\n  {parts}"
    )


if __name__ == "__main__":
    sys.exit(main())
