"""Trades over the wire: both see the offer, both confirm it, and no cut, crash or resend doubles or loses an item (A45)."""

import pytest

from gloam_server.world.model.inputs import FreeAction
from gloam_shared.narration.rendering import inventory_name, render_line
from gloam_shared.protocol.commands import ConfirmTrade, EndTrade, OfferTrade, Wield
from gloam_shared.protocol.messages.login import Error
from gloam_shared.protocol.messages.play import Answer
from gloam_shared.protocol.messages.trade import NO_TRADE, TradeState
from gloam_shared.view.view import Stat
from support.server.parties import SPACING_MS, actions, answers, company, granted, threatened, turn
from support.server.sim_server import SimClient, SimServer

pytestmark = pytest.mark.rule("F95")


def market(write_s: float = 0.0) -> tuple[SimServer, SimClient, SimClient]:
    """Return a server with two players beside each other: Anna has an apple, Bert a sword."""
    server, (anna, bert) = company("Anna", "Bert", write_s=write_s)
    granted(server, anna, "apple", 1)
    granted(server, bert, "sword", 2)
    server.advance(int(write_s * 8_000) + SPACING_MS)
    return server, anna, bert


def handle(client: SimClient) -> int:
    return client.view.fact(Stat.HANDLE)


def offer(server: SimServer, one: SimClient, other: SimClient, *pairs: int) -> int:
    number = one.command(OfferTrade(handle(other), pairs))
    server.advance(SPACING_MS)
    return number


def shown(client: SimClient) -> TradeState:
    """Return the newest trade that a client has got."""
    states: list[TradeState] = client.of_kind(TradeState)
    return states[-1] if states else NO_TRADE


def confirm(server: SimServer, client: SimClient) -> int:
    number = client.command(ConfirmTrade(shown(client).handle, shown(client).revision))
    server.advance(SPACING_MS)
    return number


def carried(server: SimServer, client: SimClient) -> list[str]:
    return [item.name for item in server.body(client).carried]


def offered(server: SimServer, anna: SimClient, bert: SimClient) -> None:
    """Let both offer what they have, and Anna confirm."""
    offer(server, anna, bert, 0, 1)
    offer(server, bert, anna, 0, 1)
    confirm(server, anna)


def test_two_trade_and_no_turn_passes() -> None:
    server, anna, bert = market()
    before = actions(server, anna), actions(server, bert)
    offered(server, anna, bert)
    number = confirm(server, bert)
    assert bert.link.done == number
    assert (carried(server, anna), carried(server, bert)) == (["sword"], ["apple"])
    assert [inventory_name(thing) for thing in anna.view.inventory] == ["sword"]
    assert shown(anna) == shown(bert) == NO_TRADE
    assert (actions(server, anna), actions(server, bert)) == before
    assert render_line(anna.view.log.lines[-1]) == "You give an apple and get a sword."


def test_each_is_told_of_every_change() -> None:
    server, anna, bert = market()
    offer(server, anna, bert, 0, 1)
    assert (shown(bert).name, shown(bert).asked) == ("Anna", True)
    assert (shown(anna).name, shown(anna).asked, shown(anna).answered) == ("Bert", False, False)
    offer(server, bert, anna)
    confirm(server, bert)
    assert (shown(anna).answered, shown(anna).other_confirmed) == (True, True)
    offer(server, anna, bert)
    assert not shown(bert).confirmed
    assert len(bert.of_kind(TradeState)) == 4


@pytest.mark.rule("A45")
def test_an_old_confirmation_is_refused_as_gone() -> None:
    server, anna, bert = market()
    offered(server, anna, bert)
    old = shown(bert)
    turn(server, anna, Wield(0))
    offer(server, anna, bert)
    bert.hear()
    number = bert.command(ConfirmTrade(old.handle, old.revision))
    server.advance(SPACING_MS)
    assert answers(bert) == [(number, "gone")]
    assert (carried(server, anna), carried(server, bert)) == (["apple"], ["sword"])


@pytest.mark.rule("A45")
@pytest.mark.parametrize("lost", [True, False], ids=["cut before it", "answer lost"])
def test_a_confirmation_sent_twice_counts_once(lost: bool) -> None:
    """A45: the line is cut in the middle of a confirmation, and the client sends it again over the next line."""
    server, anna, bert = market()
    offered(server, anna, bert)
    state = shown(bert)
    if lost:  # the bytes never arrive
        bert.link.command(ConfirmTrade(state.handle, state.revision), server.now_ms)
        bert.link.outgoing()
    else:  # they arrive, and the answer is lost
        bert.reading = False
        bert.command(ConfirmTrade(state.handle, state.revision))
        server.advance(SPACING_MS)
        bert.wire.sent.clear()
    bert.cut()
    bert.hear()
    bert.reading = True
    bert.dial()
    server.advance(SPACING_MS)
    given = [
        each
        for each in server.inputs(1)
        if isinstance(each, FreeAction) and isinstance(each.command, ConfirmTrade)
    ]
    exchanged = carried(server, anna) == ["sword"]
    assert exchanged is not lost
    assert sorted(carried(server, anna) + carried(server, bert)) == ["apple", "sword"]
    assert len(given) <= 2
    assert bert.link.unanswered is None
    assert shown(bert) == NO_TRADE


def test_a_cut_ends_the_trade_for_both() -> None:
    server, anna, bert = market()
    offered(server, anna, bert)
    bert.cut()
    server.advance(SPACING_MS)
    assert shown(anna) == NO_TRADE
    assert carried(server, anna) == ["apple"]


def test_a_second_login_ends_the_trade() -> None:
    """The first connection is still open for the server: the second one ends the trade as a cut does."""
    server, anna, bert = market()
    offered(server, anna, bert)
    bert.up = False
    bert.dial()
    server.advance(SPACING_MS)
    assert shown(anna) == NO_TRADE
    assert render_line(anna.view.log.lines[-1]) == "Bert has lost the connection: the trade is off."
    offer(server, bert, anna, 0, 1)
    assert shown(anna).asked


@pytest.mark.parametrize("moment", ["offered", "confirmed"])
def test_a_crash_keeps_every_item_once(moment: str) -> None:
    """A realm rebuilt from the journal has made the exchange, or has not."""
    server, anna, bert = market()
    offered(server, anna, bert)
    if moment == "confirmed":
        confirm(server, bert)
    again = server.again()
    packs = {body.name: [item.name for item in body.carried] for body in again.dungeon.levels[1].players()}
    swapped = {"Anna": ["sword"], "Bert": ["apple"]}
    assert packs == (swapped if moment == "confirmed" else {"Anna": ["apple"], "Bert": ["sword"]})
    assert again.dungeon.state_hash() == server.dungeon.state_hash()


def test_both_confirm_in_one_batch() -> None:
    """While one confirmation is being written, the other arrives: the exchange is one input, and happens once."""
    server, anna, bert = market(write_s=0.05)
    for one, other in ((anna, bert), (bert, anna)):
        offer(server, one, other, 0, 1)
        server.advance(400)
    for client in (anna, bert):
        client.command(ConfirmTrade(shown(client).handle, shown(client).revision))
    server.advance(800)
    assert (carried(server, anna), carried(server, bert)) == (["sword"], ["apple"])


def test_a_change_on_its_way_undoes_a_confirmation() -> None:
    """Both are accepted against the same offer; the change comes first, and the confirmation has nothing to confirm."""
    server, anna, bert = market(write_s=0.05)
    offer(server, anna, bert, 0, 1)
    server.advance(400)
    confirm(server, anna)
    server.advance(400)
    anna.link.command(OfferTrade(handle(bert), ()), server.now_ms)
    number = bert.link.command(ConfirmTrade(shown(bert).handle, shown(bert).revision), server.now_ms)
    server.settle()
    server.advance(800)
    assert (carried(server, anna), carried(server, bert)) == (["apple"], ["sword"])
    assert bert.link.done == number
    assert "That offer is gone" in render_line(bert.view.log.lines[-1])


def test_a_foe_ends_it_for_both() -> None:
    server, anna, bert = market()
    offered(server, anna, bert)
    threatened(server, anna, bert)
    assert shown(anna) == shown(bert) == NO_TRADE
    number = offer(server, anna, bert, 0, 1)
    refused = [each for each in anna.hear() if isinstance(each, Answer) and each.number == number]
    assert [(each.code, each.reason) for each in refused] == [("cannot", "foes_near")]


def test_who_cannot_answer_is_not_asked() -> None:
    """A client without the ability is not asked, and the asking player reads why."""
    server, (anna,) = company("Anna")
    bert = server.join("Bert", lacks="trade")
    server.advance(200)
    anna.hear()
    offer(server, anna, bert)
    [refused] = [each for each in anna.hear() if isinstance(each, Answer)]
    assert (refused.reason, refused.text) == (
        "trading",
        "Bert plays with an older client, which cannot trade.",
    )
    assert not bert.of_kind(TradeState)


@pytest.mark.parametrize(
    "command",
    [
        OfferTrade(70_000, ()),
        OfferTrade(1, (0, 100)),
        OfferTrade(1, (0, -1)),
        ConfirmTrade(1, 2**31),
        ConfirmTrade(1, -1),
    ],
    ids=["handle", "count", "negative", "revision", "before all"],
)
def test_numbers_beyond_their_bounds_are_refused(command: OfferTrade | ConfirmTrade) -> None:
    """The connection goes on, and the trade under way is as it was."""
    server, anna, bert = market()
    offered(server, anna, bert)
    before = shown(anna)
    anna.command_at_once(command)
    server.advance(SPACING_MS)
    assert [each.code for each in anna.of_kind(Error)] == ["range"]
    assert anna.up
    assert shown(anna) == before
    confirm(server, bert)
    assert carried(server, anna) == ["sword"]


@pytest.mark.parametrize("pairs", [(0,), (0, 0), (0, 1, 0, 1), (9, 9), (25, 1), (99, 99)])
def test_an_offer_of_what_is_not_there_is_refused(pairs: tuple[int, ...]) -> None:
    server, anna, bert = market()
    offer(server, anna, bert, 0, 1)
    before = shown(bert)
    anna.hear()
    number = offer(server, anna, bert, *pairs)
    assert answers(anna) == [(number, "gone")]
    assert shown(bert) == before


def test_no_trade_is_no_trade_to_end() -> None:
    server, anna, _ = market()
    anna.hear()
    number = anna.command(EndTrade())
    server.advance(SPACING_MS)
    assert answers(anna) == [(number, "gone")]
