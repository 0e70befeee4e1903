"""`gloam-server export` and `import`: a world moves from a cluster into a file, and back."""

import os
import shlex
from pathlib import Path
from typing import Final

import click

from gloam_server.cli.options import STORE
from gloam_server.cli.output import exit_with_error, print_line

_FILE: Final = click.argument("file", type=click.Path(path_type=Path))
_PRIVATE: Final = 0o077  # a world holds password hashes


@click.command(
    epilog="Example: gloam-server export ./dungeon.sqlite3 --store nats://HOST:4222/REALM,postgresql://USER@HOST/DATABASE"
)
@_FILE
@STORE
def export(file: Path, store: str | None) -> None:
    """Write the world in a cluster, which no server has open, to FILE: `restore` makes a folder of it."""
    from gloam_server.storage.errors import StorageError
    from gloam_server.storage.open_store import export_world

    os.umask(_PRIVATE)
    try:
        done = export_world(required_store(store), file)
    except StorageError as error:
        exit_with_error(str(error))
    print_line(f"{file} holds the world: {done.records} inputs, content {done.digest.hex()}")


@click.command(
    "import",
    epilog="Example: gloam-server import ./dungeon.sqlite3 --store nats://HOST:4222/REALM,postgresql://USER@HOST/DATABASE",
)
@_FILE
@STORE
def import_world(file: Path, store: str | None) -> None:
    """Write the world in FILE, a backup or an export, into a realm of a cluster that has none. FILE stays as it is."""
    from gloam_server.storage.errors import StorageError
    from gloam_server.storage.open_store import import_world as write_world
    from gloam_server.world.transition.serialization import state_hash

    os.umask(_PRIVATE)
    address = required_store(store)
    try:
        done = write_world(file, address, state_hash)
    except StorageError as error:
        exit_with_error(str(error))
    print_line(
        f"the cluster holds the world: {done.records} inputs, content {done.digest.hex()}; start it with: gloam-server run "
        f"--store {shlex.quote(without_password(address))}"
    )


def without_password(address: str) -> str:
    """Return an address for the terminal: its passwords are left out."""
    import re

    return re.sub(r"(\w+://[^:@/,]*):[^@/,]*@", r"\1:PASSWORD@", address)


def required_store(store: str | None) -> str:
    """Return the address of a cluster; without one end this program with a sentence."""
    if not store:
        exit_with_error("The cluster is not named; name it with --store, or in GLOAM_STORE.")
    return store
