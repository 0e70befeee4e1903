"""The means of a creature besides its plain blows, as numbers for the estimate of danger: pace, shots, spells, resistances.

They follow from its kind, what it has learned, its attack and its lasting effects, not from its mana or its next move:
so the record of a creature, which all its viewers share, changes no more often than before. Of the few that zap or throw,
what they carry counts, too. Trophies that a monster carries do not count. Pure.
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from gloam_server.content.campaign import Campaign
from gloam_server.content.creatures import Behavior, CreatureKind
from gloam_server.content.powers import DAMAGE_TYPES, RESIST_MOST, Power
from gloam_server.content.spells import Effect, Spell
from gloam_server.views.display_numbers import in_points
from gloam_server.world.combat.fight_powers import PARRY_MOST
from gloam_server.world.items.equipment import thrown_values, total_speed, wielded_item
from gloam_server.world.model.creature import Creature
from gloam_server.world.model.level import Level
from gloam_server.world.model.modifiers import is_silenced, stat_modifier, tasks_of
from gloam_server.world.model.powers import dealt_type, powers_of
from gloam_shared.view.danger import THROWN_REACH
from gloam_shared.view.menace import DamageKind, Menace, Prowess

_TURNS: Final = 10
"""The turns that the estimate looks ahead."""
_SLEPT: Final = 3
"""The most turns that a victim sleeps among foes: their blows wake it."""
_PER_POINT: Final = 4
"""The actions, in percent, that a point of attack or defense is worth to a victim that loses it."""
_HUNTING: Final[frozenset[Behavior]] = frozenset({"hunt", "swim"})
"""The behaviors that follow a foe to where it is; `in_order` adds the first to all kinds that wait for prey."""
_CALLED: Final = 30
"""The speed, for each percent of the chance to call in a turn, of creatures that arrive and strike in ten turns."""
_WARY: Final = 75
"""The speed, in percent, of a hunter that has learned to step back after each blow: the steps take turns of both sides.

In 499 duels with such foes alone, those named "deadly" killed in 51 of 100 without this, in 57 with it.
"""
_FURIOUS: Final = 3
"""The fury of a creature holds for a third of its health, so for a third of the fight."""
_FROM_PACK: Final[frozenset[Behavior]] = frozenset({"zap", "throw"})
_TAKE_HEALTH: Final = ("harm", "drain")
_BOUND_MOST: Final = 80
"""The most actions, in percent, that a victim is taken to lose."""
_NO_MEANS: Final = Menace()


_STOOD: Final = 2
"""The turns that a body stands in what is laid under it; twice as many where it drifts along."""


class _Ground(NamedTuple):
    """A surface that spells lay: the health that it takes from a body before that has left it, and its `DamageKind`."""

    key: str
    harm: int
    deals: int


class _Casting(NamedTuple):
    """Spells of the first ten turns: their number, the health that they take, their range, and what they bind."""

    casts: int = 0
    magic: int = 0
    reach: int = 0
    binds: int = 0
    deals: int = 0


_NO_PROWESS: Final = Prowess()


def prowess_of(powers: Iterable[Power]) -> Prowess:
    """Return the sum of these powers of a body, as the estimate of danger counts them.

    A "keen" blow has twice the attack at its chance: on the average it is that much stronger.
    """
    powers = tuple(powers)
    if not powers:
        return _NO_PROWESS
    sums = {
        word: sum([power.percent for power in powers if power.does == word])
        for word in ("heavy", "keen", "quick", "stun", "sweep", "parry")
    }
    resists = tuple(
        [
            min(
                RESIST_MOST,
                sum(
                    [each.percent for each in powers if each.does == "resist" and each.against in ("", kind)]
                ),
            )
            for kind in DAMAGE_TYPES
        ]
    )
    slower = 100 + sum([power.amount for power in powers if power.does == "heavy"])
    return Prowess(
        damage_kind(dealt_type(powers)),
        resists if any(resists) else (),
        sums["heavy"] + sums["keen"],
        (100 + min(sums["quick"], 100)) * 100 // slower - 100,
        sum([power.amount for power in powers if power.does == "reach"]),
        min(sums["stun"], 100),
        sums["sweep"],
        min(sums["parry"], PARRY_MOST),
    )


def damage_kind(name: str) -> int:
    """Return the `DamageKind` of a type of damage."""
    return int(DamageKind[name.upper()])


def menace_of(level: Level, body: Creature) -> Menace | None:
    """Return the means of a creature besides a blow in each turn; None for a creature without others."""
    campaign = level.campaign
    kind, tasks = campaign.creatures[body.kind], tasks_of(campaign, body)
    ranged, reach = _shots(campaign, kind, body) if "shoot" in tasks else (0, 0)
    if not ranged and "throw" in tasks:
        ranged, reach = _throws(campaign, body)
    speed = total_speed(level, body)
    if not _HUNTING.intersection(tasks):
        speed //= 2  # it strikes what it meets, and about half of its steps lead elsewhere
    elif "keep_distance" in tasks and "keep_distance" not in kind.tasks:
        speed = speed * _WARY // 100
    speed += kind.calls_percent * _CALLED if "call" in tasks and kind.calls_max else 0
    spells = _spells_to_cast(campaign, kind, body) if "cast" in tasks else ()
    wands = _wands_to_zap(campaign, body) if "zap" in tasks else ()
    casting = _NO_CASTING
    if spells or wands:
        scale, mana = campaign.combat.scale, (body.mana_max, body.mana_regeneration)
        casting = _casting_of(spells, wands, scale, *mana, _grounds(campaign, spells, wands))
    powers = powers_of(campaign, body, trophies=False)
    own = prowess_of(powers)
    menace = Menace(
        speed,
        ranged,
        max(reach, own.length),
        casting.casts,
        casting.magic,
        casting.reach,
        min(casting.binds + own.stuns * speed * (100 + own.pace) // 100_000, _BOUND_MOST),
        own.deals,
        casting.deals,
        own.resists,
        own.might + sum([power.percent for power in powers if power.does == "fury"]) // _FURIOUS,
        own.pace,
        own.parries,
    )
    return None if menace == _NO_MEANS else menace


_NO_CASTING: Final = _Casting()


def kinds_using_pack(campaign: Campaign) -> frozenset[str]:
    """Return the kinds of creatures whose means change with what they carry, besides what they wield."""
    return frozenset(key for key, kind in campaign.creatures.items() if not _FROM_PACK.isdisjoint(kind.tasks))


def _shots(campaign: Campaign, kind: CreatureKind, body: Creature) -> tuple[int, int]:
    """Return the attack of a creature's shots in points, as `missiles` resolves them, and their range."""
    weapon = wielded_item(body) if body.wielded else None
    armed = campaign.items[weapon.kind] if weapon is not None else None
    power, reach = (
        (armed.ranged, armed.reach) if armed is not None and armed.ranged else (kind.ranged, kind.reach)
    )
    if not power:
        return 0, 0
    return in_points(campaign, _half_of_own(campaign, body) + power), reach or body.sight


def _throws(campaign: Campaign, body: Creature) -> tuple[int, int]:
    """Return the attack of a creature's best throw in points, and from how far its throws count as blows.

    It throws each item once, on its way to the foe: so each that it carries is worth a cell of its way, a few at most.
    """
    thrown = thrown_values(campaign, body)
    if not thrown:
        return 0, 0
    best = _half_of_own(campaign, body) + max(thrown.values())
    return in_points(campaign, best), min(1 + len(thrown), THROWN_REACH)


def _half_of_own(campaign: Campaign, body: Creature) -> int:
    return max(0, body.attack + stat_modifier(campaign, body, "attack")) // 2


def _wands_to_zap(campaign: Campaign, body: Creature) -> tuple[tuple[Spell, int], ...]:
    """Return the harmful spells of a creature's wands with their charges, in the order in which it zaps them."""
    kinds = [(campaign.items[item.kind], item.charges) for item in body.carried]
    zapped = [(campaign.spells[kind.zaps], charges) for kind, charges in kinds if kind.zaps and charges]
    return tuple(each for each in zapped if each[0].harms)


@lru_cache(maxsize=1_024)  # a record is made again for each status effect, and few kinds cast
def _casting_of(
    spells: tuple[Spell, ...],
    wands: tuple[tuple[Spell, int], ...],
    scale: int,
    mana: int,
    regained: int,
    grounds: tuple[_Ground, ...],
) -> _Casting:
    """Return what a caster does in ten turns: its wands first, one after the other, then spells with its mana.

    It zaps a wand in each turn while that has charges; it casts each spell in turn, one that lasts only once.
    """
    left, casts, reach, binds = mana + regained * _TURNS // 1_000, 0, 0, 0
    dealt = dict[int, int]()
    for spell, charges in wands:
        often = min(_TURNS - casts, charges)
        if often:
            casts, reach = casts + often, max(reach, spell.range)
            binds += sum(_binding(effect, scale) for effect in spell.effects)
            _count_damage(dealt, spell, often, grounds)
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
        binds += sum(_binding(effect, scale) for effect in spell.effects)
        _count_damage(dealt, spell, often, grounds)
    return _Casting(casts, sum(dealt.values()), reach, min(binds, _BOUND_MOST), _most(dealt))


def _spells_to_cast(campaign: Campaign, kind: CreatureKind, body: Creature) -> tuple[Spell, ...]:
    if not kind.casts or (body.lasting and is_silenced(campaign, body)):
        return ()
    return tuple(spell for spell in [campaign.spells[key] for key in kind.casts] if spell.harms)


def spell_damage(spell: Spell) -> int:
    """Return the health that one casting takes from a creature in ten turns, without the ground that it lays."""
    return sum(_count_damage({}, spell, 1).values())


def _grounds(
    campaign: Campaign, spells: tuple[Spell, ...], wands: tuple[tuple[Spell, int], ...]
) -> tuple[_Ground, ...]:
    """Return what the surfaces that these spells lay take from a body that steps out of them as soon as it can."""
    laid = {
        effect.surface
        for spell in (*spells, *(spell for spell, _ in wands))
        for effect in spell.effects
        if effect.does == "lay"
    }
    kinds = [campaign.surfaces[key] for key in sorted(laid)]
    return tuple(
        _Ground(
            kind.key,
            kind.harm * (2 * _STOOD if kind.drifts_percent else _STOOD),
            damage_kind(kind.damage_type),
        )
        for kind in kinds
        if kind.harm
    )


def damage_kind_of(spell: Spell) -> int:
    """Return the `DamageKind` of most of the health that a spell takes."""
    return _most(_count_damage({}, spell, 1))


def _count_damage(
    dealt: dict[int, int], spell: Spell, often: int, grounds: Sequence[_Ground] = ()
) -> dict[int, int]:
    """Add the health that castings take to the sums by kind of damage, and return these."""
    for effect in spell.effects:
        if effect.does in _TAKE_HEALTH:
            kind = damage_kind(effect.damage_type)
            dealt[kind] = dealt.get(kind, 0) + often * effect.amount * min(max(effect.turns, 1), _TURNS)
        for ground in grounds if effect.does == "lay" else ():
            if ground.key == effect.surface:
                dealt[ground.deals] = dealt.get(ground.deals, 0) + often * ground.harm
    return dealt


def _most(dealt: dict[int, int]) -> int:
    return max(dealt, key=lambda kind: (dealt[kind], -kind), default=0)


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
