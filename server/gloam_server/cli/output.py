"""The output of a command: one line, cleaned of all terminal control characters."""

import sys
from typing import Final, NoReturn

import click

from gloam_server.logs import escaped

_USAGE: Final = 2


def print_line(sentence: str) -> None:
    """Print a line on stdout."""
    click.echo(f"gloam-server: {escaped(sentence)}")


def exit_with_error(sentence: str, code: int = _USAGE) -> NoReturn:
    """End the program with one sentence on stderr, and the exit code of what was asked wrongly unless another is named."""
    click.echo(f"gloam-server: {escaped(sentence)}", err=True)
    sys.exit(code)
