"""The ladder of a host with several dungeons: ranked by the store, read once for a crowd; this dungeon's where that fails."""

import pytest
from twisted.internet.defer import Deferred

from gloam_server.gateway.host_ladder import ASKED_MAX, KEPT_MS
from gloam_server.storage.directory import Death
from gloam_server.storage.errors import StorageFault
from gloam_server.storage.host import BoardQuestion, HostBoard, HostLife
from gloam_shared.protocol.messages.login import Error
from gloam_shared.protocol.messages.records import AskLadder, Ladder
from support.server.raw_client import RawClient
from support.server.sim_server import SimServer

BEST = HostLife(1, "second", Death(4, "Bert", "a kobold", 3, 5, 0, 90, 1_800_000_000, 9, deepest=7))
OWN = HostLife(81, "first", Death(2, "Anna", "a rat", 1, 2, 0, 20, 1_800_000_000, 3, deepest=1))
TWO = HostBoard(["first", "second"], 90, [BEST], OWN)
ALONE = HostBoard(["first"], 0, [], None)


class Store:
    """A store whose answers a test gives by hand."""

    def __init__(self) -> None:
        self.asked: list[tuple[BoardQuestion, Deferred[HostBoard]]] = []

    def ask(self, question: BoardQuestion) -> Deferred[HostBoard]:
        self.asked.append((question, Deferred()))
        return self.asked[-1][1]


def asking(server: SimServer, ask: AskLadder | None = None) -> RawClient:
    """Return a stranger's connection that has asked for a board."""
    client = RawClient(server)
    client.say(ask or AskLadder(name="Anna"))
    return client


def board(client: RawClient) -> Ladder:
    """Return the board that a stranger was shown before the connection was closed."""
    client.server.settle()
    assert client.wire.closed
    [shown] = client.of_kind(Ladder)
    assert isinstance(shown, Ladder)
    return shown


@pytest.mark.parametrize("views", [0, 1])
def test_a_board_has_the_lives_of_all_dungeons(views: int) -> None:
    """In one process, and with view processes: each life says where it was lived, and the own rank is that among all."""
    store = Store()
    client = asking(SimServer(board=store.ask, views=views), AskLadder("season", "victory", "ANNA"))
    [(question, answer)] = store.asked
    assert question.counts == ("wins", "few turns", "level", "deepest")
    assert (question.needs, question.folded) == ("wins", "anna")
    assert 0 < question.since_s < 1_800_000_000
    answer.callback(TWO)
    shown = board(client)
    assert (shown.lives, shown.dungeons) == (90, ("first", "second"))
    assert [(row.rank, row.name, row.dungeon, row.depth) for row in shown.rows] == [(1, "Bert", "second", 7)]
    assert shown.own is not None
    assert (shown.own.rank, shown.own.dungeon) == (81, "first")


def test_a_dungeon_alone_shows_its_own_ladder() -> None:
    store = Store()
    client = asking(SimServer(board=store.ask))
    store.asked[0][1].callback(ALONE)
    assert board(client) == board(asking(SimServer()))


def test_a_store_that_fails_leaves_the_own_ladder() -> None:
    """It answers with a fault, or raises before it begins."""

    def ask(_: BoardQuestion) -> Deferred[HostBoard]:
        raise StorageFault("The thread has ended.")

    alone, store = board(asking(SimServer())), Store()
    client = asking(SimServer(board=store.ask))
    store.asked[0][1].errback(StorageFault("PostgreSQL does not answer."))
    assert board(client) == alone
    assert board(asking(SimServer(board=ask))) == alone


def test_a_crowd_costs_one_reading_of_a_board() -> None:
    """All who ask for it during the reading, and for a moment after it; one has gone meanwhile."""
    store = Store()
    server = SimServer(board=store.ask)
    crowd = [asking(server) for _ in range(4)]
    crowd[0].vanish()
    store.asked[0][1].callback(TWO)
    server.settle()
    assert [len(each.of_kind(Ladder)) for each in crowd] == [0, 1, 1, 1]
    assert board(asking(server)).lives == 90
    assert len(store.asked) == 1
    server.pass_time(KEPT_MS)
    asking(server)
    assert len(store.asked) == 2


def test_boards_beyond_a_number_are_the_own_ones() -> None:
    """Each player who is named makes another board; a party's is this dungeon's."""
    store = Store()
    server = SimServer(board=store.ask)
    clients = [asking(server, AskLadder(name=f"Ann{at}")) for at in range(ASKED_MAX + 1)]
    assert len(store.asked) == ASKED_MAX
    assert board(clients[-1]).dungeons == ()
    assert board(asking(server, AskLadder("party", party=("Anna",)))).dungeons == ()
    assert not clients[0].of_kind(Error)
