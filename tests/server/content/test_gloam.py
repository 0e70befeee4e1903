"""The flagship is as large as was promised, and each of its creatures is one of its own (rules F01, F26, F29)."""

from itertools import combinations

import pytest

from gloam_server.content.creatures import CreatureKind, in_order
from support.content.shipped_files import campaign

GLOAM = campaign("gloam")
CREATURES = tuple(kind for key, kind in sorted(GLOAM.creatures.items()) if key != GLOAM.player)
ORDINARY_SPEED = 1_000


def behaviour(kind: CreatureKind) -> tuple[object, ...]:
    """Return what a kind does: its tasks in order, its spells, the kinds that it calls and hates."""
    return in_order(kind.tasks), kind.casts, kind.calls, kind.hates


def body(kind: CreatureKind) -> frozenset[str]:
    """Return how a kind is built and how it appears, in words.

    Neither its looks count, nor where it lives, nor how much it has of anything: an ogre with more health is an ogre.
    """
    traits = {
        "slow": kind.speed < ORDINARY_SPEED,
        "swift": kind.speed > ORDINARY_SPEED,
        "sightless": not kind.sight,
        "swims": kind.swims,
        "digs": kind.digs,
        "opens doors": kind.opens,
        "sheds light": bool(kind.light),
        "spits": bool(kind.ranged),
        "heals by itself": kind.regeneration > 0,
        "has children": bool(kind.children),
        "grows a limb": bool(kind.limb),
        "has no attack": not kind.attack,
        "does not grow": not kind.grows,
        "leaves no corpse": not kind.corpse,
        "comes in company": kind.group != (1, 1),
        "comes with gear": bool(kind.starts_with),
    }
    return frozenset(trait for trait, has in traits.items() if has)


@pytest.mark.rule("F01")
def test_gloam_has_26_depths_and_more() -> None:
    depths = {
        depth for level in GLOAM.levels.values() for depth in range(level.depths[0], level.depths[1] + 1)
    }
    assert depths == set(range(1, len(depths) + 1))
    assert len(depths) >= 26


@pytest.mark.rule("F29")
def test_gloam_has_40_kinds_and_12_behaviors() -> None:
    """Gloam has 40 kinds of creatures and 12 behaviors, and more."""
    assert len(CREATURES) >= 40
    assert len({task for kind in CREATURES for task in kind.tasks}) >= 12


@pytest.mark.rule("F29")
def test_no_two_creatures_gloam_share() -> None:
    """No two creatures of gloam share both behavior and body."""
    alike = [
        f"{one.key} and {other.key}"
        for one, other in combinations(CREATURES, 2)
        if behaviour(one) == behaviour(other) and body(one) == body(other)
    ]
    assert alike == []


def test_gloam_has_60_kinds_of_things_to_find_and_more() -> None:
    assert len([kind for kind in GLOAM.items.values() if kind.group and not kind.fixed]) >= 60


@pytest.mark.rule("F26")
def test_gloam_20_spells_casts_and_more() -> None:
    """Gloam has 20 spells that someone casts and more."""
    taught = {spell for kind in GLOAM.items.values() for spell in kind.teaches}
    known = {spell for kind in GLOAM.creatures.values() for spell in kind.casts}
    assert taught | known <= set(GLOAM.spells)
    assert len(taught | known) >= 20
