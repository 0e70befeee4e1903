"""The player's recent fights: fresh wounds, the health just lost, and the foes met. Pure."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final, NamedTuple

from gloam_shared.view.view import Creature, CreatureFlag, Hunger, LogLine, Stat, View

_HOSTILE: Final = int(CreatureFlag.HOSTILE)
_OTHER: Final = int(CreatureFlag.HOSTILE | CreatureFlag.SELF)
"""Plain numbers: a flag itself is slow to compare."""
FLASH_MS: Final = 120
"""The time for which a creature flashes after a blow."""
FLASH_GAP_MS: Final = 340
"""The least time from the beginning of one flash to the next: more than three a second may harm people."""
FOES_MAX: Final = 12
"""The number of kinds of foes that are remembered, the last met."""
TURNS: Final = 10
"""The number of turns whose damage is summed."""
_POISONED: Final = "poisoned"
_NONE: Final[Mapping[int, int]] = MappingProxyType({})
_NOBODY: Final[frozenset[int]] = frozenset()


class Loss(NamedTuple):
    """Health that no line of the log tells of, as by poison or hunger: in which turn, by what, and how much."""

    turn: int
    cause: str
    damage: int


class Fights(NamedTuple):
    """The fights of a life so far."""

    struck: Mapping[int, int] = _NONE
    """The end of each creature's flash, by handle; the player's own body, too."""
    flash_ms: int = -1_000_000
    """The time at which the newest flash began."""
    hp_before: int = 0
    """The health that the player had when the command `command` was given."""
    command: int = -1
    hp: int = 0
    turns: int = 0
    """The turns of the player's body so far, as far as they could be seen; a new life leaves out `TURNS`."""
    losses: tuple[Loss, ...] = ()
    """The losses of the last `TURNS` turns besides blows, the newest last."""
    met: tuple[Creature, ...] = ()
    """The last foes met, one of each name, the newest last."""

    def flashing(self, now_ms: int) -> frozenset[int]:
        """Return the handles of the creatures that flash now."""
        if not self.struck or now_ms - self.flash_ms >= FLASH_MS:
            return _NOBODY
        return frozenset(handle for handle, until_ms in self.struck.items() if now_ms < until_ms)

    def lost_since(self, command: int) -> int:
        """Return the health that the player has lost since a command, without what has grown back."""
        return max(0, self.hp_before - self.hp) if self.command == command else 0

    def next_life(self) -> "Fights":
        """Return the fights of a new life: it has lost nothing, and no turn of an earlier life is among its last."""
        return Fights(met=self.met, turns=self.turns + TURNS)


NO_FIGHTS: Final = Fights()


def note_fights(
    before: Fights, views: tuple[View, View], command: int, now_ms: int, *, flashes: bool = True
) -> Fights:
    """Return the fights after a new view of the player's, when this number of commands has been given.

    `views` are the last one and the new one. Nothing flashes where `flashes` is false.
    """
    old, new = views
    fights = before._replace(met=_met(before.met, new), hp=new.fact(Stat.HP))
    if fights.command != command:
        known = old if old.place.width else new
        fights = fights._replace(hp_before=known.fact(Stat.HP), command=command)
    if old.place != new.place:
        return fights._replace(struck=_NONE)
    wounded = _wounded(old, new)
    if flashes and wounded and now_ms - fights.flash_ms >= FLASH_GAP_MS:
        fights = fights._replace(struck=dict.fromkeys(wounded, now_ms + FLASH_MS), flash_ms=now_ms)
    return fights


def note_turn(before: Fights, views: tuple[View, View], lines: Sequence[LogLine], *, done: bool) -> Fights:
    """Return the fights with one more turn of the player's body, if the new view shows one, and what it took.

    A plan takes many turns for one command. A turn is shown by a command that is `done`, by the body or its cell, or by
    a line about the player. Health that no line explains was taken by poison, hunger or the like.
    """
    old, new = views
    if not (done or _acted(old, new) or any("you" in (line.subject, line.object) for line in lines)):
        return before
    turns = before.turns + 1
    losses = tuple(loss for loss in before.losses if loss.turn > turns - TURNS)
    told = sum(line.amount for line in lines if _hurts_player(line))
    untold = old.fact(Stat.HP) - new.fact(Stat.HP) - told
    cause = _cause(old, new, lines) if untold > 0 and old.place.width else ""
    if cause:
        losses = (*losses, Loss(turns, cause, untold))
    return before._replace(turns=turns, losses=losses)


def _acted(old: View, new: View) -> bool:
    return old.sheet != new.sheet or old.cell != new.cell or old.place != new.place


def _hurts_player(line: LogLine) -> bool:
    return line.object == "you" or (line.kind == "blasted" and line.subject == "you")


def _cause(old: View, new: View, lines: Sequence[LogLine]) -> str:
    """Return what took the health that no line tells of; "" if nothing on the body does, as after an absence."""
    states = [state.word for view in (old, new) for state in view.states]
    if _POISONED in states:
        return "poison"
    if any(line.kind == "overeats" for line in lines):
        return "overeating"
    if new.fact(Stat.HUNGER) == Hunger.STARVING:
        return "hunger"
    return "other causes" if states else ""


def _wounded(old: View, new: View) -> list[int]:
    """Return the handles of the creatures that have less health than before, the player's own by the sheet."""
    own = new.fact(Stat.HANDLE)
    health = {one.handle: one.hp for one in old.creatures}
    hurt = [one.handle for one in new.creatures if one.handle != own and one.hp < health.get(one.handle, 0)]
    return [*hurt, own] if new.fact(Stat.HP) < old.fact(Stat.HP) else hurt


def _met(met: tuple[Creature, ...], view: View) -> tuple[Creature, ...]:
    """Return the foes met, with those in sight last."""
    foes = {one.name: one for one in view.creatures if one.marks & _OTHER == _HOSTILE}
    if not foes:
        return met
    return (*(one for one in met if one.name not in foes), *foes.values())[-FOES_MAX:]
