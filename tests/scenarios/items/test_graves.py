"""The place where a life ended: the grave, what lies in it, and what goes with the life."""

import pytest

from gloam_server.world import actions
from gloam_server.world.actions import pickup
from gloam_server.world.model import inputs
from gloam_server.world.model.events import PlayerDied
from gloam_server.world.model.outcome import Impossible
from gloam_shared.protocol.commands import Drop, PickUp, Wait
from support.content.behavior_campaigns import caves
from support.content.campaigns import shipped
from support.scenarios.scenario import Scenario, read_events


def fallen(*things: str) -> tuple[Scenario, PlayerDied]:
    """Return a level where an ogre has killed player 1, who carried things."""
    return killed(Scenario("#.1O\n#...\n#2##", O="ogre"), *things)


def fallen_in_caves(*things: str) -> tuple[Scenario, PlayerDied]:
    """Return a level of rltut, where one thing lies on a cell, on which a goblin has killed player 1."""
    return killed(Scenario("#.1O\n#...\n#2##", campaign=caves(), O="goblin"), *things)


def killed(scenario: Scenario, *things: str) -> tuple[Scenario, PlayerDied]:
    """Let player 1 die with these things; the killer is gone."""
    scenario.give("1", *things)
    scenario.set_health("1", hp=1)
    result = scenario.apply(inputs.Turn((inputs.PlayerAction(scenario["1"].number, 1, Wait()),)))
    [life] = [output for output in result.outputs if isinstance(output, PlayerDied)]
    scenario.level.remove(scenario["O"])
    return scenario, life


@pytest.mark.rule("F33")
def test_grave_lies_life_ended_below_things() -> None:
    """The grave lies where the life ended below its things."""
    scenario, life = fallen("sword", "apple")
    names = [item.name for item in scenario.level.piles[life.cell]]
    assert names == ["grave of Player1", "sword", "apple", "Player1 corpse"]


def test_grave_tells_life_ended_campaign_says() -> None:
    """A grave tells how the life ended where the campaign says so."""
    scenario = Scenario("#.1O\n#...", campaign=shipped("gloam"), O="rat")
    scenario.set_health("1", hp=1)
    for _ in range(50):
        if scenario.alive("1"):
            scenario.apply(inputs.Turn((inputs.PlayerAction(scenario["1"].number, 1, Wait()),)))
    [grave] = [item.name for _, item in scenario.level.items_at() if item.kind == "grave"]
    assert grave == "grave of Player1, who was killed by a rat"


@pytest.mark.rule("F33")
def test_a_grave_cannot_be_picked_up_and_all_else_can() -> None:
    scenario, life = fallen("sword")
    level = scenario.level
    level.move(scenario["2"], life.cell)
    grave, sword, corpse = level.piles[life.cell]
    assert actions.plan(level, scenario["2"], PickUp()) == pickup.PickUp((sword.number, corpse.number))
    assert actions.plan(level, scenario["2"], PickUp((level.handles[grave.number],))) == Impossible(
        "That stays where it is: it cannot be picked up.", "fixed"
    )
    scenario.turn(("2", PickUp()))
    assert actions.plan(level, scenario["2"], PickUp()) == Impossible(
        "There is nothing here to pick up.", "not_here"
    )


@pytest.mark.rule("F33")
def test_monsters_have_no_graves() -> None:
    scenario = Scenario("#1k#", k="kobold")
    scenario.set_health("k", hp=1)
    for _ in range(9):
        scenario.turn(("1", None))
    assert all(item.kind != "grave" for _, item in scenario.level.items_at())


@pytest.mark.rule("F44")
def test_what_is_bound_to_a_life_goes_with_it() -> None:
    scenario = Scenario("#1O\n...\n2##", O="ogre")
    for item in scenario.give("1", "sword", "apple"):
        item.bound = scenario["1"].number
    scenario.turn(("1", Drop(1)), ("2", None))
    scenario.set_health("1", hp=1)
    scenario.turn(("1", Wait()), ("2", None))
    assert not scenario.alive("1")
    assert [item.kind for _, item in scenario.level.items_at()] == ["grave", "corpse"]


@pytest.mark.rule("F44")
def test_on_other_levels_it_crumbles_too() -> None:
    scenario = Scenario("#1.#")
    item = scenario.lay("sword", 2)
    item.bound = 77
    scenario.apply(inputs.Remove(77, "", (0, 3, 0)))
    assert list(scenario.level.items_at()) == []


@pytest.mark.rule("A64")
def test_what_is_bound_to_another_is_not_to_be_had() -> None:
    scenario = Scenario("#1.#")
    item = scenario.lay("sword", 1)
    item.bound = 77
    assert isinstance(actions.plan(scenario.level, scenario["1"], PickUp()), Impossible)
    named = PickUp((scenario.level.handles[item.number],))
    assert actions.plan(scenario.level, scenario["1"], named) == Impossible(
        "That is bound to another's life: only they can pick it up.", "bound"
    )
    item.bound = scenario["1"].number
    assert actions.plan(scenario.level, scenario["1"], PickUp()) == pickup.PickUp((item.number,))


def keepsake(sent: inputs.Output) -> inputs.GrantKeepsake:
    """Return the keepsake in an envelope."""
    assert isinstance(sent, inputs.Envelope)
    assert isinstance(sent.input, inputs.GrantKeepsake)
    return sent.input


def test_a_keepsake_leaves_the_grave_for_the_heir() -> None:
    scenario, life = fallen("sword", "apple")
    sword = life.remains[0].item
    result = scenario.apply(inputs.RequestKeepsake(sword, life.cell, 9_999, 1, (0, 7, 1)))
    [sent] = result.outputs
    assert isinstance(sent, inputs.Envelope)
    gift = keepsake(sent)
    assert gift.item is not None
    assert (gift.item.number, gift.heir, sent.to) == (sword, 9_999, 1)
    assert read_events(result.events, scenario["2"]) == ["The sword fades away: an heir has taken it."]
    scenario.apply(inputs.GrantKeepsake(scenario["2"].number, gift.item, (3, 1, 0)))
    assert scenario.names("2") == ["a sword"]


def test_keepsake_took_lost_heir() -> None:
    """A keepsake that someone took is lost to the heir."""
    scenario, life = fallen("sword")
    scenario.level.move(scenario["2"], life.cell)
    scenario.turn(("2", PickUp()))
    result = scenario.apply(inputs.RequestKeepsake(life.remains[0].item, life.cell, 9_999, 1, (0, 7, 1)))
    assert result.outputs == (inputs.Envelope(1, inputs.GrantKeepsake(9_999, None)),)
    told_of = scenario.apply(inputs.GrantKeepsake(scenario["2"].number, None, (3, 1, 0)))
    assert read_events(told_of.events, scenario["2"]) == [
        "Your keepsake is no longer in the grave: another player took it first."
    ]


def test_a_claim_and_a_gift_are_taken_once() -> None:
    scenario, life = fallen("sword", "apple")
    claims = [
        scenario.apply(inputs.RequestKeepsake(life.remains[0].item, life.cell, 5, 1, (0, 7, 1)))
        for _ in range(2)
    ]
    assert [len(each.outputs) for each in claims] == [1, 0]
    [sent] = claims[0].outputs
    gift = keepsake(sent)
    for _ in range(2):
        scenario.apply(inputs.GrantKeepsake(scenario["2"].number, gift.item, (3, 1, 0)))
    assert scenario.names("2") == ["a sword"]


def test_keepsake_without_room_lies_heirs_feet() -> None:
    """A keepsake without room for it lies at the heirs feet."""
    scenario, life = fallen("sword")
    scenario.give("2", *["rock"] * 10)
    [sent] = scenario.apply(inputs.RequestKeepsake(life.remains[0].item, life.cell, 5, 1, (0, 7, 1))).outputs
    gift = keepsake(sent)
    scenario.apply(inputs.GrantKeepsake(scenario["2"].number, gift.item, (3, 1, 0)))
    assert [item.name for item in scenario.level.piles[scenario["2"].cell]] == ["sword"]


@pytest.mark.rule("TG.17")
def test_items_lie_around_the_grave() -> None:
    """The items lie around the grave where a cell holds one item."""
    scenario, life = fallen_in_caves("sword", "apple")
    lying = {item.name: cell for cell, item in scenario.level.items_at()}
    assert lying.pop("grave of Player1, who was killed by a goblin") == life.cell
    assert set(lying) == {"sword", "apple", "Player1 corpse"}
    assert all(scenario.grid.distance(cell, life.cell) == 1 for cell in lying.values())
    assert len(set(lying.values())) == 3


@pytest.mark.rule("TG.17")
def test_a_grave_lies_where_the_life_ended() -> None:
    """A grave lies where the life ended, though an item lies there."""
    scenario = Scenario("#.1O\n#...\n#2##", campaign=caves(), O="goblin")
    rock = scenario.lay("rock", 2)
    scenario, life = killed(scenario, "sword")
    assert [item.name for item in scenario.level.piles[life.cell]] == [
        "rock",
        "grave of Player1, who was killed by a goblin",
    ]
    scenario.level.move(scenario["2"], life.cell)
    assert actions.plan(scenario.level, scenario["2"], PickUp()) == pickup.PickUp((rock.number,))


@pytest.mark.rule("TG.17")
def test_keepsake_found_though_things_spread() -> None:
    """Every keepsake is found though the things have spread."""
    for at in range(4):
        scenario, life = fallen_in_caves("sword", "apple", "rock", "tunic")
        asked = life.remains[at].item
        [sent] = scenario.apply(inputs.RequestKeepsake(asked, life.cell, 9_999, 1, (0, 7, 1))).outputs
        gift = keepsake(sent)
        assert gift.item is not None
        assert gift.item.number == asked
        assert asked not in [item.number for _, item in scenario.level.items_at()]


@pytest.mark.rule("TG.17")
def test_a_lost_keepsake_is_lost_to_the_heir() -> None:
    """A spread keepsake that another player took or that crumbled is lost to the heir."""
    scenario, life = fallen_in_caves("sword", "apple")
    sword, apple = (remnant.item for remnant in life.remains)
    [(cell, item)] = [(cell, item) for cell, item in scenario.level.items_at() if item.number == sword]
    scenario.level.move(scenario["2"], cell)
    scenario.turn(("2", PickUp()))
    assert item in scenario["2"].carried
    [(cell, item)] = [(cell, item) for cell, item in scenario.level.items_at() if item.number == apple]
    scenario.level.take_item(item, cell)
    for index, asked in enumerate((sword, apple)):
        result = scenario.apply(inputs.RequestKeepsake(asked, life.cell, 9_999, 1, (0, 7, index)))
        assert result.outputs == (inputs.Envelope(1, inputs.GrantKeepsake(9_999, None)),)


@pytest.mark.rule("F33")
def test_every_campaign_leaves_a_grave() -> None:
    """In every campaign a grave lies where a life ended, and stays."""
    for name in ("gloam", "jsrogue", "rltut", "ruggrogue"):
        assert shipped(name).items["grave"].fixed
