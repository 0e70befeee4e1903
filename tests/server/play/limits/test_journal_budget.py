"""The journal budget: what one player can let the server write, how all together are bounded, and who does not wait."""

from collections.abc import Callable

import pytest

from gloam_server.engine.player import Player
from gloam_shared import limits
from gloam_shared.appearance import Terrain
from gloam_shared.protocol.commands import Climb, OfferTrade, Rest, Wait
from gloam_shared.protocol.messages.lives import JoinFriend, NewLife
from gloam_shared.protocol.messages.login import Error, Goodbye
from gloam_shared.protocol.messages.parties import AnswerInvite, InviteToParty, SetPartyChoices
from gloam_shared.protocol.messages.play import Answer
from gloam_shared.protocol.registry import FromClient
from support.content.campaigns import shipped
from support.run.effort import effort
from support.server.journal_checks import written_bytes
from support.server.parties import SPACING_MS, actions, carrying, company, waiting_time
from support.server.sim_server import SimClient, SimServer

MINUTES = effort(plain=1, ci=4)
DEBT_S = 5


def bodied(server: SimServer, client: SimClient) -> None:
    """Give a body a full pack and great health, as after a long life: it is some 3 KB on each way to another level."""
    body = server.body(client)
    carrying(server, client, *["spear"] * body.slots.count(None))
    body.hp = body.hp_max = 1_000_000


def on_stairs(server: SimServer) -> SimClient:
    """Return a player with a long life, on stairs."""
    client = server.join("Hog")
    server.advance(200)
    server.walk_to(client, Terrain.STAIRS_DOWN)
    bodied(server, client)
    return client


def hour_of(server: SimServer, act: Callable[[], None], every_ms: int) -> int:
    """Let a player whose burst is spent act again and again for some minutes; return the bytes of an hour with the burst."""
    before = written_bytes(server)
    for client in server.clients:
        record_of(server, client).writing.left = 0
    for _ in range(MINUTES * 60_000 // every_ms):
        act()
        server.pass_time(every_ms)
    return (written_bytes(server) - before) * 60 // MINUTES + limits.JOURNAL_BURST


def stair_dancer() -> tuple[SimServer, Callable[[], None], int]:
    server = SimServer(campaign=shipped("gloam"), seed=2)
    client = on_stairs(server)

    def act() -> None:
        for creature in server.level_of(client).monsters():
            server.banish(creature, server.level_of(client).partition)
        client.command_at_once(Climb(down=server.level_of(client).partition == 1))

    return server, act, 100


def leaver() -> tuple[SimServer, Callable[[], None], int]:
    server = SimServer(campaign=shipped("gloam"), seed=2)
    clients = [on_stairs(server)]

    def act() -> None:
        clients[0].send(Goodbye())
        clients[0].cut()
        clients[0] = server.join("Hog")

    return server, act, 2_000


def offerer() -> tuple[SimServer, Callable[[], None], int]:
    server, (ann, bert) = company("Ann", "Bert")
    kinds = carrying(server, ann, *["sword"] * server.body(ann).slots.count(None))
    pairs = tuple(each for slot in range(len(kinds)) for each in (slot, 1))
    offers = [pairs, pairs[2:]]

    def act() -> None:
        offers.append(offers.pop(0))
        handle = server.level_of(ann).handles[server.body(bert).number]
        ann.command_at_once(OfferTrade(handle, offers[0]))

    return server, act, 60


def chooser() -> tuple[SimServer, Callable[[], None], int]:
    server, (ann, bert) = company("Ann", "Bert")
    ann.send(InviteToParty("Bert"))
    bert.send(AnswerInvite("Ann"))
    choices = [SetPartyChoices(shares=True, patience=1), SetPartyChoices(shares=False, patience=2)]

    def act() -> None:
        choices.append(choices.pop(0))
        ann.send(choices[0])

    return server, act, 60


def wisher() -> tuple[SimServer, Callable[[], None], int]:
    server, (ann, _) = company("Ann", "Bert")
    requests: list[FromClient] = [JoinFriend(1, None, "Bert"), NewLife(1), NewLife(0)]

    def act() -> None:
        requests.append(requests.pop(0))
        ann.send(requests[0])

    return server, act, 60


@pytest.mark.thorough
@pytest.mark.by_hand
@pytest.mark.parametrize("hostile", [stair_dancer, leaver, offerer, chooser, wisher])
@pytest.mark.rule("A82")
def test_one_player_writes_six_megabytes_an_hour(
    hostile: Callable[[], tuple[SimServer, Callable[[], None], int]], record_property: Callable[..., None]
) -> None:
    """By any messages: the burst, 64 KB a minute after it, and the one message that made the debt."""
    server, act, every_ms = hostile()
    size = hour_of(server, act, every_ms)
    record_property("bytes_an_hour", size)
    assert size <= 6_000_000


def record_of(server: SimServer, client: SimClient) -> Player:
    player = server.engine.players.by_account(client.connection.player)
    assert player is not None
    player.writing.spend(0, 0, server.now_ms)
    return player


def in_debt(server: SimServer, client: SimClient, seconds: int = DEBT_S) -> None:
    """Let a player have a debt that is paid after some seconds."""
    player = record_of(server, client)
    player.writing.left = -seconds * 1_000 * limits.JOURNAL_PER_MIN
    server.engine.budget.in_debt[player.account] = player
    client.hear()


def sentences(client: SimClient) -> list[str]:
    return [error.text for error in client.of_kind(Error) if error.code == "slow"]


def test_a_command_waits_for_the_debt() -> None:
    """One sentence says so; the command is carried out when the debt is paid, and then the next one immediately."""
    server, (ann, _) = company("Ann", "Bert")
    in_debt(server, ann)
    before = actions(server, ann)
    ann.command(Wait())
    server.advance(DEBT_S * 1_000 - 500)
    assert actions(server, ann) == before
    server.advance(1_000)
    assert actions(server, ann) == before + 1


def test_the_sentence_comes_once() -> None:
    server, (ann, _) = company("Ann", "Bert")
    record_of(server, ann).writing.left = 0
    for _ in range(3):
        ann.command(Wait())
        server.advance(1_000)
    assert sentences(ann) == [
        "You act faster than the server may write for one player: what you do now waits, up to 1 s each time."
    ]


def test_a_plan_waits_for_the_debt() -> None:
    server, (ann, _) = company("Ann", "Bert")
    server.body(ann).hp = 1
    in_debt(server, ann)
    before = actions(server, ann)
    ann.command(Rest())
    server.advance(DEBT_S * 1_000 - 500)
    assert actions(server, ann) == before
    server.advance(2_000)
    assert actions(server, ann) > before + 5


@pytest.mark.by_hand
def test_a_friend_does_not_wait() -> None:
    """Beside a player in debt, in safety and in a fight, another player acts as fast as ever."""
    for foe in (False, True):
        server, (ann, bert) = company("Ann", "Bert")
        if foe:
            server.put("kobold", server.body(ann).cell).asleep = 100
        in_debt(server, ann)
        ann.command(Wait())
        assert waiting_time(server, bert) <= SPACING_MS
        assert ann.of_kind(Answer) == []


def test_what_takes_no_turn_waits_in_order() -> None:
    """Offers and requests wait, too, before everything that follows.

    Each is carried out once, and too many are refused.
    """
    server, (ann, bert) = company("Ann", "Bert")
    carrying(server, ann, "sword")
    handle = server.level_of(ann).handles[server.body(bert).number]
    in_debt(server, ann)
    numbers = [
        ann.command_at_once(command) for command in (OfferTrade(handle), OfferTrade(handle, (0, 1)), Wait())
    ]
    server.advance(1_000)
    assert server.level_of(ann).trades() == []
    refused = [ann.command_at_once(OfferTrade(handle)) for _ in range(limits.JOURNAL_WAITING_MAX)][-3:]
    server.advance(DEBT_S * 1_000)

    assert server.body(ann).command >= numbers[-1]
    answered = {each.number: (each.code, each.reason) for each in ann.of_kind(Answer)}
    assert [answered.get(each) for each in refused] == [("cannot", "slow")] * 3
    assert not set(answered) & set(numbers)


def test_who_comes_back_in_debt_waits() -> None:
    """A login writes a body: a player who joins and leaves gets theirs when the debt is paid."""
    server, (ann, _) = company("Ann", "Bert")
    in_debt(server, ann)
    ann.leave()
    server.advance(100)
    again = server.join("Ann")
    assert server.engine.players.in_dungeon(again.connection.player) is None
    server.advance(DEBT_S * 1_000 + 2_000)
    assert server.engine.players.in_dungeon(again.connection.player) is not None


@pytest.mark.thorough
def test_sixty_four_write_two_hundred_megabytes() -> None:
    """Many players share what all may write: with 64 of them each has the least share, and an hour stays bounded."""
    server = SimServer(players_max=64)
    clients = [server.join(f"Hog{at:02}", host=f"10.0.{at}.1") for at in range(64)]
    assert server.engine.players.count_connected() == 64
    server.pass_time(1_000)
    player = record_of(server, clients[0])
    player.writing.left = -limits.JOURNAL_PER_MIN_LEAST * 60_000
    server.engine.budget.in_debt[player.account] = player
    assert server.engine.budget.wait_ms(player) == 60_000
    assert 64 * (limits.JOURNAL_BURST + 60 * limits.JOURNAL_PER_MIN_LEAST) <= 200_000_000
