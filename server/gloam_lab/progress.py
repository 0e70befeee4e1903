"""The progress of a long run on stderr: one line that changes on a terminal, a new line now and then elsewhere."""

import sys
import time

import click


class Progress:
    """Counts finished realms and shows their number and an estimate of the remaining time."""

    def __init__(self, realms: int, done: int) -> None:
        self._realms = realms
        self._done = self._before = done
        self._began_s = time.monotonic()
        self._on_terminal = sys.stderr.isatty()
        if done:
            self._show(f"{done} of {realms} realms were played before")

    def advance(self) -> None:
        """Count a realm. A terminal shows each; elsewhere there are a hundred lines at most."""
        self._done += 1
        percent_before, percent = (count * 100 // self._realms for count in (self._done - 1, self._done))
        if self._on_terminal or percent_before != percent:
            taken_s = time.monotonic() - self._began_s
            left_s = taken_s * (self._realms - self._done) / (self._done - self._before)
            self._show(
                f"{self._done} of {self._realms} realms, {_duration(taken_s)}, {_duration(left_s)} to go"
            )

    def end(self) -> None:
        """Leave the line on the terminal as it is."""
        if self._on_terminal:
            click.echo(err=True)

    def _show(self, text: str) -> None:
        if self._on_terminal:
            click.echo(f"\r\033[Kgloam-server: {text}", nl=False, err=True)
        else:
            click.echo(f"gloam-server: {text}", err=True)


def _duration(seconds: float) -> str:
    """Return a duration in the two units that matter: "42 s", "7 min", "3 h 5 min"."""
    minutes = int(seconds) // 60
    if minutes < 2:  # seconds are more useful
        return f"{seconds:.0f} s"
    return f"{minutes} min" if minutes < 60 else f"{minutes // 60} h {minutes % 60} min"
