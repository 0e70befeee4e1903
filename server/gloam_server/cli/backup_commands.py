"""`gloam-server backup`, `restore` and `upgrade`: copies of a world, and changes of its campaign."""

import os
import shlex
import time
from pathlib import Path
from typing import Final

import click

from gloam_server.app.config import WORLD_FILE
from gloam_server.cli.options import DATA, STORE
from gloam_server.cli.output import exit_with_error, print_line

_FILE: Final = click.argument("file", type=click.Path(path_type=Path))
_PRIVATE: Final = 0o077  # a world holds password hashes


@click.command(epilog="Example: gloam-server backup ./dungeon-monday.sqlite3 --data ./dungeon")
@_FILE
@DATA
@STORE
def backup(file: Path, data: Path, store: str | None) -> None:
    """Write a complete copy of the world to FILE, also while players play."""
    from gloam_server.storage.errors import StorageError
    from gloam_server.storage.open_store import back_up_world, file_store
    from gloam_server.world.transition.serialization import state_hash

    os.umask(_PRIVATE)
    try:
        if store:
            done = back_up_world(store, file)
            size = f"{done.records} inputs, content {done.digest.hex()}"
        else:
            size = f"{file_store(data / WORLD_FILE).backup(file)} bytes"
    except StorageError as error:
        exit_with_error(str(error))
    found = file_store(file).check(state_hash)
    print_line(f"{file} holds the world, {size}")
    if found:
        exit_with_error(
            f"The world is damaged, and so is this copy of it: {'; '.join(found)}. Keep older backups, and start the "
            "server again, which repairs what it can."
        )


@click.command(epilog="Example: gloam-server restore ./dungeon-monday.sqlite3 --data ./restored")
@_FILE
@DATA
def restore(file: Path, data: Path) -> None:
    """Restore the world in a backup FILE into a folder without a world."""
    from gloam_server.storage.errors import StorageError
    from gloam_server.storage.open_store import file_store

    os.umask(_PRIVATE)
    try:
        file_store(data / WORLD_FILE).restore(file)
    except StorageError as error:
        exit_with_error(str(error))
    print_line(
        f"{data} holds the world again; start it with: gloam-server run --data {shlex.quote(str(data))}"
    )


@click.command(epilog="Example: gloam-server upgrade --data ./dungeon")
@DATA
@click.option("--campaign", envvar="GLOAM_CAMPAIGN", show_envvar=True,
              help="The folder of the world's campaign, if it did not come with the game.")  # fmt: skip
def upgrade(data: Path, campaign: str | None) -> None:
    """Use the changed files of the campaign in a world that is not being served. Keeps a copy of the world beside it."""
    from gloam_server.app.config import ConfigError, resolve
    from gloam_server.app.upgrade import upgrade as take_up
    from gloam_server.content.loader import CampaignError
    from gloam_server.engine.recovery.replay import RealmMismatch
    from gloam_server.storage.errors import StorageError
    from gloam_server.storage.open_store import file_store

    os.umask(_PRIVATE)
    world = data / WORLD_FILE
    if not file_store(world).exists():
        exit_with_error(f"There is no world in {data}; name its folder with --data.")
    try:
        name = resolve(data, {"campaign": campaign}, private=False).campaign
        done = take_up(world, name, int(time.time()))
    except (CampaignError, ConfigError, RealmMismatch, StorageError) as error:
        exit_with_error(str(error))
    for line in done.changes:
        print_line(line)
    if done.copy is None:
        print_line("the world uses these files already")
    else:
        print_line(f"upgraded; a copy of the old world is {done.copy}")
