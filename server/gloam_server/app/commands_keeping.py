"""`gloam-server backup` and `restore`: copies of a world. Both work on its file, whether its server runs or not."""

import os
import sys
from pathlib import Path
from typing import Final, NoReturn

import click

from gloam_server.storage.journal import StorageError

DATA: Final = click.option("--data", type=click.Path(path_type=Path), default=Path("gloam-data"), envvar="GLOAM_DATA",
                           show_envvar=True, show_default=True, help="The folder that holds the world.")  # fmt: skip
_FILE: Final = click.argument("file", type=click.Path(path_type=Path))
_PRIVATE: Final = 0o077  # a world holds what passwords became


@click.command(epilog="Example: gloam-server backup ./dungeon-monday.sqlite3 --data ./dungeon")
@_FILE
@DATA
def backup(file: Path, data: Path) -> None:
    """Write a whole copy of the world to FILE, at any time: nobody who plays has to stop."""
    from gloam_server.app.services import WORLD_FILE  # noqa: PLC0415  # brings the reactor's modules with it
    from gloam_server.storage.backup import backup as write  # noqa: PLC0415  # named as the command is

    os.umask(_PRIVATE)
    try:
        size = write(data / WORLD_FILE, file)
    except StorageError as error:
        refuse(str(error))
    click.echo(f"gloam-server: {file} holds the world, {size} bytes")


@click.command(epilog="Example: gloam-server restore ./dungeon-monday.sqlite3 --data ./restored")
@_FILE
@DATA
def restore(file: Path, data: Path) -> None:
    """Put the world that a backup FILE holds into a folder without one."""
    from gloam_server.app.services import WORLD_FILE  # noqa: PLC0415  # as above
    from gloam_server.storage.backup import restore as put  # noqa: PLC0415  # as above

    os.umask(_PRIVATE)
    try:
        put(file, data / WORLD_FILE)
    except StorageError as error:
        refuse(str(error))
    click.echo(f"gloam-server: {data} holds the world again; start it with: gloam-server run --data {data}")


def refuse(sentence: str) -> NoReturn:
    """End the program with one sentence and the exit code of what was asked wrongly."""
    click.echo(f"gloam-server: {sentence}", err=True)
    sys.exit(2)
