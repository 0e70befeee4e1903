"""Identification: some items hide their name until a player has seen their effect (rules TG.22, TG.23).

Players learn at different times. So each creature has its own list of known kinds, and an event carries the name that
each witness knows.
"""

from functools import cache
from typing import Final

from gloam_server.content.campaign_schema import LOOK_COLORS
from gloam_server.content.items import ItemKind
from gloam_server.rules.dice import Dice
from gloam_server.world.model.creature import Creature
from gloam_server.world.model.level import Level

LABELLED_COLOUR: Final = "white"
"""The color of all unidentified items with a label, which names no color."""


def knows_kind(creature: Creature, kind: ItemKind) -> bool:
    """Return whether a creature has identified an item kind."""
    return not kind.looks or kind.key in creature.known


def learn_kind(creature: Creature, kind: ItemKind) -> None:
    """Make a creature know an item kind without a message: the life brings it (rule F192)."""
    if not knows_kind(creature, kind):
        creature.known.append(kind.key)


def appearance_of(level: Level, kind: ItemKind) -> str:
    """Return the appearance of an unidentified item kind in this realm: "red"."""
    known = level.caches.appearances.get(kind.key)  # every name of an item on every view asks for it
    if known is None:
        known = level.caches.appearances[kind.key] = _appearance(level, kind)
    return known


def _appearance(level: Level, kind: ItemKind) -> str:
    items = level.campaign.items.values()
    hiding = [other.key for other in items if other.looks and other.group == kind.group]
    labels = level.campaign.labels.of(kind.group) or level.campaign.appearances
    return _appearances(labels, kind.group, level.realm_seed, len(hiding))[hiding.index(kind.key)]


def unidentified_name(level: Level, kind: ItemKind) -> str:
    """Return the name of a kind of item for a player who has not identified it: "red potion"."""
    return f"{appearance_of(level, kind)} {kind.group or 'thing'}"


def item_color(level: Level, kind: ItemKind, own: str) -> str:
    """Return the color in which all players see an item: its own must not reveal an unidentified kind."""
    if not kind.looks:
        return own
    if level.campaign.labels.of(kind.group):
        return LABELLED_COLOUR
    look = appearance_of(level, kind)
    return LOOK_COLORS.get(look, look)


@cache
def _appearances(appearances: tuple[str, ...], group: str, realm_seed: int, count: int) -> tuple[str, ...]:
    return tuple(Dice(realm_seed, 0, 0).shuffle(f"appearance {group}", 0, appearances, count))
