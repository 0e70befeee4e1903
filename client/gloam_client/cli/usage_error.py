"""A user's mistake at the command line: one sentence and exit code 2, never a traceback."""

from typing import IO, Any

import click


class UsageError(click.ClickException):
    """The request is impossible; the message says why and what to do."""

    exit_code = 2

    def show(self, file: IO[Any] | None = None) -> None:
        """Print the message, with terminal control characters escaped, as a path may contain some."""
        said = "".join(
            char if char.isprintable() or char == "\n" else repr(char)[1:-1] for char in self.message
        )
        click.echo(f"gloam: {said}", file=file, err=True)
