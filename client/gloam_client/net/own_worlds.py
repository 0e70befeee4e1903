"""This user's own worlds, one for each campaign that ships: which there are, and how to delete one."""

from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple

from gloam_client.net import local_server
from gloam_client.user_files.user_folders import world_folder

CAMPAIGNS: Final = ("gloam", "jsrogue", "rltut", "ruggrogue")
"""The campaigns that ship, the default first."""
_WORLD: Final = "world.sqlite3"


class OwnWorld(NamedTuple):
    """A campaign, whether this user has a world of it, and whether a server has it open."""

    campaign: str
    exists: bool
    running: bool


class CannotDelete(Exception):
    """The world stays; the text says why."""


def list_worlds(data: Path, also: str = "") -> tuple[OwnWorld, ...]:
    """Return the worlds of a data folder; `also` is a further campaign, such as one in a folder."""
    named = [*([also] if also and also not in CAMPAIGNS else []), *CAMPAIGNS]
    return tuple(_world(data, campaign) for campaign in named)


def delete_world(data: Path, campaign: str) -> None:
    """Delete the world of a campaign, with all its lives. Raises CannotDelete."""
    folder = world_folder(data, campaign)
    if local_server.is_open(folder):
        raise CannotDelete("That world is open in a server: leave it everywhere first.")
    try:
        for path in sorted(folder.glob(f"{_WORLD}*")):
            path.unlink()
    except OSError as error:
        raise CannotDelete(f"{folder} cannot be changed ({error.strerror}).") from error
    with suppress(OSError):  # other files may lie there
        folder.rmdir()


def _world(data: Path, campaign: str) -> OwnWorld:
    folder = world_folder(data, campaign)
    return OwnWorld(campaign, (folder / _WORLD).exists(), local_server.is_open(folder))
