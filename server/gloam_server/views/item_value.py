"""The value of an item to an heir, by its name: the best keepsake is offered first. Pure."""

from typing import Final, TypeAlias

from gloam_server.content.campaign import Campaign
from gloam_server.content.items import CORPSE, ItemKind

ItemRank: TypeAlias = tuple[int, int, int]
"""The rank of its category, the level at which it is found, and its strength."""

_TAUGHT, _STRONG, _MAGIC, _LIGHT, _THROWN, _FOOD, _REST = range(6, -1, -1)
_UNKNOWN: Final[ItemRank] = (_MAGIC, 0, 0)
"""The rank of unidentified items, which are some kind of magic."""


def item_rank(campaign: Campaign, name: str) -> ItemRank:
    """Return the rank of an item by the name that its owner knew."""
    corpse = campaign.items.get(CORPSE)
    if corpse is not None and name.endswith(corpse.name.replace("{name}", "")):
        return (_REST, 0, 0)
    kinds = [kind for kind in campaign.items.values() if kind.name in name]
    if not kinds:
        return _UNKNOWN
    kind = max(kinds, key=lambda one: (len(one.name), one.key))
    return (
        _rank(kind),
        kind.levels[0] if kind.levels else 0,
        kind.attack + kind.defence + kind.ranged + kind.thrown,
    )


def _rank(kind: ItemKind) -> int:
    ranks = (
        (bool(kind.teaches), _TAUGHT),
        (kind.attack > 0 or kind.defence > 0 or kind.ranged > 0, _STRONG),
        (bool(kind.spell or kind.is_ring), _MAGIC),
        (kind.light > 0, _LIGHT),
        (kind.thrown > 0, _THROWN),
        (kind.food > 0, _FOOD),
    )
    return next((rank for holds, rank in ranks if holds), _REST)
