"""At equal level a fight takes about as long in each band of levels of the flagship (rule F90)."""

from collections.abc import Iterator
from fractions import Fraction

import pytest

from gloam_server.content.creatures import CreatureKind
from support.content.expected_blows import blows, creature_at, player_at
from support.content.shipped_files import campaign

GLOAM = campaign("gloam")
BANDS = ((1, 4), (5, 9), (10, 14), (15, 19), (20, 26))


def fights(band: tuple[int, int]) -> Iterator[tuple[CreatureKind, int, Fraction, Fraction]]:
    """Yield each kind at each level of a band, with the blows that kill it and the blows that kill the player."""
    for level in range(band[0], band[1] + 1):
        player = player_at(level)
        for kind in GLOAM.creatures.values():
            if kind.spawns and kind.attack and kind.levels and kind.levels[0] <= level <= kind.levels[1]:
                creature = creature_at(GLOAM, kind, level)
                yield kind, level, blows(GLOAM, player, creature), blows(GLOAM, creature, player)


def keeps_away(kind: CreatureKind) -> bool:
    """Return whether a kind fights by shots, spells or those that it calls, from a distance."""
    return bool(kind.ranged or kind.calls) or "keep_distance" in kind.tasks


@pytest.mark.rule("F90")
@pytest.mark.parametrize("band", BANDS)
def test_mean_fight_is_alike_in_each_band(band: tuple[int, int]) -> None:
    """Some four blows kill a creature, and six to nine kill a player of `expected_blows`: in played lives 3 to 4 and 7 to 9."""
    shares = [(kind.weight, kill, die) for kind, _, kill, die in fights(band)]
    whole = sum(weight for weight, _, _ in shares)
    to_kill = sum(weight * kill for weight, kill, _ in shares) / whole
    to_die = whole / sum(weight / die for weight, _, die in shares)
    assert Fraction(7, 2) <= to_kill <= Fraction(14, 3), float(to_kill)
    assert 6 <= to_die <= 9, float(to_die)


@pytest.mark.rule("F90")
@pytest.mark.parametrize("band", BANDS)
def test_no_kind_falls_out_of_its_band(band: tuple[int, int]) -> None:
    for kind, level, to_kill, to_die in fights(band):
        assert 2 <= to_kill <= Fraction(13, 2), (kind.key, level, float(to_kill))
        assert (6 if keeps_away(kind) else 5) <= to_die <= 15, (kind.key, level, float(to_die))


@pytest.mark.rule("F90")
def test_no_kind_gets_weaker_as_it_rises() -> None:
    """At its highest level a kind is as hard to a player of that level as at its lowest, within a half."""
    for kind in GLOAM.creatures.values():
        if not (kind.spawns and kind.attack and kind.levels):
            continue
        low, high = kind.levels[0], min(kind.levels[1], 28)
        ends = [blows(GLOAM, creature_at(GLOAM, kind, level), player_at(level)) for level in (low, high)]
        assert Fraction(2, 3) <= ends[0] / ends[1] <= Fraction(3, 2), kind.key
