"""Messages that take no turn make no items, move none, and move no body, however often they are sent (A83)."""

from collections import Counter

import pytest

from gloam_server.world.model.ids import REALM_PARTITION
from gloam_server.world.model.inputs import EnterPlay, GrantKeepsake, Leave, TakeKit
from gloam_shared.protocol.commands import Choose, ConfirmTrade, Duel, EndTrade, FreeCommand, OfferTrade
from gloam_shared.protocol.messages.lives import BeginAtBeacon, ChooseKit, JoinFriend, NewLife
from gloam_shared.protocol.messages.login import Goodbye
from gloam_shared.protocol.messages.play import Away, Thinking
from gloam_shared.protocol.registry import FromClient
from support.content.kits_campaign import arena_with_kits
from support.server.parties import SPACING_MS, carrying, company, turn
from support.server.sim_server import SimClient, SimServer

TIMES = 20
_NOWHERE = 1_000
"""A place that there is not, so that its outputs are new to a level."""


def items(server: SimServer) -> Counter[tuple[int, int]]:
    """Return where each item of the realm is, by its number: with a body, or 0 for the floor."""
    found: Counter[tuple[int, int]] = Counter()
    for level in server.dungeon.levels.values():
        found.update((item.number, 0) for pile in level.piles.values() for item in pile)
        found.update((item.number, body.number) for body in level.creatures.values() for item in body.carried)
    kept = [life.kept for life in server.dungeon.realm.lives.values() if life.kept is not None]
    found.update((item.number, body.number) for body in kept for item in body.carried)
    return found


def begun() -> tuple[SimServer, SimClient, SimClient]:
    """Return two players of a campaign with kits; the first has chosen one, and given a command."""
    server = SimServer(campaign=arena_with_kits())
    ann, bert = server.join("Ann"), server.join("Bert")
    ann.send(ChooseKit(1, 1))
    server.advance(200)
    turn(server, ann)
    carrying(server, ann, "sword")
    return server, ann, bert


@pytest.mark.rule("A83")
@pytest.mark.parametrize(
    "message",
    [
        ChooseKit(1, 0),
        ChooseKit(0, 1),
        BeginAtBeacon(1, 1),
        JoinFriend(1, None, "Bert"),
        JoinFriend(1, 0),
        JoinFriend(0, 0),
        NewLife(1, 0),
        NewLife(0, 0),
        Thinking(),
        Away(),
    ],
    ids=repr,
)
def test_a_message_makes_no_items(message: FromClient) -> None:
    server, ann, _ = begun()
    before, cell = items(server), server.body(ann).cell
    for at in range(TIMES):
        ann.send(message)
        server.advance(1_100 if at % 2 else 0)
    assert items(server) == before
    assert server.body(ann).cell == cell


def test_coming_and_going_makes_no_items() -> None:
    server, ann, _ = begun()
    before, cell = items(server), server.body(ann).cell
    for _ in range(TIMES):
        ann.send(Goodbye())
        ann.cut()
        server.advance(11_000)
        ann = server.join("Ann")
    assert items(server) == before
    assert server.body(ann).cell == cell


@pytest.mark.parametrize("other", [False, True])
def test_a_free_command_alone_moves_no_items(other: bool) -> None:
    """All commands that take no turn, again and again, by one side of a trade alone."""
    server, (ann, bert) = company("Ann", "Bert")
    carrying(server, ann, "sword", "apple")
    before = items(server)
    sender, partner = (bert, ann) if other else (ann, bert)
    handle = server.level_of(sender).handles[server.body(partner).number]
    commands: list[FreeCommand] = [
        OfferTrade(handle, (0, 1)), OfferTrade(handle, ()), ConfirmTrade(handle, 0), Duel(handle), Choose(0), EndTrade(),
    ]  # fmt: skip
    for _ in range(TIMES):
        for command in commands:
            sender.command_at_once(command)
            server.advance(SPACING_MS)
    assert items(server) == before


@pytest.mark.rule("A83")
def test_inputs_by_hand_make_no_items() -> None:
    """As a server without its door would send them: the rules refuse by themselves."""
    server, ann, _ = begun()
    body, account = server.body(ann), ann.connection.player
    before = items(server)
    for at in range(TIMES):
        for partition, input_ in (
            (1, TakeKit(body.number, at % 2)),
            (1, GrantKeepsake(body.number, None, (_NOWHERE, at, 0))),
            (1, Leave(body.number)),
            (1, TakeKit(body.number, 0)),
            (REALM_PARTITION, EnterPlay(account, "Ann", keepsake=at)),
            (REALM_PARTITION, EnterPlay(account, "Ann", beacon=1)),
        ):
            server.dungeon.apply_input(partition, input_)
    assert items(server) == before
