"""What a command prints for its host: one line, in which nothing can steer a terminal, wherever its words came from."""

import sys
from typing import Final, NoReturn

import click

from gloam_server.logs import escaped

_USAGE: Final = 2


def tell(sentence: str) -> None:
    """Print a line on stdout."""
    click.echo(f"gloam-server: {escaped(sentence)}")


def refuse(sentence: str, code: int = _USAGE) -> NoReturn:
    """End the program with one sentence on stderr, and the exit code of what was asked wrongly unless another is named."""
    click.echo(f"gloam-server: {escaped(sentence)}", err=True)
    sys.exit(code)
