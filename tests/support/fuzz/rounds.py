"""Rounds: many inputs in a row from a state that depends only on the round's number; the number repeats a failure."""

import gc
import logging
import os
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol, Self, cast

from twisted.logger import LogEvent, globalLogPublisher

from support.simulation.randomness import Chance

INPUTS = 2_500
"""In one round."""
SHOWN_MAX = 400
MARK_EVERY = 6
"""Rounds: memory is measured after this many of them."""


class Found(Exception):
    """An input broke something; the text says which, and how to send it again."""


class Round(Protocol):
    """One run of inputs; `shown` is the latest of them."""

    shown: str
    tally: Counter[str]

    def step(self) -> None:
        """Send one more input and see that all holds."""

    def end(self) -> None:
        """See that all is as it was."""


class Faults(logging.Handler):
    """Everything that is logged as an error while inputs run, by us or by Twisted."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.records: list[str] = []
        self._observer = cast(Any, self.observe)

    def emit(self, record: logging.LogRecord) -> None:
        """Keep an error of ours."""
        self.records.append(self.format(record))

    def observe(self, event: LogEvent) -> None:
        """Keep an error that a Deferred had no one to tell."""
        if event.get("log_failure") is not None:
            self.records.append(event["log_failure"].getTraceback())

    def check(self) -> None:
        """Raise AssertionError when there was any."""
        assert not self.records, self.records[0]

    def __enter__(self) -> Self:
        """Begin to listen."""
        logging.getLogger().addHandler(self)
        globalLogPublisher.addObserver(self._observer)
        return self

    def __exit__(self, *_: object) -> None:
        """Listen no more."""
        logging.getLogger().removeHandler(self)
        globalLogPublisher.removeObserver(self._observer)


def play(
    side: str,
    begin: Callable[[Chance, int, Faults], Round],
    seed: int,
    first: int,
    count: int,
    mark: Callable[[int], None] = lambda _: None,
) -> Counter[str]:
    """Play the rounds that hold inputs `first` to `first + count`; `mark` is called now and then. Raises Found."""
    tally: Counter[str] = Counter()
    last = first + count
    with Faults() as faults:
        for at in range(first // INPUTS, -(-last // INPUTS)):
            number = at * INPUTS
            shown = "the round's beginning"
            try:
                round_ = begin(Chance(f"{side} {seed} {at}"), at, faults)
                while number < min(last, (at + 1) * INPUTS):
                    round_.step()
                    number += 1
                shown = round_.shown
                round_.end()
                tally += round_.tally
                del round_
                if not (at + 1) % MARK_EVERY:
                    gc.collect()
                    mark(number)
                faults.check()
            except Exception as error:
                shown = getattr(locals().get("round_"), "shown", shown)
                raise Found(
                    f"{type(error).__name__} at input {number}: {error}\nThe input: {shown[:SHOWN_MAX]}\n"
                    f"Once more: make fuzz SIDE={side} SEED={seed} AT={number}"
                ) from error
    return tally


def resident_kib() -> int:
    """Return the memory that this process holds now (Linux only)."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") // 1_024
