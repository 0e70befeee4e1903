"""The odds of one viewer against each creature: the viewer's powers against peoples, fury, friends beside, lit beacons. Pure.

The records of creatures are shared by all viewers (`level_records`). What a viewer's own powers change in a fight is worked into
the `Menace` that this viewer sees, so that the estimate of danger counts it in each client and in the plans.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Final, NamedTuple, TypeAlias

from msgspec.structs import replace

from gloam_server.content.campaign_schema import Damage
from gloam_server.content.powers import DAMAGE_TYPES, RESIST_MOST, Power
from gloam_server.views.display_numbers import in_points
from gloam_server.world.combat.fight_powers import friends_beside, guard_of
from gloam_server.world.combat.party.shared_fight import crowd_percent
from gloam_server.world.growth.beacons import strength_left
from gloam_server.world.items.equipment import total_defense
from gloam_server.world.model.creature import Creature
from gloam_server.world.model.level import Level
from gloam_server.world.model.powers import powers_of
from gloam_shared.view import view as seen
from gloam_shared.view.danger import mean_hundredths
from gloam_shared.view.menace import Menace
from gloam_shared.view.view import CreatureFlag

_STRIKES: Final = Menace()
_SIDES: Final = int(CreatureFlag.HOSTILE | CreatureFlag.PLAYER)
_HOSTILE: Final = int(CreatureFlag.HOSTILE)
_WOUND: Final = 20
"""A usual wound, of which a friend beside takes a part."""


class Odds(NamedTuple):
    """Changes of damage by a viewer's powers, in percent: more is dealt, less is taken, and less by shots alone."""

    deals: int = 0
    spares: int = 0
    catches: int = 0


OwnOdds: TypeAlias = tuple[tuple[str, Odds], ...]
"""The odds by people, "" for all creatures."""

_NO_ODDS: Final = Odds()


def own_odds(level: Level, viewer: Creature) -> OwnOdds:
    """Return the odds that follow from a viewer's own body, for all creatures and by people."""
    powers = powers_of(level.campaign, viewer)
    peoples = dict.fromkeys(
        ("", *(power.against for power in powers if power.does in ("wards", "slays", "bane")))
    )
    fury = viewer.hp * 3 < viewer.hp_max
    found = {people: _summed(powers, people, fury=fury) for people in peoples}
    return tuple((people, odds) for people, odds in found.items() if odds != _NO_ODDS)


def _summed(powers: Sequence[Power], people: str, *, fury: bool) -> Odds:
    """Return the odds against a people, "" for one without a name, as the rules sum them (rules F101, F108)."""

    def percent(does: str) -> int:
        return sum(power.percent for power in powers if power.does == does)

    def against(does: str) -> int:
        return sum(
            power.percent
            for power in powers
            if power.does == does and power.against in ("", people) and people
        )

    deals = against("slays") + against("bane") + (percent("fury") if fury else 0)
    return Odds(deals, min(against("wards"), RESIST_MOST), min(percent("catches"), RESIST_MOST))


def as_met(
    level: Level, viewer: Creature, own: OwnOdds, creatures: tuple[seen.Creature, ...]
) -> tuple[seen.Creature, ...]:
    """Return creatures in sight with the menace that they have for this viewer; the same objects where no power counts."""
    lit = bool(level.state.beacons)
    if not own and not lit and not viewer.learned and len(level.players()) < 2:
        return creatures
    if not any(one.marks & _SIDES == _HOSTILE for one in creatures):
        return creatures
    lit = lit and any(one.kind == level.campaign.victory.creature for one in level.monsters())
    deals, spares = _beside(level, viewer)
    odds, crowd = dict(own), crowd_percent(level, viewer)
    if not odds and not deals and not spares and not lit and not crowd:
        return creatures
    return tuple(_met(level, viewer, odds, (deals, spares), crowd, creatures))


def _beside(level: Level, viewer: Creature) -> tuple[int, int]:
    """Return how much more a viewer deals beside a friend, and how much of a wound a friend beside takes, in percent."""
    if not friends_beside(level, viewer):
        return 0, 0
    company = sum(power.percent for power in powers_of(level.campaign, viewer) if power.does == "company")
    guarded = guard_of(level, viewer, _WOUND)
    return company, 0 if guarded is None else guarded[1] * 100 // _WOUND


def _met(
    level: Level,
    viewer: Creature,
    own: Mapping[str, Odds],
    beside: tuple[int, int],
    crowd: int,
    creatures: tuple[seen.Creature, ...],
) -> Iterator[seen.Creature]:
    campaign, numbers = level.campaign, {handle: number for number, handle in level.handles.items()}
    defence = in_points(campaign, total_defense(level, viewer))
    for one in creatures:
        body = level.creatures.get(numbers.get(one.handle, 0)) if one.marks & _SIDES == _HOSTILE else None
        if body is None:
            yield one
            continue
        odds = own.get(campaign.creatures[body.kind].people, own.get("", _NO_ODDS))
        left = strength_left(level, body)
        withstands = left if campaign.creatures[body.kind].boss else left * (100 + crowd) // 100
        spares = 100 - (100 - odds.spares) * (100 - beside[1]) * left // 10_000
        odds = Odds((100 + odds.deals + beside[0]) * 100 // withstands - 100, spares, odds.catches)
        yield _with_odds(one, odds, defence, campaign.combat.damage) if odds != _NO_ODDS else one


@lru_cache(maxsize=512)
def _with_odds(foe: seen.Creature, odds: Odds, defence: int, damage: Damage) -> seen.Creature:
    """Return a foe whose menace is as a viewer with these odds and this defense meets it."""
    menace = foe.menace or _STRIKES
    resists = menace.resists or (0,) * len(DAMAGE_TYPES)
    blow = foe.attack * (100 + menace.might) // 100
    shot_odds = 100 - (100 - odds.spares) * (100 - odds.catches) // 100
    return replace(
        foe,
        menace=replace(
            menace,
            resists=tuple(100 - (100 - each) * (100 + odds.deals) // 100 for each in resists)
            if odds.deals
            else menace.resists,
            might=_weakened(blow, odds.spares, defence, damage) * 100 // foe.attack - 100
            if foe.attack and odds.spares
            else menace.might,
            ranged=_weakened(menace.ranged, shot_odds, defence, damage) if menace.ranged else 0,
            magic=menace.magic * (100 - odds.spares) // 100,
        ),
    )


def _weakened(attack: int, percent: int, defence: int, damage: Damage) -> int:
    """Return the least attack with at least the mean damage of another attack after it is reduced by a percentage."""
    wanted = mean_hundredths(damage, attack, defence) * (100 - percent) // 100
    return next(each for each in range(1, attack + 1) if mean_hundredths(damage, each, defence) >= wanted)
