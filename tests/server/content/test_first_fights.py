"""First fights in gloam: a new life of each kit and an awake foe of level 1 strike each other until one of them falls."""

from itertools import product
from statistics import mean

import pytest

from gloam_server.content.creatures import CreatureKind
from gloam_server.rules.dice import Dice
from gloam_server.world.items.starting_kit import give_starting_kit
from gloam_server.world.model.context import TurnContext
from gloam_server.world.model.inputs import TakeKit
from gloam_server.world.population.chosen_kit import open_kits
from gloam_server.world.population.starting_gear import give_starting_gear
from support.content.campaigns import shipped
from support.run.effort import effort
from support.scenarios.scenario import E, Scenario

GLOAM = shipped("gloam")
KITS = [kit.key for kit in open_kits(GLOAM, 0)]
FIGHTS = effort(25, 60)
TURNS_MAX = 80


def is_met_first(kind: CreatureKind) -> bool:
    """Return whether a kind appears at level 1 on depth 1 and can hurt."""
    return bool(kind.spawns and kind.attack and kind.levels and kind.levels[0] == 1 and not kind.depths)


KINDS = [kind.key for kind in GLOAM.creatures.values() if is_met_first(kind)]
HUNTERS = [key for key in KINDS if "hunt" in GLOAM.creatures[key].tasks and not GLOAM.creatures[key].ranged]


def lost(kit: str, kind: str, seed: int) -> int:
    """Return the part of the player's health, in percent, that a fight to the end costs, toe to toe, without a friend."""
    scenario = Scenario("#1f#", campaign=GLOAM, seed=seed, f=kind)
    player, foe = scenario["1"], scenario["f"]
    give_starting_kit(GLOAM, player, scenario.level.new_id)
    scenario.apply(TakeKit(player.number, KITS.index(kit)))
    give_starting_gear(TurnContext(scenario.level, Dice(seed, 1, 1)), foe)
    for _ in range(TURNS_MAX):
        if not scenario.alive("1"):
            return 100
        if not scenario.alive("f"):
            break
        scenario.go("1", E)
    return 100 - 100 * player.hp // player.hp_max


@pytest.mark.rule("F90")
@pytest.mark.parametrize(("kit", "kind"), list(product(KITS, KINDS)))
def test_first_fight_costs_at_most_a_third(kit: str, kind: str) -> None:
    """On the mean; of ten fights nine leave a third of the health, and none ends the life."""
    wounds = sorted(lost(kit, kind, seed) for seed in range(1, FIGHTS + 1))
    assert mean(wounds) <= 36, wounds
    assert wounds[len(wounds) * 9 // 10] <= 65, wounds
    assert wounds[-1] < 100, wounds


@pytest.mark.rule("F90")
@pytest.mark.parametrize("kind", HUNTERS)
def test_first_fight_with_a_hunter_is_felt(kind: str) -> None:
    """Over all kits it costs a fifth of the health or more."""
    assert mean(lost(kit, kind, seed) for kit in KITS for seed in range(1, FIGHTS + 1)) >= 20
