"""Habits of weapons, one scenario each, for players and for monsters (rule F113)."""

import pytest

from gloam_server.views.texts.power_words import power_words
from gloam_server.world.model.events import DamageDealt
from gloam_shared.protocol.commands import Fire, Wait
from support.content.shipped_files import campaign
from support.scenarios.scenario import E, Scenario, facts, read_events

GLOAM = campaign("gloam")
MUCH = 4_000


def armed(drawing: str, weapon: str, *, by: str = "1", foes: str = "") -> Scenario:
    """Return a scenario in which `by` wields a weapon, and everyone has much health; `foes` sleep."""
    scenario = Scenario(drawing, campaign=GLOAM, o="orc", p="ogre", q="troll")
    (item,) = scenario.give(by, weapon)
    scenario.wield(by, item.number)
    for name in scenario.named:
        scenario.set_health(name, hp=MUCH, hp_max=MUCH)
    for name in foes:
        scenario.put_to_sleep(name, 5_000)
    return scenario


def struck(scenario: Scenario, by: str = "1") -> list[int]:
    """Return the victims of the last input, a victim for each blow that harmed."""
    return [
        dealt.victim
        for dealt in facts(scenario.events, DamageDealt)
        if dealt.amount and dealt.attacker == scenario[by].number
    ]


@pytest.mark.rule("F113")
@pytest.mark.parametrize("weapon", ["spear", "staff", "glaive"])
def test_reach_strikes_two_cells_away(weapon: str) -> None:
    scenario = armed("#1.p.q#", weapon, foes="pq")
    scenario.turn(("1", Fire(scenario["p"].cell)))
    assert struck(scenario) == [scenario["p"].number]
    lines = read_events(scenario.turn(("1", Fire(scenario["q"].cell))), scenario["1"])
    assert lines[0] == "You are on guard: That is too far away."


@pytest.mark.rule("F113")
def test_reach_does_not_pass_a_wall() -> None:
    scenario = armed("#1#p#", "spear", foes="p")
    scenario.turn(("1", Fire(scenario["p"].cell)))
    assert struck(scenario) == []


@pytest.mark.rule("F113")
def test_monster_with_reach_strikes_from_afar() -> None:
    scenario = armed("#o.1..#", "spear", by="o")
    for _ in range(6):
        scenario.turn(("1", Wait()))
        if struck(scenario, "o"):
            break
    assert struck(scenario, "o") == [scenario["1"].number]
    assert scenario.where("o") == (1, 0)


@pytest.mark.rule("F113")
@pytest.mark.parametrize("weapon", ["long_sword", "great_axe"])
def test_sweep_strikes_all_foes_beside_one(weapon: str) -> None:
    """A sweep strikes all foes beside the attacker, but no sleeper, and none at a distance."""
    scenario = armed("#oop.#\n#.1q.#\n#...k#".replace("k", "."), weapon, foes="q")
    orc = scenario["o"].number
    hit: set[int] = set()
    for _ in range(8):
        scenario.turn(("1", Fire(0)))
        scenario.go("1", (1, -1))
        hit |= set(struck(scenario))
    assert scenario["p"].number in hit
    assert orc in hit
    assert scenario["q"].number not in hit


@pytest.mark.rule("F113")
@pytest.mark.parametrize("weapon", ["club", "mace"])
def test_stun_takes_an_action_from_its_victim(weapon: str) -> None:
    scenario = armed("#1p..#", weapon)
    scenario.set_stats("p", attack=0)
    for _ in range(60):
        lines = read_events(scenario.go("1", E), scenario["1"])
        assert scenario["p"].energy >= -1_000
        if "You stun the ogre." in lines:
            return
    raise AssertionError("no blow stunned")


@pytest.mark.rule("F113")
@pytest.mark.parametrize("weapon", ["dagger", "short_sword", "rune_blade", "flamebrand"])
def test_quick_strikes_twice_by_chance(weapon: str) -> None:
    scenario = armed("#1p..#", weapon, foes="p")
    blows = []
    for _ in range(60):
        scenario.put_to_sleep("p", 5_000)
        scenario.go("1", E)
        blows.append(len(struck(scenario)))
    assert set(blows) == {1, 2}
    assert 2 <= blows.count(2) <= 25


@pytest.mark.rule("F113")
@pytest.mark.parametrize("weapon", ["war_hammer", "star_sword"])
def test_heavy_blows_cost_more_than_an_action(weapon: str) -> None:
    scenario = armed("#1p..#", weapon, foes="p")
    turns = 0
    for _ in range(40):
        scenario.put_to_sleep("p", 5_000)
        scenario.go("1", E)
        turns += bool(struck(scenario))
    [heavy] = [power for power in GLOAM.items[weapon].powers if power.does == "heavy"]
    assert turns == 40 * 100 // (100 + heavy.amount)
    assert power_words(heavy, "you") == "Blows are 35 % stronger, and take 35 % longer."


@pytest.mark.rule("F113")
def test_monster_has_the_habit_of_its_weapon() -> None:
    scenario = armed("#1o2#".replace("2", ".") + "\n#.2.#", "great_axe", by="o")
    hit: set[int] = set()
    for _ in range(6):
        scenario.turn(("1", Wait()), ("2", Wait()))
        hit |= set(struck(scenario, "o"))
    assert hit == {scenario["1"].number, scenario["2"].number}
