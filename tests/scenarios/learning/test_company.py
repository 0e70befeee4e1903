"""Fair in company: who has a part in a kill, who is followed, what a duel teaches, and how many join (rule F69)."""

from itertools import pairwise

import pytest
from msgspec.structs import replace

from gloam_server.content.campaign import Campaign
from gloam_server.rules.dice import Dice
from gloam_server.world.combat.damage import apply_damage
from gloam_server.world.model.context import TurnContext
from gloam_server.world.model.events import ChangedLevel, ExperienceGained
from gloam_server.world.model.ids import REALM_PARTITION
from gloam_server.world.model.inputs import EnterPlay, PlayerAction, Turn
from gloam_server.world.transition.dungeon import new_dungeon, populate
from gloam_shared.appearance import Terrain
from gloam_shared.protocol.commands import Climb, Wait
from support.content.campaigns import arena, shipped, with_rules
from support.scenarios.scenario import Scenario, facts

GLOAM = shipped("gloam")


def slain(scenario: Scenario, victim: str, by: str) -> dict[str, int]:
    names = {body.number: name for name, body in scenario.named.items()}
    context = TurnContext(scenario.level, Dice(1, 1, 1))
    apply_damage(context, scenario[victim], 9_000, scenario[by], "")
    return {names[gain.creature]: gain.amount for gain in facts(context.events, ExperienceGained)}


@pytest.mark.rule("F35", "F69", "A61")
def test_who_only_looks_on_learns_nothing() -> None:
    scenario = Scenario("#1k.......2#", campaign=GLOAM, k="kobold")
    scenario.turn(("1", Wait()), ("2", Wait()))
    assert scenario.level.field_of_view(scenario["2"])[scenario["k"].cell]
    assert set(slain(scenario, "k", "1")) == {"1"}


@pytest.mark.rule("F35")
@pytest.mark.parametrize(("waited", "learns"), [(0, True), (18, True), (19, True), (20, False), (40, False)])
def test_who_was_within_reach_learns_for_twenty_turns(waited: int, learns: bool) -> None:
    """A player who was within its reach learns for twenty turns."""
    scenario = Scenario("#2k......1#", campaign=GLOAM, k="kobold")
    scenario.put_to_sleep("k", 0)
    scenario.set_health("2", hp=900, hp_max=900)
    scenario.turn(("1", Wait()), ("2", Wait()))
    assert scenario["2"].reached
    scenario.level.move(scenario["2"], scenario["1"].cell - 1)
    scenario.put_to_sleep("k", 900)
    scenario["2"].actions += waited
    assert ("2" in slain(scenario, "k", "1")) == learns


@pytest.mark.rule("F35")
def test_the_reach_of_a_shooter_is_its_shot() -> None:
    scenario = Scenario("#1.....a....2#", campaign=GLOAM, a="archer")
    scenario.turn(("1", Wait()), ("2", Wait()))
    assert set(scenario["1"].reached) == {scenario["a"].number}
    assert set(scenario["2"].reached) == {scenario["a"].number}


@pytest.mark.rule("F03", "F69")
def test_pursuer_beside_player_stays_with_that_player() -> None:
    """A pursuer beside a player stays with that player."""
    for drawing, follows in (("#1k2#", False), ("#1k.2#", True)):
        scenario = Scenario(drawing, campaign=GLOAM, k="kobold")
        scenario.level.dig(scenario["1"].cell, Terrain.STAIRS_DOWN)
        scenario.protect("2", 9)
        result = scenario.apply(Turn((PlayerAction(scenario["1"].number, 1, Climb(down=True)),)))
        gone = [output.creature.number for output in result.outputs if isinstance(output, ChangedLevel)]
        assert gone == [scenario["1"].number, *([scenario["k"].number] if follows else [])]


def duelling(campaign: Campaign) -> Scenario:
    scenario = Scenario("#12#", campaign=campaign)
    scenario["1"].consents.append(scenario["2"].number)
    scenario["2"].consents.append(scenario["1"].number)
    return scenario


@pytest.mark.rule("F13", "F35")
@pytest.mark.parametrize(("percent", "gained"), [(0, 0), (50, 5), (100, 10)])
def test_a_duel_teaches_its_winner_what_campaign_says(percent: int, gained: int) -> None:
    """A duel teaches its winner what the campaign says."""
    scenario = duelling(with_rules(GLOAM, "learning", duel_percent=percent))
    assert slain(scenario, "2", "1").get("1", 0) == gained


@pytest.mark.rule("F13")
def test_gloam_teaches_nothing_duels_classics_as_any() -> None:
    """Gloam teaches nothing by duels and the classics as by any kill."""
    percents = {key: shipped(key).learning.duel_percent for key in ("gloam", "jsrogue", "rltut", "ruggrogue")}
    assert percents == {"gloam": 0, "jsrogue": 100, "rltut": 100, "ruggrogue": 100}


@pytest.mark.rule("F35", "A59")
def test_player_hurt_another_learns_nothing_when() -> None:
    """A player who hurt another learns nothing when a monster ends it."""
    scenario = Scenario("#12k#", campaign=with_rules(arena(), "learning", duel_percent=100), k="ogre")
    scenario.owe("2", "1", 30)
    assert "1" not in slain(scenario, "2", "k")


@pytest.mark.rule("F41")
def test_creatures_come_with_each_of_eight_players() -> None:
    dungeon = new_dungeon(GLOAM, 3)
    populate(dungeon)
    counts = []
    for account in range(1, 9):
        dungeon.apply_input(REALM_PARTITION, EnterPlay(account, f"Player{account}"))
        counts.append(dungeon.levels[1].count_monsters())
    brought = dungeon.levels[1].level_kind.monsters_per_guest
    assert [after - before for before, after in pairwise(counts)] == [brought] * 7


@pytest.mark.rule("F41")
@pytest.mark.parametrize("key", sorted(GLOAM.levels))
def test_every_level_gloam_room_for_eight_players(key: str) -> None:
    """Every level of gloam has room for what eight players bring."""
    kind = GLOAM.levels[key]
    assert kind.creatures_max >= kind.monsters + 7 * kind.monsters_per_guest


@pytest.mark.rule("F08", "F69")
def test_players_do_not_count_for_bound_of_creatures() -> None:
    """Players do not count for the bound of creatures."""
    campaign = replace(
        GLOAM, levels={key: replace(kind, creatures_max=1) for key, kind in GLOAM.levels.items()}
    )
    scenario = Scenario("#123k#", campaign=campaign, k="kobold")
    assert scenario.level.is_full()
    scenario.level.remove(scenario["k"])
    assert not scenario.level.is_full()
