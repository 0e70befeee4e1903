"""The styles of bots: what each prefers in a fight, and which commands are its own means there. Pure."""

from enum import StrEnum
from typing import Final

from gloam_server.rules.dice import stream
from gloam_shared.protocol.commands import Cast, Command, Fire, Quaff, Read, Throw, Zap


class Style(StrEnum):
    """The style in which a bot fights: with blows and draughts, from afar, or by magic."""

    FIGHTER = "fighter"
    ARCHER = "archer"
    MAGE = "mage"


STYLES: Final = tuple(Style)

_OF_BENT: Final = {"archer": Style.ARCHER, "mage": Style.MAGE}
"""The styles in which kits of these bents are meant to be played; all others are for blows."""

OWN_MEANS: Final[dict[str, tuple[type[Command], ...]]] = {
    Style.FIGHTER: (Quaff, Throw, Zap, Read, Cast, Fire),
    Style.ARCHER: (Fire, Throw),
    Style.MAGE: (Cast, Zap, Read, Quaff),
}
"""The actions in a fight that are a style's own; a fighter uses anything it finds besides steps and blows."""


def draw_style(seed: int, player: int, heir: int) -> Style:
    """Return the style of a life: drawn for a realm and a generation, and then in turn, so that companions differ."""
    drawn = int.from_bytes(stream("style", seed, heir, size=4), "big")
    return STYLES[(drawn + player) % len(STYLES)]


def draw_kit(seed: int, player: int, heir: int, kits: int) -> int:
    """Return the place of a life's kit among those that it may choose, at least one: drawn as its style would be."""
    drawn = int.from_bytes(stream("kit", seed, heir, size=4), "big")
    return (drawn + player) % kits


def style_of_bent(bent: str) -> Style:
    """Return the style in which a kit of a bent is meant to be played."""
    return _OF_BENT.get(bent, Style.FIGHTER)
