"""The blows between players and monsters that a witness records: how many of equals kill, and how many would."""

import pytest

from gloam_lab.balance.measures import SimulatedPlayer, note_gear
from gloam_lab.balance.observer import Observer
from gloam_lab.balance.run_stats import RunStats
from gloam_lab.bots.adventurer import Adventurer
from gloam_server.world.model.creature import new_creature
from gloam_server.world.model.events import (
    CreatureDied,
    DamageDealt,
    ExperienceGained,
    LevelGained,
    Narration,
)
from gloam_server.world.transition.dungeon import new_dungeon
from gloam_shared.protocol.commands import Fire, Move, Throw, Wield
from support.content.behavior_campaigns import caves
from support.content.campaigns import arena, shipped
from support.scenarios.scenario import Scenario, kinds

ANN, BERT, RAT, ORC = 1, 2, 3, 4


def witness(**levels: int) -> tuple[Observer, RunStats]:
    """Return a witness who knows two players and two monsters, of level 1 by default."""
    stats, kinds = RunStats(), arena().creatures
    sees = Observer(new_dungeon(arena(), 1), stats)
    for number, name in ((ANN, "ann"), (BERT, "bert"), (RAT, "rat"), (ORC, "orc")):
        player = number in (ANN, BERT)
        body = new_creature(kinds["human" if player else "kobold"], number, account=number if player else 0)
        body.level, body.hp_max = levels.get(name, 1), 20
        sees.learn(body)
    return sees, stats


def strike(sees: Observer, *pairs: tuple[int, int]) -> None:
    """Let creatures attack others and take 5 points of health, in this order."""
    for attacker, victim in pairs:
        sees.record_event(DamageDealt(victim, 5, "attack", attacker))


def test_monster_equals_felled_tells_many_blows() -> None:
    """A monster that equals felled tells how many blows it took."""
    sees, stats = witness()
    strike(sees, (ANN, RAT), (BERT, RAT), (ANN, RAT))
    sees.record_event(CreatureDied(RAT, ANN))
    assert (stats.bands[0].dealt, stats.bands[0].felled) == (3, 1)


def test_got_away_or_struck() -> None:
    """A victim who got away or was struck by someone stronger tells nothing."""
    sees, stats = witness(bert=2)
    strike(sees, (ANN, ORC), (ANN, ORC), (ANN, RAT), (BERT, RAT), (ANN, RAT))
    sees.record_event(CreatureDied(RAT, ANN))
    assert (stats.bands[0].dealt, stats.bands[0].felled, stats.felled_by_players) == (0, 0, 1)


def test_blows_equals_tell_part_players_health() -> None:
    """Blows of equals tell what part of a players health they take."""
    sees, stats = witness(orc=3)
    strike(sees, (RAT, ANN), (RAT, BERT), (ORC, ANN))
    assert (stats.bands[0].taken, stats.bands[0].lost) == (2, 500)


def test_what_a_spell_or_poison_takes_is_no_blow() -> None:
    sees, stats = witness()
    sees.record_event(DamageDealt(ANN, 5, "spell", RAT))
    sees.record_event(DamageDealt(ANN, 5, "gradual", RAT))
    assert stats.bands[0].taken == 0


@pytest.mark.parametrize(("turns", "counted"), [(10, 1), (11, 0)])
def test_deaths_soon_after_ground_hurt_have_it_in_them(turns: int, counted: int) -> None:
    """Within ten own turns of the dead, with or without a last blow by a creature."""
    sees, stats = witness()
    for victim in (ANN, RAT):
        sees.record_event(DamageDealt(victim, 2, "surface", turn=30))
        sees.record_event(DamageDealt(victim, 9, "attack", ORC, turn=30 + turns))
    sees.record_event(CreatureDied(ANN, ORC))
    sees.record_event(CreatureDied(RAT))
    assert (stats.ground.players, stats.ground.foes) == (counted, counted)


@pytest.mark.parametrize(("turns", "counted"), [(10, 1), (11, 0)])
def test_deaths_soon_after_ground_held_have_it_in_them(turns: int, counted: int) -> None:
    """A web that an action went into is ground in a death, also if that action was the last."""
    sees, stats = witness()
    for victim in (ANN, RAT):
        sees.record_event(DamageDealt(victim, 2, "attack", ORC, turn=30))
        sees.record_event(Narration("tears_free", 5, victim, source="a web"))
        sees.record_event(DamageDealt(victim, 9, "attack", ORC, turn=30 + turns))
    sees.record_event(CreatureDied(ANN, ORC))
    sees.record_event(CreatureDied(RAT))
    assert (stats.ground.players, stats.ground.foes) == (counted, counted)


def heard(scenario: Scenario) -> RunStats:
    """Return what a witness writes down of the last input of a scenario."""
    stats = RunStats()
    sees = Observer(new_dungeon(scenario.level.campaign, 1), stats)
    for body in scenario.named.values():
        sees.learn(body)
    for event in scenario.events:
        sees.record_event(event)
    return stats


def landed(command: Throw | Fire | Move, thing: str, victim: str) -> tuple[RunStats, list[str]]:
    """Return the stats of a player's first blow that kills an equal outright, and the kinds of what happened."""
    for seed in range(80):
        scenario = Scenario("1z..", campaign=caves(), seed=seed, z=victim)
        [item] = scenario.give("1", thing)
        scenario.wield("1", item.number if isinstance(command, Fire) else 0)
        scenario["z"].hp, scenario["z"].energy, scenario["z"].speed = 1, 0, 50
        events = scenario.turn(("1", command))
        if "kills" in kinds(events):
            return heard(scenario), kinds(events)
    raise AssertionError("no blow of eighty killed")


@pytest.mark.parametrize(
    ("command", "thing", "kind"),
    [(Throw(0, 1), "dagger", "throws_at"), (Fire(1), "bow", "shoots"), (Move(1, 0), "rock", "strikes")],
    ids=["thrown", "shot", "struck"],
)
def test_missile_fells_equal_blow_kills(command: Throw | Fire | Move, thing: str, kind: str) -> None:
    """A missile that fells an equal is a blow that kills."""
    stats, happened = landed(command, thing, "bat")
    assert kind in happened
    assert (stats.bands[0].dealt, stats.bands[0].felled) == (1, 1)


def test_what_a_monster_spits_is_a_blow_that_counts() -> None:
    for seed in range(80):
        scenario = Scenario("1..c", campaign=shipped("gloam"), seed=seed, c="archer")
        scenario["1"].level, scenario["c"].energy = scenario["c"].level, 1_000
        events = scenario.turn(("1", None))
        stats = heard(scenario)
        if "spits" in kinds(events) and any(event.amount for event in events if event.kind == "spits"):
            assert (stats.bands[0].taken, stats.bands[0].lost > 0) == (1, True)
            return
    raise AssertionError("nothing was spat in eighty turns")


def test_several_levels_at_once_count_alike() -> None:
    """Several levels together count alike recorded once or once for each."""
    for levels in ([3], [2, 3]):
        sees, stats = witness()
        sees.record_event(ExperienceGained(RAT, 60, ANN))
        for level in levels:
            sees.record_event(LevelGained(RAT, level))
        assert (stats.learned, stats.rise) == (2, 2)


def test_level_potion_brings_no_level_gained_kill() -> None:
    """A level that a potion brings is no level gained by a kill."""
    sees, stats = witness()
    sees.record_event(ExperienceGained(RAT, 5, ANN))
    sees.record_event(ExperienceGained(RAT, 60))
    sees.record_event(LevelGained(RAT, 2))
    assert stats.learned == 0


def test_gear_that_a_kit_brought_is_no_choice() -> None:
    scenario, stats = Scenario("#1.#", campaign=shipped("gloam")), RunStats()
    body, player = scenario["1"], SimulatedPlayer(1, "Ann", Adventurer())
    found, brought = scenario.give("1", "dagger", "sling")
    brought.bound = body.number
    for item in (found, found, brought):
        note_gear(stats, player, body, Wield(body.slots.index(item)))
    assert stats.choices.first.gear == 1
    assert player.tried == {"dagger"}
