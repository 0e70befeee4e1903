"""What the player feels and remembers of fights: fresh wounds, the health just lost, and the foes met. Pure."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

from gloam_shared.view.view import Creature, CreatureFlag, Stat, View

FLASH_MS: Final = 120
"""How long a creature flashes after a blow."""
FLASH_GAP_MS: Final = 340
"""The least time from the beginning of one flash to the next: more than three a second may harm people."""
FOES_MAX: Final = 12
"""The number of kinds of foes that are remembered, the last met."""
_NONE: Final[Mapping[int, int]] = MappingProxyType({})
_NOBODY: Final[frozenset[int]] = frozenset()


class Fights(NamedTuple):
    """The fights of a life so far."""

    struck: Mapping[int, int] = _NONE
    """Until when each creature flashes, by handle; the player's own body, too."""
    flash_ms: int = -1_000_000
    """When the newest flash began."""
    lost: int = 0
    """The health that the player lost in the turn `turn`."""
    turn: int = -1
    met: tuple[Creature, ...] = ()
    """The last foes met, one of each name, the newest last."""

    def flashing(self, now_ms: int) -> frozenset[int]:
        """Return the handles of the creatures that flash now."""
        if not self.struck or now_ms - self.flash_ms >= FLASH_MS:
            return _NOBODY
        return frozenset(handle for handle, until_ms in self.struck.items() if now_ms < until_ms)

    def lost_in(self, turn: int) -> int:
        """Return the health that the player lost in a turn."""
        return self.lost if self.turn == turn else 0


NO_FIGHTS: Final = Fights()


def note_fights(
    before: Fights, views: tuple[View, View], turn: int, now_ms: int, *, flashes: bool = True
) -> Fights:
    """Return the fights after a new view of the player's, in the turn that the player's commands have reached.

    `views` are the last one and the new one. Nothing flashes where `flashes` is false.
    """
    old, new = views
    fights = before._replace(met=_met(before.met, new))
    if old.place != new.place:
        return fights._replace(struck=_NONE)
    wounded = _wounded(old, new)
    own = new.fact(Stat.HANDLE)
    if own in wounded:
        lost = old.fact(Stat.HP) - new.fact(Stat.HP)
        fights = fights._replace(lost=fights.lost_in(turn) + lost, turn=turn)
    if flashes and wounded and now_ms - fights.flash_ms >= FLASH_GAP_MS:
        fights = fights._replace(struck=dict.fromkeys(wounded, now_ms + FLASH_MS), flash_ms=now_ms)
    return fights


def _wounded(old: View, new: View) -> list[int]:
    """Return the handles of the creatures that have less health than before, the player's own by the sheet."""
    own = new.fact(Stat.HANDLE)
    health = {one.handle: one.hp for one in old.creatures}
    hurt = [one.handle for one in new.creatures if one.handle != own and one.hp < health.get(one.handle, 0)]
    return [*hurt, own] if new.fact(Stat.HP) < old.fact(Stat.HP) else hurt


def _met(met: tuple[Creature, ...], view: View) -> tuple[Creature, ...]:
    """Return the foes met, with those in sight last."""
    foes = {
        one.name: one
        for one in view.creatures
        if one.marks & CreatureFlag.HOSTILE and not one.marks & CreatureFlag.SELF
    }
    if not foes:
        return met
    return (*(one for one in met if one.name not in foes), *foes.values())[-FOES_MAX:]
