"""Gifts over the wire: a player takes them of their party, and of others after agreeing once (A84)."""

import pytest

from gloam_server.world.model.inputs import JoinParty
from gloam_shared.protocol.commands import ConfirmTrade, EndTrade, Give, OfferTrade
from gloam_shared.protocol.messages.chat import Ignore
from gloam_shared.protocol.messages.play import Answer
from gloam_shared.protocol.messages.trade import NO_TRADE, TradeState
from gloam_shared.view.view import Stat
from support.server.parties import SPACING_MS, actions, company, granted, threatened
from support.server.sim_server import SimClient, SimServer


def market(*kinds: str) -> tuple[SimServer, SimClient, SimClient]:
    """Return a server and two players beside each other, the first with items."""
    server, (anna, bert) = company("Anna", "Bert")
    for at, kind in enumerate(kinds, 1):
        granted(server, anna, kind, at)
    server.advance(SPACING_MS)
    return server, anna, bert


def gives(server: SimServer, giver: SimClient, taker: SimClient, slot: int = 0) -> str:
    """Give by a message that no check of a client has seen; return the reason of the refusal, "" for none."""
    number = giver.command_at_once(Give(slot, taker.view.fact(Stat.HANDLE)))
    server.advance(2 * SPACING_MS)
    refused = [each for each in giver.of_kind(Answer) if each.number == number]
    return refused[-1].reason or refused[-1].code if refused else ""


def shown(client: SimClient) -> TradeState:
    states: list[TradeState] = client.of_kind(TradeState)
    return states[-1] if states else NO_TRADE


def confirm(server: SimServer, *clients: SimClient) -> None:
    for client in clients:
        client.command(ConfirmTrade(shown(client).handle, shown(client).revision))
        server.advance(SPACING_MS)


def carried(server: SimServer, client: SimClient) -> list[str]:
    return [item.name for item in server.body(client).carried]


@pytest.mark.rule("A84", "F45")
def test_first_gift_is_offered_as_a_trade() -> None:
    server, anna, bert = market("apple", "sword", "rock")
    before = actions(server, anna)
    assert gives(server, anna, bert) == "asked"
    assert carried(server, bert) == []
    assert actions(server, anna) == before, "it costs no turn"
    assert (shown(bert).name, shown(bert).asked, len(shown(bert).gets)) == ("Anna", True, 1)
    assert gives(server, anna, bert, 1) == "trading", "the question is asked once"
    assert len(shown(bert).gets) == 1
    confirm(server, anna, bert)
    assert carried(server, bert) == ["apple"]
    assert gives(server, anna, bert, 1) == gives(server, anna, bert, 2) == ""
    assert carried(server, bert) == ["apple", "sword", "rock"]


@pytest.mark.rule("A84")
def test_flood_of_gifts_stops_at_a_refusal() -> None:
    """A player who declines is not asked again while they stand there, and their pack stays as it is."""
    server, anna, bert = market("apple", "sword", "rock")
    assert gives(server, anna, bert) == "asked"
    bert.command(EndTrade())
    server.advance(SPACING_MS)
    assert {gives(server, anna, bert, slot) for slot in (0, 1, 2)} == {"turned_down"}
    assert carried(server, bert) == []


@pytest.mark.rule("A84")
@pytest.mark.parametrize("how", ["ignore", "block"])
def test_ignoring_and_blocking_end_the_consent(how: str) -> None:
    server, anna, bert = market("apple", "sword")
    gives(server, anna, bert)
    confirm(server, anna, bert)
    bert.send(Ignore("Anna", how))  # type: ignore[arg-type]
    server.advance(SPACING_MS)
    assert gives(server, anna, bert, 1) == ("asked" if how == "ignore" else "trading")
    bert.send(Ignore("Anna", "hear"))
    bert.command(EndTrade())
    server.advance(SPACING_MS)
    assert carried(server, bert) == ["apple"]
    assert gives(server, anna, bert, 1) in ("asked", "turned_down"), "the consent does not come back"


@pytest.mark.rule("A84")
def test_blocked_giver_reads_that_the_other_is_cut_off() -> None:
    server, anna, bert = market("apple")
    bert.send(Ignore("Anna", "block"))
    server.advance(SPACING_MS)
    assert gives(server, anna, bert) == "trading"
    assert anna.of_kind(Answer)[-1].text == "Bert is cut off and cannot trade now."
    assert shown(bert) == NO_TRADE


def test_party_takes_gifts_unasked() -> None:
    server, anna, bert = market("apple")
    one, other = (server.body(client).account for client in (anna, bert))
    server.engine.loop.submit(0, JoinParty(one, "Anna", other, "Bert"))
    server.advance(SPACING_MS)
    assert gives(server, anna, bert) == ""
    assert carried(server, bert) == ["apple"]


def test_gift_or_offer_of_the_other_is_a_consent() -> None:
    server, anna, bert = market("apple", "sword")
    granted(server, bert, "rock", 9)
    server.advance(SPACING_MS)
    bert.command(OfferTrade(anna.view.fact(Stat.HANDLE), ()))
    bert.command(EndTrade())
    server.advance(SPACING_MS)
    assert gives(server, anna, bert) == ""
    assert gives(server, bert, anna) == "", "her gift is a consent, too"


@pytest.mark.parametrize("agreed", [False, True])
def test_gift_in_a_fight_needs_a_consent_from_before(agreed: bool) -> None:
    server, anna, bert = market("apple", "sword")
    if agreed:
        gives(server, anna, bert)
        confirm(server, anna, bert)
    threatened(server, anna, bert)
    assert gives(server, anna, bert, 1) == ("" if agreed else "foes_near")
    if not agreed:
        assert "be of one party" in anna.of_kind(Answer)[-1].text


@pytest.mark.by_hand
@pytest.mark.parametrize("agreed", [False, True])
def test_companion_takes_gifts_as_its_player_does(agreed: bool) -> None:
    server, anna, bert = market("apple", "sword")
    if agreed:
        gives(server, anna, bert)
        confirm(server, anna, bert)
    goblin = server.put("goblin", server.body(anna).cell)
    goblin.owner, goblin.ally = server.body(bert).number, True
    server.advance(SPACING_MS)
    number = anna.command_at_once(Give(1, server.level_of(anna).handles[goblin.number]))
    server.advance(3_000)
    refused = [each.text for each in anna.of_kind(Answer) if each.number == number]
    assert refused == (
        [] if agreed else ["Give it to its player: that companion takes things only of friends."]
    )
    assert [item.name for item in goblin.carried] == (["sword"] if agreed else [])
