"""Doors: opened by walking into them, closed by hand, in the way of sight and of creatures that do not open them."""

import pytest

from gloam_server.world import actions
from gloam_server.world.model.outcome import Impossible
from gloam_server.world.population.starting_gear import disguise_as_item
from gloam_shared.appearance import Terrain
from gloam_shared.protocol.commands import Close, Move, Wait
from support.content.campaigns import arena
from support.scenarios.scenario import E, N, Scenario, W, kinds, read_events

CLOSED, OPEN = Terrain.DOOR_CLOSED, Terrain.DOOR_OPEN


@pytest.mark.rule("A59")
def test_walking_into_a_door_opens_it() -> None:
    """Walking into a closed door opens it, and that takes the turn."""
    scenario = Scenario("#1+..#")
    events = scenario.go("1", E)
    assert read_events(events, scenario["1"]) == ["You open the door."]
    assert scenario.level.terrain[2] == OPEN
    assert (scenario.where("1"), scenario["1"].actions) == ((1, 0), 1)
    scenario.go("1", E)
    assert scenario.where("1") == (2, 0)


@pytest.mark.rule("A59")
def test_closing_a_door_takes_the_turn() -> None:
    scenario = Scenario("#1'.#")
    events = scenario.turn(("1", Close(*E)))
    assert read_events(events, scenario["1"]) == ["You close the door."]
    assert scenario.level.terrain[2] == CLOSED
    assert scenario["1"].actions == 1


@pytest.mark.rule("A58")
def test_door_no_owner_anybody_opens_another() -> None:
    """A door has no owner anybody opens what another closed."""
    scenario = Scenario("#1'2#")
    scenario.turn(("1", Close(*E)))
    scenario.go("2", W)
    assert scenario.level.terrain[2] == OPEN
    scenario.turn(("2", Close(*W)))
    assert scenario.level.terrain[2] == CLOSED


def test_closed_door_blocks_sight_and_open() -> None:
    """A closed door blocks sight and an open one does not."""
    scenario = Scenario("#1+.2#")
    one, other = scenario["1"], scenario["2"]
    assert not scenario.level.field_of_view(one)[other.cell]
    scenario.go("1", E)
    assert scenario.level.field_of_view(one)[other.cell]
    assert scenario.level.field_of_view(other)[one.cell]
    scenario.turn(("1", Close(*E)))
    assert not scenario.level.field_of_view(one)[other.cell]


def test_sees_door_opened_reported() -> None:
    """Only players who see the door read that it opens."""
    scenario = Scenario(
        """
        #######
        #3#1+2#
        #######
        """
    )
    events = scenario.go("1", E)
    assert read_events(events, scenario["2"]) == ["Player1 opens a door."]
    assert read_events(events, scenario["3"]) == []


@pytest.mark.parametrize("way", [N, W, (0, 0), (1, 1)])
def test_where_no_open_door_is_none_is_closed(way: tuple[int, int]) -> None:
    scenario = Scenario("#####\n#1'.#\n#####")
    outcome = actions.plan(scenario.level, scenario["1"], Close(*way))
    assert outcome == Impossible("There is no open door there.", "no_door")


def test_a_closed_door_is_not_closed_again() -> None:
    scenario = Scenario("#1+.#")
    assert actions.plan(scenario.level, scenario["1"], Close(*E)) == Impossible(
        "There is no open door there.", "no_door"
    )


def test_a_door_is_not_closed_upon_anybody_or_anything() -> None:
    scenario = Scenario("#1'2#")
    scenario.go("2", W)
    outcome = actions.plan(scenario.level, scenario["1"], Close(*E))
    assert outcome == Impossible("Another creature stands in the doorway.", "occupied")
    scenario.go("2", E)
    scenario.lay("apple", 2)
    outcome = actions.plan(scenario.level, scenario["1"], Close(*E))
    assert outcome == Impossible("Something lies in the doorway.", "obstructed")
    assert scenario.level.terrain[2] == OPEN


def test_door_closed_upon_lies_wait_costs_turn() -> None:
    """A door that is closed on who lies in wait costs the turn and shows it."""
    scenario = Scenario("#1.'k.#", k="kobold")
    lurker = scenario["k"]
    scenario.level.move(lurker, 3)
    disguise_as_item(lurker)
    lurker.asleep = 9
    scenario.go("1", E)
    outcome = actions.plan(scenario.level, scenario["1"], Close(*E))
    assert not isinstance(outcome, Impossible)
    events = scenario.turn(("1", Close(*E)))
    assert read_events(events, scenario["1"]) == ["The kobold was lying in wait!"]
    assert scenario["1"].actions == 2
    assert (lurker.hidden, scenario.level.terrain[3]) == (False, OPEN)
    assert actions.plan(scenario.level, scenario["1"], Close(*E)) == Impossible(
        "Another creature stands in the doorway.", "occupied"
    )


def test_lies_lies_wait_reported() -> None:
    """The refusal does not name the creature that lies in wait in the doorway."""
    scenario = Scenario("#1'k.#", k="kobold")
    scenario.level.move(scenario["k"], 2)
    disguise_as_item(scenario["k"])
    scenario.lay("apple", 2)
    assert actions.plan(scenario.level, scenario["1"], Close(*E)) == Impossible(
        "Something lies in the doorway.", "obstructed"
    )


def test_four_way_campaign_no_door_closed() -> None:
    """In a four way campaign no door is closed diagonally."""
    drawing = "1.\n.'"
    assert isinstance(
        actions.plan(
            (four := Scenario(drawing, campaign=arena(movement="four"))).level, four["1"], Close(1, 1)
        ),
        Impossible,
    )
    eight = Scenario(drawing)
    assert not isinstance(actions.plan(eight.level, eight["1"], Close(1, 1)), Impossible)


def test_monster_opens_no_doors_neither_opens() -> None:
    """A monster that opens no doors neither opens nor closes them."""
    scenario = Scenario("#1.'k+.#", k="kobold")
    kobold = scenario["k"]
    assert actions.plan(scenario.level, kobold, Move(*E)) == Impossible(
        "There is no way through.", "cannot_open"
    )
    assert actions.plan(scenario.level, kobold, Close(*W)) == Impossible(
        "You cannot close doors.", "cannot_open"
    )


def test_way_opener_leads_closed_doors() -> None:
    """The way of an opener leads through closed doors and the way of others does not."""
    scenario = Scenario("#1+g.#.k+.#", g="goblin", k="kobold")
    assert scenario.level.is_passable(scenario["1"], 2)
    assert scenario.level.is_passable(scenario["g"], 2)
    assert not scenario.level.is_passable(scenario["k"], 8)


def test_opener_goes_after_prey() -> None:
    """The only way on foot leads through the door; sight goes over the water."""
    drawing = """
        ########
        #1~~~~~#
        #.~~~~x#
        #..+...#
        ########
        """
    scenario = Scenario(drawing, x="goblin")
    scenario.set_health("1", hp=10_000, hp_max=10_000)
    seen = [kind for _ in range(12) for kind in kinds(scenario.turn(("1", Wait())))]
    assert "opens" in seen
    assert "strikes" in seen
    scenario = Scenario(drawing, x="kobold")
    seen = [kind for _ in range(12) for kind in kinds(scenario.turn(("1", Wait())))]
    assert seen == []


@pytest.mark.rule("F10")
def test_an_unseen_change_of_a_door_is_not_known() -> None:
    """A door that changed out of sight is remembered as it was."""
    scenario = Scenario(
        """
        #########
        #1..+..2#
        #.#######
        #.......#
        #########
        """
    )
    level, door = scenario.level, 9 + 4
    for way in ((0, 1), (0, 1), E, E, E):
        scenario.go("1", way)
    assert not level.field_of_view(scenario["1"])[door]
    for _ in range(3):
        scenario.go("2", W)
    assert level.terrain[door] == OPEN
    assert level.memory[scenario["1"].number][door] == CLOSED
    for way in (W, W, W, (0, -1), (0, -1)):
        scenario.go("1", way)
    assert level.memory[scenario["1"].number][door] == OPEN
