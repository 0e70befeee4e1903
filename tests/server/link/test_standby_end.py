"""The standby's end of the link: it follows each batch, and says when it can take over, and when it must not."""

import pytest
from msgspec.structs import replace

from gloam_server.engine.recovery.replay import catch_up, load_realm
from gloam_server.link.link_messages import DurableBatch, Hello, Setup, decode_to_views, encode
from gloam_server.link.replica import Replica, replica_of
from gloam_server.link.standby_end import StandbyEnd
from gloam_shared.protocol.commands import Wait
from support.link.sim_views import CODE, SimPeer
from support.server.parties import turn
from support.server.sim_server import SimServer


class SimStandby:
    """A standby on a link to a server under a manual clock."""

    def __init__(self, server: SimServer) -> None:
        self.ended: list[str] = []
        self.losses = 0
        self._server = server
        down, up = SimPeer(server.clock), SimPeer(server.clock)
        down.other, up.other = up, down
        setup = Setup(0, str(server.dungeon.seed), b"", "", 64, guests=False, config=b"")
        up.receiver = server.process.links.accept(down, CODE, lambda first: replace(setup, first=first))
        self.link = down
        self.end_of_link = down.receiver = StandbyEnd(up, Hello(CODE, 0), self)
        server.settle()

    def begin(self, setup: Setup, states: dict[int, bytes], closed: tuple[int, ...]) -> Replica:
        return Replica(replica_of(self._server.campaign, int(setup.seed), states, closed))

    def lost(self) -> None:
        self.losses += 1

    def end(self, why: str) -> None:
        self.ended.append(why)


@pytest.fixture
def server() -> SimServer:
    return SimServer(views=1)


def test_it_follows_and_catches_up(server: SimServer) -> None:
    """Its dungeon is the turn process's after each batch; what it missed, it reads in the journal."""
    standby = SimStandby(server)
    anna = server.join("Anna")
    turn(server, anna, Wait())
    replica = standby.end_of_link.replica
    assert replica is not None
    assert replica.dungeon.state_hash() == server.dungeon.state_hash()
    standby.link.is_open = False
    turn(server, anna, Wait())
    assert replica.dungeon.state_hash() != server.dungeon.state_hash()
    assert catch_up(server.store, replica.dungeon)
    assert replica.dungeon.state_hash() == server.dungeon.state_hash()


def test_a_dungeon_of_other_levels_does_not_catch_up(server: SimServer) -> None:
    """A round that it does not know, or a closed level: the world is loaded then."""
    identity = server.store.directory.identity()
    assert identity is not None
    known = load_realm(server.store, server.campaign, identity)
    known.close(1)
    assert not catch_up(server.store, known)
    known.closed.clear()
    del known.levels[max(known.levels)]
    assert not catch_up(server.store, known)


def test_it_takes_over_when_the_link_is_lost(server: SimServer) -> None:
    standby = SimStandby(server)
    assert standby.end_of_link.was_heard()
    assert not standby.end_of_link.was_heard()
    server.process.links.alive()
    server.settle()
    assert standby.end_of_link.was_heard()
    standby.link.cut()
    assert (standby.losses, standby.ended) == (1, [])


def test_it_ends_with_a_server_that_stops(server: SimServer) -> None:
    standby = SimStandby(server)
    server.process.links.end()
    server.settle()
    assert (standby.losses, standby.ended) == (0, [""])


def test_a_replica_that_differs_does_not_take_over(server: SimServer) -> None:
    standby = SimStandby(server)
    link, honest = standby.link, standby.end_of_link

    class Tampering:
        def receive(self, body: bytes) -> None:
            message = decode_to_views(body)
            if isinstance(message, DurableBatch):
                first = replace(message.records[0], digest=1)
                body = encode(replace(message, records=[first, *message.records[1:]]))
            honest.receive(body)

        def lost(self) -> None:
            honest.lost()

    link.receiver = Tampering()
    server.join("Anna")
    link.cut()
    assert standby.losses == 0
    assert "the replica differs" in standby.ended[0]
