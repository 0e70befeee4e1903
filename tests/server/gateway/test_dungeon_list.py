"""The list of dungeons, before a login: read once for a crowd, kept while the store does not answer, never too long."""

import pytest
from twisted.internet.defer import Deferred

from gloam_server.gateway.dungeon_list import KEPT_MS
from gloam_server.storage.errors import StorageFault
from gloam_server.storage.host import HostRealm, HostRealms
from gloam_shared import limits
from gloam_shared.protocol.messages.dungeons import DUNGEONS, AskDungeons, DungeonRow, Dungeons
from gloam_shared.protocol.messages.login import Hello, Joined, Login, Welcome
from support.cluster.host_of_realms import answering, host_of
from support.server.raw_client import RawClient
from support.server.sim_server import SimServer

OURS = HostRealms(
    "first",
    [HostRealm("first", "Gloam", None, is_served=True), HostRealm("second", "A", 7374, is_served=False)],
)
ROWS = (DungeonRow("first", "Gloam", 0, served=True), DungeonRow("second", "A", 7374, served=False))


class Store:
    """A store whose answers a test gives by hand."""

    def __init__(self) -> None:
        self.asked: list[Deferred[HostRealms]] = []

    def ask(self) -> Deferred[HostRealms]:
        self.asked.append(Deferred())
        return self.asked[-1]


def asking(server: SimServer) -> RawClient:
    """Return a connection that has asked for the list."""
    client = RawClient(server)
    client.say(Hello(2, abilities=(DUNGEONS,)), AskDungeons())
    return client


@pytest.mark.parametrize("views", [0, 1])
def test_the_list_is_shown_before_the_login(views: int) -> None:
    """In one process, and with view processes, whose turn process reads the list; a login may follow."""
    server = SimServer(realms=answering(OURS), views=views)
    client = asking(server)
    server.settle()
    assert client.of_kind(Dungeons) == [Dungeons("first", ROWS)]
    client.say(Login("Ann", b"t" * 32))
    server.pass_time(limits.LOGIN_GAP_MS)
    assert client.of_kind(Joined)


def test_a_server_alone_offers_no_list() -> None:
    """A world in a file has no host: the ability is not offered, and the message has no place."""
    client = RawClient(SimServer())
    client.say(Hello(2, abilities=(DUNGEONS,)))
    [welcome] = client.of_kind(Welcome)
    assert isinstance(welcome, Welcome)
    assert welcome.abilities == ()
    client.say(AskDungeons())
    assert client.codes() == ["state"]


def test_a_client_without_the_ability_reads_no_list() -> None:
    client = RawClient(SimServer(realms=answering(OURS)))
    client.say(Hello(2))
    [welcome] = client.heard()
    assert isinstance(welcome, Welcome)
    assert welcome.abilities == ()
    client.say(AskDungeons())
    assert client.codes() == ["state"]


def test_a_connection_asks_once() -> None:
    client = asking(SimServer(realms=answering(OURS)))
    assert client.of_kind(Dungeons)
    client.say(AskDungeons())
    assert client.codes() == ["state"]


def test_a_crowd_costs_one_reading() -> None:
    """All who ask during a reading, and for a moment after it, get its answer; one has gone meanwhile."""
    store = Store()
    server = SimServer(realms=store.ask)
    crowd = [asking(server) for _ in range(5)]
    crowd[0].vanish()
    store.asked[0].callback(OURS)
    server.settle()
    assert [len(each.of_kind(Dungeons)) for each in crowd] == [0, 1, 1, 1, 1]
    assert asking(server).of_kind(Dungeons) == [Dungeons("first", ROWS)]
    assert len(store.asked) == 1
    server.pass_time(KEPT_MS)
    assert asking(server).of_kind(Dungeons) == []
    assert len(store.asked) == 2


def test_a_store_that_fails_leaves_the_last_list() -> None:
    """Before there is a list it is empty: the client logs in here."""
    store = Store()
    server = SimServer(realms=store.ask)
    first = asking(server)
    store.asked[0].errback(StorageFault("PostgreSQL does not answer."))
    server.settle()
    assert first.of_kind(Dungeons) == [Dungeons("")]
    server.pass_time(KEPT_MS)
    second = asking(server)
    store.asked[1].callback(OURS)
    server.settle()
    assert second.of_kind(Dungeons) == [Dungeons("first", ROWS)]
    server.pass_time(KEPT_MS)
    third = asking(server)
    store.asked[2].errback(StorageFault("PostgreSQL does not answer."))
    server.settle()
    assert third.of_kind(Dungeons) == [Dungeons("first", ROWS)]


def test_a_list_that_cannot_be_read_is_answered() -> None:
    """The reading raises before it begins, or gives what is no list: all who wait read the last one, and the next is asked."""
    store = Store()

    def ask() -> Deferred[HostRealms]:
        if not store.asked:
            store.asked.append(Deferred())
            raise StorageFault("The thread has ended.")
        return store.ask()

    server = SimServer(realms=ask)
    assert asking(server).of_kind(Dungeons) == [Dungeons("")]
    server.pass_time(KEPT_MS)
    crowd = [asking(server) for _ in range(2)]
    store.asked[1].callback(None)  # type: ignore[arg-type]  # as of a fault in what reads it
    server.settle()
    assert [each.of_kind(Dungeons) for each in crowd] == [[Dungeons("")]] * 2
    server.pass_time(KEPT_MS)
    last = asking(server)
    store.asked[2].callback(OURS)
    server.settle()
    assert last.of_kind(Dungeons) == [Dungeons("first", ROWS)]


def test_a_host_with_hundreds_of_dungeons() -> None:
    """The list has the first of them and the own one; a title from the database is cleaned."""
    client = asking(SimServer(realms=answering(host_of(300, "\x1b[2JThe Cave"))))
    [found] = client.of_kind(Dungeons)
    assert isinstance(found, Dungeons)
    assert len(found.rows) == limits.DUNGEONS_MAX
    assert [row.name for row in found.rows[-2:]] == ["realm024", "realm299"]
    assert {row.title for row in found.rows} == {"[2JThe Cave"}
