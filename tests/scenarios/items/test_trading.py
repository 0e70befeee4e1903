"""Trades: two players beside each other confirm exactly the same offer, and both sides change hands (rule F95)."""

import pytest

from gloam_server.views.trade_view import trade_state
from gloam_server.world.model.inputs import FreeAction, Leave, Remove
from gloam_server.world.model.outcome import Impossible
from gloam_server.world.trading.trades import plan_offer
from gloam_server.world.transition.serialization import deserialize_level, serialize_level
from gloam_shared.narration.rendering import inventory_name
from gloam_shared.protocol import commands
from gloam_shared.protocol.messages.trade import NO_TRADE, TradeState
from support.content.campaigns import shipped
from support.scenarios.scenario import Scenario, narrations, read_events

pytestmark = pytest.mark.rule("F95")


def handle(scenario: Scenario, name: str) -> int:
    return scenario.level.handles[scenario[name].number]


def say(scenario: Scenario, name: str, command: commands.FreeCommand, number: int = 7) -> list[str]:
    """Let a player say something in a trade; return what they read of it."""
    result = scenario.apply(FreeAction(scenario[name].number, number, command))
    return read_events(narrations(result.events), scenario[name])


def offer(scenario: Scenario, name: str, other: str, *pairs: int) -> list[str]:
    return say(scenario, name, commands.OfferTrade(handle(scenario, other), pairs))


def confirm(scenario: Scenario, name: str, revision: int | None = None) -> list[str]:
    shown = seen(scenario, name)
    return say(
        scenario, name, commands.ConfirmTrade(shown.handle, shown.revision if revision is None else revision)
    )


def seen(scenario: Scenario, name: str) -> TradeState:
    return trade_state(scenario.level, scenario[name])


def refusal(scenario: Scenario, name: str, other: str, *pairs: int) -> str:
    planned = plan_offer(scenario.level, scenario[name], commands.OfferTrade(handle(scenario, other), pairs))
    assert isinstance(planned, Impossible)
    return f"{planned.reason}: {planned.text}"


def pair(drawing: str = "#12.3#") -> Scenario:
    """Return two players beside each other: the first has an apple and a rock, the second a sword."""
    scenario = Scenario(drawing)
    scenario.give("1", "apple", "rock")
    scenario.give("2", "sword")
    return scenario


def agreed(scenario: Scenario) -> None:
    """Let the first offer the apple for the second's sword, and confirm."""
    offer(scenario, "1", "2", 0, 1)
    offer(scenario, "2", "1", 0, 1)
    confirm(scenario, "1")


def test_both_confirm_and_both_sides_change_hands() -> None:
    scenario = pair()
    agreed(scenario)
    assert (scenario.names("1"), scenario.names("2")) == (["a apple", "b rock"], ["a sword"])
    confirm(scenario, "2")
    assert (scenario.names("1"), scenario.names("2")) == (["a sword", "b rock"], ["a apple"])
    assert seen(scenario, "1") == seen(scenario, "2") == NO_TRADE


def test_each_reads_what_they_gave_and_got() -> None:
    scenario = pair()
    agreed(scenario)
    mine = confirm(scenario, "2")
    events = narrations(scenario.events)
    assert mine == ["You trade with Player1.", "You give a sword and get an apple."]
    assert read_events(events, scenario["1"]) == [
        "You trade with Player2.",
        "You give an apple and get a sword.",
    ]
    assert read_events(events, scenario["3"]) == ["Player2 trades with Player1."]


def test_it_costs_neither_time_nor_food() -> None:
    scenario = pair()
    before = [(body.actions, body.energy, body.food) for body in scenario.level.players()]
    agreed(scenario)
    confirm(scenario, "2")
    assert [(body.actions, body.energy, body.food) for body in scenario.level.players()] == before


def test_each_sees_both_sides_and_who_confirmed() -> None:
    scenario = pair()
    offer(scenario, "1", "2", 0, 1)
    asked = seen(scenario, "2")
    assert (asked.name, asked.asked, asked.answered) == ("Player1", True, False)
    assert [inventory_name(thing) for thing in asked.gets] == ["apple"]
    offer(scenario, "2", "1", 0, 1)
    confirm(scenario, "1")
    mine, theirs = seen(scenario, "1"), seen(scenario, "2")
    assert (mine.answered, mine.confirmed, mine.other_confirmed) == (True, True, False)
    assert (theirs.confirmed, theirs.other_confirmed) == (False, True)
    assert (mine.gives, mine.gets) == (theirs.gets, theirs.gives)


def test_a_changed_offer_clears_both_confirmations() -> None:
    scenario = pair()
    agreed(scenario)
    old = seen(scenario, "1").revision
    offer(scenario, "2", "1")
    assert (seen(scenario, "1").confirmed, seen(scenario, "1").gets) == (False, ())
    words = confirm(scenario, "2", old)
    assert words == ["That offer is gone: it has changed since. Look at it and confirm again."]
    assert scenario.names("2") == ["a sword"]


def test_the_same_offer_again_changes_nothing() -> None:
    scenario = pair()
    agreed(scenario)
    before = seen(scenario, "1")
    offer(scenario, "2", "1", 0, 1)
    assert seen(scenario, "1") == before


def test_a_gift_needs_no_offer_in_return() -> None:
    scenario = pair()
    offer(scenario, "1", "2", 0, 1, 1, 1)
    confirm(scenario, "2")
    assert confirm(scenario, "1")[1] == "You give an apple and a rock."
    assert scenario.names("2") == ["a sword", "b apple", "c rock"]


def test_nothing_for_nothing_is_not_confirmed() -> None:
    scenario = pair()
    offer(scenario, "1", "2")
    assert confirm(scenario, "2") == ["Nothing is offered yet: there is nothing to confirm."]


@pytest.mark.rule("A45")
def test_an_item_that_was_used_is_no_longer_offered() -> None:
    """A45: what an offer named is gone: no confirmation holds any more, and nothing is there twice."""
    scenario = Scenario("#12#", campaign=shipped("rltut"))
    scenario.give("1", "health_potion")
    scenario.give("2", "dagger")
    scenario.set_health("1", hp=1)
    agreed(scenario)
    old = seen(scenario, "2").revision
    scenario.turn(("1", commands.Quaff(0)))
    assert (seen(scenario, "2").gets, seen(scenario, "2").other_confirmed) == ((), False)
    assert confirm(scenario, "2", old) == [
        "That offer is gone: it has changed since. Look at it and confirm again."
    ]
    assert (scenario.names("1"), scenario.names("2")) == ([], ["a dagger"])


@pytest.mark.rule("A45")
def test_an_item_that_is_taken_in_hand_leaves_it() -> None:
    scenario = pair()
    agreed(scenario)
    words = read_events(scenario.turn(("2", commands.Wield(0))), scenario["1"])
    assert "An item of the offer is gone: look at the trade again." in words
    assert seen(scenario, "1").gets == ()


def test_full_packs_swap_but_take_no_more() -> None:
    scenario = Scenario("#12#")
    scenario.give("1", *["apple"] * 10)
    scenario.give("2", *["rock"] * 10)
    offer(scenario, "1", "2", 0, 1, 1, 1)
    offer(scenario, "2", "1", 0, 1)
    assert confirm(scenario, "1") == ["Player2 has no room for all that you would give."]
    assert confirm(scenario, "2") == ["You have no room for all that you would get."]
    offer(scenario, "1", "2", 0, 1)
    confirm(scenario, "1")
    confirm(scenario, "2")
    assert scenario.names("1")[:2] == ["a rock", "b apple"]
    assert scenario.names("2")[:2] == ["a apple", "b rock"]


def test_a_pack_that_fills_up_meanwhile_refuses() -> None:
    scenario = Scenario("#12#")
    scenario.give("1", "apple", "apple")
    scenario.give("2", *["rock"] * 8)
    offer(scenario, "1", "2", 0, 1, 1, 1)
    confirm(scenario, "1")
    scenario.lay("rock", 2)
    scenario.turn(("2", commands.PickUp()))
    assert confirm(scenario, "2") == ["You have no room for all that you would get."]
    assert len(scenario["2"].carried) == 9


def test_of_a_stack_a_number_changes_hands() -> None:
    scenario = Scenario("#12#", campaign=shipped("gloam"))
    for x in (1, 1, 1, 2):
        scenario.lay("ration", x)
    scenario.turn(("1", commands.PickUp()))
    scenario.turn(("2", commands.PickUp()))
    assert refusal(scenario, "1", "2", 0, 4) == "gone: You no longer carry that much of it."
    offer(scenario, "1", "2", 0, 2)
    assert [inventory_name(thing) for thing in seen(scenario, "2").gets] == ["2 rations"]
    confirm(scenario, "2")
    assert confirm(scenario, "1")[1] == "You give 2 rations."
    assert [inventory_name(thing) for thing in scenario.view("1").inventory] == ["ration"]
    assert [inventory_name(thing) for thing in scenario.view("2").inventory] == ["3 rations"]


@pytest.mark.rule("A64")
def test_what_is_bound_or_in_use_is_not_offered() -> None:
    scenario = pair()
    scenario["1"].carried[0].bound = scenario["1"].number
    scenario.wield("2", scenario["2"].carried[0].number)
    assert refusal(scenario, "1", "2", 0, 1) == "bound: That is bound to your life; you cannot trade it away."
    assert refusal(scenario, "2", "1", 0, 1) == "already: That is in use; take it off first."


@pytest.mark.rule("A64")
def test_a_ring_that_is_put_on_is_not_offered() -> None:
    gloam = shipped("gloam")
    ring = next(kind.key for kind in gloam.items.values() if kind.carries)
    scenario = Scenario("#12.3#", campaign=gloam)
    put_on, _ = scenario.give("1", ring, "rock")
    scenario["1"].ring = put_on.number
    assert refusal(scenario, "1", "2", 0, 1) == "already: That is in use; take it off first."
    assert refusal(scenario, "1", "2", 1, 1, 0, 1) == "already: That is in use; take it off first."
    offer(scenario, "1", "2", 1, 1)
    assert seen(scenario, "1") != NO_TRADE


@pytest.mark.parametrize(
    "pairs", [(0,), (0, 0), (0, 1, 0, 1), (25, 1), (99, 1)], ids=["odd", "none", "twice", "empty", "no slot"]
)
def test_no_such_offer_can_be_made(pairs: tuple[int, ...]) -> None:
    assert refusal(pair(), "1", "2", *pairs).startswith("gone: ")


def test_far_hidden_and_hostile_ones_do_not_trade() -> None:
    scenario = pair("#12.3k#")
    words = {refusal(scenario, "1", name) for name in "13"}
    for one, other in ("12", "21"):
        scenario.apply(FreeAction(scenario[one].number, 0, commands.Duel(handle(scenario, other))))
    assert words == {refusal(scenario, "1", "2")} == {"gone: There is no player beside you to trade with."}


def test_a_foe_ends_a_trade_and_forbids_it() -> None:
    scenario = pair()
    agreed(scenario)
    rival = Scenario("#12k#", k="kobold")
    assert refusal(rival, "1", "2") == "foes_near: Not in a fight: get away from the foe first."
    for one, other in ("23", "32"):
        result = scenario.apply(FreeAction(scenario[one].number, 0, commands.Duel(handle(scenario, other))))
    assert seen(scenario, "1") == NO_TRADE
    assert "A foe is near: the trade is off." in read_events(narrations(result.events), scenario["1"])


@pytest.mark.parametrize("way", ["step", "leave", "removed"])
def test_who_goes_away_ends_the_trade(way: str) -> None:
    scenario = pair()
    agreed(scenario)
    number = scenario["2"].number
    if way == "step":
        scenario.turn(("2", commands.Move(1, 0)))
    else:
        scenario.apply(Leave(number) if way == "leave" else Remove(number, "removed", (9, 1, 0)))
    assert seen(scenario, "1") == NO_TRADE
    assert scenario.names("1") == ["a apple", "b rock"]


def test_one_word_ends_it_and_only_the_other_asks() -> None:
    scenario = pair()
    agreed(scenario)
    assert say(scenario, "2", commands.EndTrade()) == ["You end the trade."]
    assert read_events(narrations(scenario.events), scenario["1"]) == ["Player2 ends the trade."]
    assert refusal(scenario, "1", "2").startswith("turned_down: ")
    offer(scenario, "2", "1")
    assert seen(scenario, "1").asked
    say(scenario, "1", commands.EndTrade())
    scenario.turn(("2", commands.Move(1, 0)))
    scenario.turn(("2", commands.Move(-1, 0)))
    offer(scenario, "1", "2")
    assert seen(scenario, "2").asked


def test_a_cut_ends_it_and_forbids_nothing() -> None:
    scenario = pair()
    agreed(scenario)
    say(scenario, "1", commands.EndTrade(), number=0)
    words = read_events(narrations(scenario.events), scenario["2"])
    assert words == ["Player1 has lost the connection: the trade is off."]
    offer(scenario, "1", "2", 0, 1)
    assert seen(scenario, "2").asked


def test_a_player_has_one_trade_at_a_time() -> None:
    scenario = pair("#123#")
    offer(scenario, "1", "2")
    assert refusal(scenario, "1", "3").startswith("gone: ")  # out of reach
    assert refusal(scenario, "3", "2", 25, 1).startswith(
        "gone: "
    )  # a request that was not answered does not bar
    offer(scenario, "2", "1")
    assert refusal(scenario, "3", "2") == "trading: Player2 already trades with another player."
    assert refusal(scenario, "2", "3") == "trading: You already trade with another player."


def test_a_new_request_replaces_an_unanswered_one() -> None:
    scenario = pair("#123#")
    offer(scenario, "1", "2")
    offer(scenario, "3", "2")
    assert seen(scenario, "2").name == "Player3"
    assert seen(scenario, "1") == NO_TRADE


def test_a_saved_level_keeps_the_trade() -> None:
    scenario = pair()
    empty = serialize_level(scenario.level)
    agreed(scenario)
    level = deserialize_level(serialize_level(scenario.level), scenario.level.campaign, 1)
    assert trade_state(level, level.creatures[scenario["1"].number]) == seen(scenario, "1")
    assert b"trades" not in empty
    confirm(scenario, "2")
    assert b"trades" not in serialize_level(scenario.level)
