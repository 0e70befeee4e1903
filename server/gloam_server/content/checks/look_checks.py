"""Checks of signs and colors that a terminal can show."""

from unicodedata import category, east_asian_width

from gloam_server.content.content_errors import alternatives, invalid_value
from gloam_shared.appearance import COLORS


def check_signs(file: str, key: str, sign: str, unicode: str, colour: str) -> None:
    """Raise CampaignError unless both signs are one column wide, the first is ASCII, and the color exists."""
    for field, char in (("sign", sign), ("unicode", unicode)):
        fits = char.isascii() if field == "sign" else east_asian_width(char) not in "WFA"
        if category(char)[0] in "CZM" or not fits:
            mend = "write one printable character that is one column wide"
            raise invalid_value(file, f"{key}.{field}", char, mend)
    if colour not in COLORS:
        raise invalid_value(file, f"{key}.colour", colour, alternatives(colour, COLORS))
