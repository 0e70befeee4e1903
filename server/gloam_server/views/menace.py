"""The means of a creature besides its blows: speed, shots and spells, as numbers for the estimate of danger. Pure.

They follow from its kind, its attack and its lasting effects, not from its mana or its next move: so the record of a
creature, which all its viewers share, changes no more often than before.
"""

from functools import lru_cache
from typing import Final, NamedTuple

from gloam_server.content.campaign import Campaign
from gloam_server.content.creatures import Behavior, CreatureKind, in_order
from gloam_server.content.spells import Effect, Spell
from gloam_server.views.display_numbers import in_points
from gloam_server.world.items.equipment import total_speed, wielded_item
from gloam_server.world.model.creature import Creature
from gloam_server.world.model.level import Level
from gloam_server.world.model.modifiers import is_silenced, stat_modifier
from gloam_shared.view.view import Menace

_TURNS: Final = 10
"""The turns that the estimate looks ahead."""
_SLEPT: Final = 3
"""The most turns that a victim sleeps among foes: their blows wake it."""
_PER_POINT: Final = 4
"""The actions, in percent, that a point of attack or defense is worth to a victim that loses it."""
_HUNTING: Final[frozenset[Behavior]] = frozenset({"hunt", "swim"})
"""The behaviors that follow a foe to where it is; `in_order` adds the first to all kinds that wait for prey."""
_CALLED: Final = 30
"""The speed, for each percent of the chance to call in a turn, of those who come and strike in ten turns."""
_NO_MEANS: Final = Menace()


class _Casting(NamedTuple):
    """Spells of the first ten turns: their number, the health that they take, their range, and what they bind."""

    casts: int = 0
    magic: int = 0
    reach: int = 0
    binds: int = 0


def menace_of(level: Level, body: Creature) -> Menace | None:
    """Return the means of a creature besides a blow in each turn; None for a creature without others."""
    campaign = level.campaign
    kind = campaign.creatures[body.kind]
    ranged, reach = _shots(campaign, kind, body)
    speed = total_speed(level, body)
    if not _HUNTING.intersection(in_order(kind.tasks)):
        speed //= 2  # it strikes what it meets, and about half of its steps lead elsewhere
    speed += kind.calls_percent * _CALLED if "call" in kind.tasks and kind.calls_max else 0
    silent = not kind.casts or (bool(body.lasting) and is_silenced(campaign, body))
    casting = _NO_CASTING if silent else _casting(campaign, kind, body.mana_max, body.mana_regeneration)
    menace = Menace(speed, ranged, reach, casting.casts, casting.magic, casting.reach, casting.binds)
    return None if menace == _NO_MEANS else menace


_NO_CASTING: Final = _Casting()


def _shots(campaign: Campaign, kind: CreatureKind, body: Creature) -> tuple[int, int]:
    """Return the attack of a creature's shots in points, as `missiles` resolves them, and their range."""
    if "shoot" not in kind.tasks:
        return 0, 0
    weapon = wielded_item(body) if body.wielded else None
    armed = campaign.items[weapon.kind] if weapon is not None else None
    power, reach = (
        (armed.ranged, armed.reach) if armed is not None and armed.ranged else (kind.ranged, kind.reach)
    )
    if not power:
        return 0, 0
    own = max(0, body.attack + stat_modifier(campaign, body, "attack"))
    return in_points(campaign, own // 2 + power), reach or body.sight


@lru_cache(maxsize=1_024)  # a record is made again for each status effect, and few kinds cast
def _casting_of(spells: tuple[Spell, ...], scale: int, mana: int, regained: int) -> _Casting:
    """Return what a caster does in ten turns with its mana: each spell in turn, one that lasts only once."""
    left, casts, magic, reach, binds = mana + regained * _TURNS // 1_000, 0, 0, 0, 0
    for spell in sorted(spells, key=lambda spell: spell.cost):
        often = _TURNS - casts if not spell.cost else min(_TURNS - casts, left // spell.cost)
        lasting = [
            effect.turns or effect.amount
            for effect in spell.effects
            if effect.turns or effect.does == "sleep"
        ]
        if lasting:
            often = min(often, -(-_TURNS // max(1, *lasting)))
        if often <= 0:
            continue
        left, casts, reach = left - often * spell.cost, casts + often, max(reach, spell.range)
        magic += often * spell_damage(spell)
        binds += sum(_binding(effect, scale) for effect in spell.effects)
    return _Casting(casts, magic, reach, min(binds, 80))


def _casting(campaign: Campaign, kind: CreatureKind, mana: int, regained: int) -> _Casting:
    spells = [campaign.spells[key] for key in kind.casts] if "cast" in kind.tasks else []
    harmful = tuple(spell for spell in spells if spell.harms)
    return _casting_of(harmful, campaign.combat.scale, mana, regained) if harmful else _NO_CASTING


def spell_damage(spell: Spell) -> int:
    """Return the health that one casting takes from a creature in ten turns."""
    return sum(
        effect.amount * min(max(effect.turns, 1), _TURNS)
        for effect in spell.effects
        if effect.does in ("harm", "drain")
    )


def _binding(effect: Effect, scale: int) -> int:
    """Return the actions that an effect costs its victim in ten turns, in percent."""
    match effect.does:
        case "sleep":
            return min(effect.amount, _SLEPT) * 100 // _TURNS
        case "fear":
            return min(effect.turns, _TURNS) * 100 // _TURNS
        case "strengthen" if effect.weakens:
            turns = min(effect.turns, _TURNS)
            weaker = -min(0, effect.attack) - min(0, effect.defence)
            slower = -min(0, effect.speed) // 10
            return turns * (slower + weaker * _PER_POINT // scale) // _TURNS
        case _:
            return 0
