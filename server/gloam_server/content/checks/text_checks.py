"""Texts of a campaign: a terminal must be able to show each as it is written, every character one cell wide."""

from typing import Final

from msgspec import Struct

from gloam_server.content import shipped
from gloam_server.content.campaign import Campaign
from gloam_server.content.content_errors import invalid_value
from gloam_shared.text import clean

_TABLES: Final = {
    "creatures": shipped.CREATURES_FILE,
    "items": shipped.ITEMS_FILE,
    "spells": shipped.SPELLS_FILE,
    "levels": shipped.LEVELS_FILE,
    "peoples": shipped.PEOPLES_FILE,
    "traits": shipped.TRAITS_FILE,
    "bents": shipped.BENTS_FILE,
    "rooms": shipped.ROOMS_FILE,
}
_MEND: Final = (
    "write it in signs of one or two cells on which all terminals agree, without control characters"
)


def check_texts(campaign: Campaign) -> None:
    """Raise CampaignError for the first text that a terminal would not show as it is written."""
    for name in campaign.__struct_fields__:
        value = getattr(campaign, name)
        if name in _TABLES:
            for key, kind in value.items():
                _check(_TABLES[name], key, kind)
        else:
            _check(shipped.OUTLINE_FILE, name, value)


def _check(file: str, path: str, value: object) -> None:
    match value:
        case str() if not is_showable(value):
            raise invalid_value(file, path, value, _MEND)
        case Struct():
            for name in value.__struct_fields__:
                _check(file, f"{path}.{name}", getattr(value, name))
        case tuple() | list():
            for at, each in enumerate(value):
                _check(file, f"{path}[{at}]", each)
        case dict():
            for key, each in value.items():
                _check(file, f"{path}.{key}", each)


def is_showable(text: str) -> bool:
    """Return whether a terminal shows a text as it is written; line ends and tabs are shown as spaces."""
    return clean(text) == "".join(" " if char.isspace() else char for char in text).strip()
