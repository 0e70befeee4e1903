"""The newest line of the chronicle where this user played last, for the title. One small file."""

from collections.abc import Mapping
from pathlib import Path
from typing import Final, NamedTuple

from gloam_client.user_files.json_list import read_list, write_list
from gloam_shared.text import clean

FILE: Final = "title-news"
_SIZE_MAX: Final = 16_384
_TEXT_MAX: Final = 400
_STORED: Final = ("place", "campaign", "text")
"""The names of the fields in the file, in their order."""


class TitleNews(NamedTuple):
    """A line, and its realm: the address of a server, or the campaign of an own world, whose address is ""."""

    address: str = ""
    campaign: str = ""
    text: str = ""


def read(data: Path) -> TitleNews:
    """Return the line of a folder; an empty one without any. A broken file is kept aside."""
    return next(iter(read_list(data / FILE, _SIZE_MAX, _entry)), TitleNews())


def keep(data: Path, news: TitleNews) -> None:
    """Keep a line in place of the one before. Write errors are ignored."""
    write_list(data / FILE, [dict(zip(_STORED, news, strict=True))])


def _entry(entry: Mapping[str, object]) -> TitleNews:
    return TitleNews(*(_short(entry[key]) for key in _STORED))


def _short(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError
    return clean(value)[:_TEXT_MAX]
