"""The output of a command: one line, cleaned of all terminal control characters."""

import os
import sys
from typing import Final, NoReturn

import click

from gloam_server.logs import escape, say

_USAGE: Final = 2


def print_line(sentence: str) -> None:
    """Print a line on stdout."""
    click.echo(f"gloam-server: {escape(sentence)}")


def print_bare_line(line: str) -> None:
    """Print a line on stdout as it is, such as a row of a drawing."""
    click.echo(escape(line))


def exit_with_error(sentence: str, code: int = _USAGE) -> NoReturn:
    """End the program with one sentence on stderr, by default with the exit code of a usage error."""
    say(sentence)
    sys.exit(code)


def open_standard_streams() -> None:
    """Open /dev/null in place of each standard stream that is closed.

    Otherwise the next file gets its number, such as one of the world, and the log would be written into it.
    """
    for descriptor in range(3):
        try:
            os.fstat(descriptor)
        except OSError:
            os.open(os.devnull, os.O_RDWR)
