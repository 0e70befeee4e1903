"""Light and dark: what is seen where not everything is lit, and from how far (issue: places are lit or dark)."""

from gloam_server.world.combat.hostility import is_held
from gloam_shared.protocol.commands import Drop, Wait
from support.scenarios.scenario import E, Scenario, kinds

ROOM = "1..................."


def seen(scenario: Scenario, name: str = "1") -> list[int]:
    """Return the cells that a creature sees."""
    return [cell for cell, sees in enumerate(scenario.level.field_of_view(scenario[name])) if sees]


def test_in_a_lit_place_one_sees_as_far_as_ones_radius() -> None:
    assert seen(Scenario(ROOM)) == list(range(7))


def test_in_the_dark_one_sees_only_what_is_beside_one() -> None:
    assert seen(Scenario("....1....", dark=True)) == [3, 4, 5]


def test_dark_sees_lit_place_and_not_other_way() -> None:
    """From the dark one sees into a lit place and not the other way."""
    scenario = Scenario("1....2..", dark="xxx.....")
    assert seen(scenario, "1") == [0, 1, 3, 4, 5, 6]
    assert seen(scenario, "2") == [3, 4, 5, 6, 7]


def test_who_carries_a_torch_sees_by_it() -> None:
    scenario = Scenario("........1.......", dark=True)
    assert seen(scenario) == [7, 8, 9]
    scenario.give("1", "torch")
    assert seen(scenario) == list(range(5, 12))
    scenario.turn(("1", Drop(0)))
    assert seen(scenario) == [7, 8, 9]


def test_bears_light_seen_beyond_onlookers_radius() -> None:
    """A player who bears a light is seen from beyond the onlookers' radius and so is what it lights."""
    scenario = Scenario("1.............2.....", dark=True)
    assert seen(scenario, "1") == [0, 1]
    scenario.give("2", "torch")
    assert seen(scenario, "1") == [0, 1, *range(11, 18)]
    assert scenario["1"].cell not in seen(scenario, "2")


def test_no_one_sees_farther() -> None:
    """No one sees farther than 20 cells in any light."""
    scenario = Scenario("1" + "." * 18 + "2....", dark=True)
    scenario.give("2", "torch")
    assert max(seen(scenario, "1")) == 20


def test_light_not_seen_walls_nor_shine() -> None:
    """A light is not seen through walls nor does it shine through them."""
    scenario = Scenario("1...#2...", dark=True)
    scenario.give("2", "torch")
    assert set(seen(scenario, "1")) <= {0, 1, 4}  # the face of the wall, at most


def test_creature_glows_lights_around() -> None:
    """A creature that glows lights what is around it."""
    scenario = Scenario("1........w....", dark=True, w="glowworm")
    assert seen(scenario) == [0, 1, *range(7, 12)]


def test_brazier_lights_around_and_no_way() -> None:
    """A brazier lights what is around it and is no way."""
    scenario = Scenario("1.........&.......", dark=True)
    assert seen(scenario) == [0, 1, *range(6, 15)]
    scenario = Scenario("#1&#")
    assert kinds(scenario.go("1", E)) == ["guards"]


def test_in_a_lit_place_a_light_adds_nothing() -> None:
    plain, lit = Scenario(ROOM), Scenario("1.........w........&", w="glowworm")
    assert seen(plain) == seen(lit)


def test_who_has_no_sight_sees_by_no_light() -> None:
    scenario = Scenario("..B..&", dark=True, B="bat")
    assert seen(scenario, "B") == [2]


def test_a_dark_foe_holds_no_one_until_it_strikes() -> None:
    """A foe in the dark holds no one until it strikes or is seen."""
    scenario = Scenario("1...S..", dark=True, S="statue")
    assert not is_held(scenario.level, scenario["1"])
    for _ in range(2):
        scenario.go("1", E)
    assert not is_held(scenario.level, scenario["1"])
    scenario.go("1", E)
    assert is_held(scenario.level, scenario["1"])


def test_hunter_dark_comes_bears_light() -> None:
    """A hunter in the dark attacks a player who bears a light."""
    scenario = Scenario("1.........k", dark=True, k="kobold")
    assert not scenario.level.field_of_view(scenario["k"])[0]
    scenario.give("1", "torch")
    assert scenario.level.field_of_view(scenario["k"])[0]
    before = scenario["k"].cell
    scenario.turn(("1", Wait()))
    assert scenario["k"].cell == before - 1


def test_light_goes_bearer_and_door_shuts() -> None:
    """A light goes with its bearer and a door shuts it in."""
    scenario = Scenario("1....2'......", dark=True)
    scenario.give("2", "torch")
    assert seen(scenario) == [0, 1, *range(2, 9)]
    scenario.go("2", E)
    assert seen(scenario) == [0, 1, *range(3, 10)]
    scenario.go("2", E)
    assert seen(scenario) == [0, 1, *range(4, 11)]


def test_lighting_a_place_up_shows_it_at_once() -> None:
    scenario = Scenario(ROOM, dark=True)
    scenario.level.make_bright(list(range(4)))
    assert seen(scenario) == [0, 1, 2, 3]
    scenario.level.make_bright(list(range(20)))
    assert seen(scenario) == list(range(7))


def test_happens_dark_sight_not_reported() -> None:
    """Players read nothing about events in the dark out of sight."""
    scenario = Scenario("1....2+..", dark=True)
    events = scenario.go("2", E)
    assert [event.witnesses for event in events] == [(scenario["2"].number,)]
    scenario = Scenario("1....2+..")
    events = scenario.go("2", E)
    assert [event.witnesses for event in events] == [(scenario["1"].number, scenario["2"].number)]
