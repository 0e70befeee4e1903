"""The output of a command: one line, cleaned of all terminal control characters."""

import sys
from typing import Final, NoReturn

import click

from gloam_server.logs import escape

_USAGE: Final = 2


def print_line(sentence: str) -> None:
    """Print a line on stdout."""
    click.echo(f"gloam-server: {escape(sentence)}")


def exit_with_error(sentence: str, code: int = _USAGE) -> NoReturn:
    """End the program with one sentence on stderr, by default with the exit code of a usage error."""
    click.echo(f"gloam-server: {escape(sentence)}", err=True)
    sys.exit(code)
