"""The shipped campaigns' files, read from the checkout, and small changes of them."""

from functools import cache
from pathlib import Path

import gloam_server.content
from gloam_server.content.campaign import Campaign
from gloam_server.content.loader import load
from gloam_server.content.shipped import DATA, FILES, OPTIONAL_FILES


def files(key: str = "jsrogue") -> dict[str, bytes]:
    folder = Path(gloam_server.content.__file__).parent / DATA / key
    held = (*FILES, *(name for name in OPTIONAL_FILES if (folder / name).is_file()))
    return {name: (folder / name).read_bytes() for name in held}


@cache
def campaign(key: str = "jsrogue") -> Campaign:
    return load(files(key))


def changed(file: str, old: str, new: str, key: str = "jsrogue") -> dict[str, bytes]:
    """Return a campaign's files with one text replaced, once; the text must be there."""
    found = files(key)
    assert old.encode() in found[file], f"{old!r} is not in {file}"
    found[file] = found[file].replace(old.encode(), new.encode(), 1)
    return found


def variant(old: str, new: str, file: str = "campaign.toml") -> Campaign:
    """Return jsrogue with one text of a file replaced, of its outline if none is named."""
    return load(changed(file, old, new))
