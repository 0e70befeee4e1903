"""Reads the files of a campaign, from the package or from a folder; `content` itself opens nothing."""

import zlib
from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files
from pathlib import Path

import msgspec

from gloam_server.content.campaign import Campaign
from gloam_server.content.loader import CampaignError, load
from gloam_server.content.shipped import DATA, FILES, OPTIONAL_FILES, SHIPPED


def read_campaign(name: str) -> Campaign:
    """Return the campaign of that name, or of that folder if the name has a slash. Raises CampaignError.

    One that ships is kept: the processes that are forked from this one need not read it again.
    """
    return _shipped(name) if name in SHIPPED else load(read_files(name))


@lru_cache(maxsize=len(SHIPPED))
def _shipped(name: str) -> Campaign:
    return load(read_files(name))


def read_files(name: str) -> dict[str, bytes]:
    """Return the files of a campaign, named as for `read_campaign`. Raises CampaignError."""
    if "/" in name:
        return _read_folder(Path(name))
    if name not in SHIPPED:
        raise CampaignError(
            f'There is no campaign "{name}"; choose one of {", ".join(SHIPPED)}, or name a folder ("./{name}").'
        )
    folder = files("gloam_server.content") / DATA / name
    held = (*FILES, *(file for file in OPTIONAL_FILES if (folder / file).is_file()))
    return {file: (folder / file).read_bytes() for file in held}


def pack(files: Mapping[str, bytes]) -> bytes:
    """Return a campaign's files as the journal keeps them."""
    return zlib.compress(msgspec.msgpack.encode(dict(files)))


def unpack(packed: bytes) -> Campaign | None:
    """Return the packed campaign; None if this version does not understand it."""
    try:
        return load(msgspec.msgpack.decode(zlib.decompress(packed), type=dict[str, bytes]))
    except (CampaignError, msgspec.MsgspecError, zlib.error):
        return None


def _read_folder(folder: Path) -> dict[str, bytes]:
    try:
        found = {path.name: path.read_bytes() for path in sorted(folder.glob("*.toml"))}
    except OSError as error:
        raise CampaignError(f"The campaign folder {folder} cannot be read: {error.strerror}.") from error
    if not found:
        raise CampaignError(f"The campaign folder {folder} holds no .toml files; name a folder that does.")
    return found
