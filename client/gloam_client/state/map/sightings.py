"""Creatures that enter view: each is announced once, until it was out of sight for a while. Pure."""

from collections import Counter
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final, NamedTuple

from msgspec.structs import replace

from gloam_shared.narration.rendering import grown_words, list_names, with_article, with_count
from gloam_shared.protocol.messages.play import Update
from gloam_shared.protocol.registry import FromServer
from gloam_shared.text import clean
from gloam_shared.view.danger import danger_of_fight
from gloam_shared.view.view import Creature, CreatureFlag, View

_HOSTILE: Final = int(CreatureFlag.HOSTILE)
_OTHER: Final = int(CreatureFlag.HOSTILE | CreatureFlag.SELF)
"""Plain numbers: a flag itself is slow to compare."""
FORGOTTEN_AFTER: Final = 20
"""The number of turns out of sight after which a creature is announced again."""

KEPT_MAX: Final = 500
_NEVER: Final = -FORGOTTEN_AFTER - 1
NAMED_MAX: Final = 4
_NOTHING: Final[Mapping[tuple[int, int], int]] = MappingProxyType({})


class Sightings(NamedTuple):
    """The last sighting of each foe: by depth and handle, counted in `turns`."""

    turns: int = 0
    last: Mapping[tuple[int, int], int] = _NOTHING


NOTHING_SEEN: Final = Sightings()


def shows_turn(before: View, view: View, messages: Sequence[FromServer]) -> bool:
    """Return whether a turn has passed: a command was carried out, or more has changed than the party and the log.

    A player who waits may see nothing change. A refused command is no turn, and neither is news of friends elsewhere.
    """
    if carried_out(messages):
        return True
    return view is not before and replace(view, party=before.party, log=before.log) != before


def carried_out(messages: Sequence[FromServer]) -> bool:
    """Return whether a command of the player was carried out."""
    return any(isinstance(message, Update) and message.done for message in messages)


def update_sightings(before: Sightings, view: View, *, turn: bool = True) -> tuple[Sightings, list[Creature]]:
    """Return the sightings after a view, and the foes that have just entered view, in its order."""
    turns = before.turns + turn
    here = view.place.depth
    foes = [one for one in view.creatures if one.marks & _OTHER == _HOSTILE and view.sight[one.cell]]
    if not foes and not before.last:
        return before, []  # turns are counted from the last sighting
    new = [one for one in foes if turns - before.last.get((here, one.handle), _NEVER) > FORGOTTEN_AFTER]
    seen = {(here, one.handle): turns for one in foes}
    kept = [(key, at) for key, at in before.last.items() if turns - at <= FORGOTTEN_AFTER and key not in seen]
    return before._replace(turns=turns, last=dict([*kept, *seen.items()][-KEPT_MAX:])), new


def announcement(new: Sequence[Creature], view: View, damage: str) -> str:
    """Return one line for all foes that have entered view: kind, level and danger of each."""
    alike = list(Counter((clean(one.name), ", ".join(_facts(one, view, damage))) for one in new).items())
    verb = "comes" if len(new) == 1 else "come"
    if len(alike) == 1:
        (name, facts), count = alike[0]
        return f"{_capital(_counted(name, count))} {verb} into view, {facts}."
    names = [f"{_counted(name, count)} ({facts})" for (name, facts), count in alike[:NAMED_MAX]]
    rest = sum(count for _, count in alike[NAMED_MAX:])
    if rest:
        names.append(f"{rest} more")
    return f"{_capital(list_names(names))} {verb} into view."


def _counted(name: str, count: int) -> str:
    return with_article(name) if count == 1 else with_count(name, count)


def _facts(one: Creature, view: View, damage: str) -> list[str]:
    asleep = ["asleep"] if one.marks & CreatureFlag.ASLEEP else []
    grown = [grown_words(one.grown)] if one.grown > 0 else []
    return [
        f"level {one.level}",
        danger_of_fight(one, view, damage).word,
        *grown,
        *map(clean, one.fame),
        *asleep,
    ]


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:]
