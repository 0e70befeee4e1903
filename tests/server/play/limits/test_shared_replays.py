"""Replays that the host shares: files in a folder, fetched by id in parts, without a login."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from twisted.internet.defer import Deferred, maybeDeferred

from gloam_server.storage.shared_replays import SIZE_MAX, SUFFIX
from gloam_shared import limits
from gloam_shared.protocol.codec import encode
from gloam_shared.protocol.messages.login import Error, Hello, Login, Welcome, hello_of
from gloam_shared.protocol.messages.replays import REPLAYS, AskReplay, ReplayPart
from gloam_shared.protocol.registry import ABILITIES
from support.server.raw_client import RawClient
from support.server.sim_server import SimServer

WHOLE = os.urandom(limits.REPLAY_PART_BYTES) * 2 + b"the end"


@pytest.fixture
def server(tmp_path: Path) -> SimServer:
    """Return a server whose host shares one replay, beside files that are none."""
    folder = tmp_path / "shared"
    folder.mkdir()
    (folder / f"Ann-1{SUFFIX}").write_bytes(WHOLE)
    (folder / f"empty{SUFFIX}").touch()
    (folder / f"folder{SUFFIX}").mkdir()
    (tmp_path / f"secret{SUFFIX}").write_bytes(b"secret")
    (folder / f"link{SUFFIX}").symlink_to(tmp_path / f"secret{SUFFIX}")
    os.mkfifo(folder / f"pipe{SUFFIX}")
    with (folder / f"huge{SUFFIX}").open("wb") as file:
        file.truncate(SIZE_MAX + 1)
    return SimServer(replays=folder)


def fetcher(server: SimServer, host: str = "127.0.0.1") -> RawClient:
    client = RawClient(server, host)
    client.say(Hello(2, abilities=(REPLAYS,)))
    [welcome] = client.of_kind(Welcome)
    assert isinstance(welcome, Welcome)
    assert welcome.abilities == (REPLAYS,)
    return client


def part(client: RawClient, wanted: str, number: int = 0) -> ReplayPart:
    client.say(AskReplay(wanted, number))
    [came] = client.of_kind(ReplayPart)
    assert isinstance(came, ReplayPart)
    return came


def test_a_replay_comes_whole_in_parts(server: SimServer) -> None:
    """A shared replay: three parts on one connection, and its size with each."""
    client = fetcher(server)
    parts = [part(client, "Ann-1", number) for number in range(3)]
    assert b"".join(each.data for each in parts) == WHOLE
    assert {(each.parts, each.size) for each in parts} == {(3, len(WHOLE))}
    assert part(client, "empty") == ReplayPart(0, 1, 0, b"")
    assert not client.wire.closed


def test_the_largest_part_fits_a_frame_and_the_queue() -> None:
    last = limits.REPLAY_PARTS_MAX - 1
    body = encode(ReplayPart(last, limits.REPLAY_PARTS_MAX, SIZE_MAX, bytes(limits.REPLAY_PART_BYTES)))
    assert len(body) < min(limits.FRAME_FROM_SERVER_MAX, limits.QUEUED_BYTES_MAX)


@pytest.mark.rule("A54")
@pytest.mark.parametrize(
    "wanted",
    [
        "Ann-2", "ann-1", "Ann", "", ".", "..", "../secret", "/etc/passwd", "Ann-1.session", "folder", "link",
        "pipe", "huge", "Ann-1\0", "Ann-1\n", "\x1b[2J", "*", "?nn-1", "漢",
    ],
)  # fmt: skip
def test_other_ids_get_one_plain_sentence(server: SimServer, wanted: str) -> None:
    """An unknown or hostile id, a link, a pipe, a folder: nothing but the shared files is read."""
    client = fetcher(server)
    client.say(AskReplay(wanted))
    [error] = client.heard()
    assert isinstance(error, Error)
    assert error.code == "replay"
    assert error.text.isprintable()
    assert part(client, "Ann-1").size == len(WHOLE), "the connection goes on"


@pytest.mark.rule("A54")
def test_ids_and_parts_have_bounds(server: SimServer) -> None:
    """bound: REPLAY_ID_MAX, REPLAY_PARTS_MAX. A part after the end is refused, a number beyond all ends the connection."""
    client = fetcher(server)
    client.say(AskReplay("Ann-1", 3))
    assert client.codes() == ["replay"]
    client.say(AskReplay("a" * (limits.REPLAY_ID_MAX + 1)))
    assert client.codes() == ["range"]
    client = fetcher(server)
    client.say(AskReplay("Ann-1", limits.REPLAY_PARTS_MAX))
    assert client.codes() == ["range"]


def test_without_a_folder_there_is_no_replay() -> None:
    client = fetcher(SimServer(replays=Path("/no/such/folder")))
    client.say(AskReplay("Ann-1"))
    assert client.codes() == ["replay"]


@pytest.mark.rule("A80")
def test_parts_are_limited_for_all_together(server: SimServer) -> None:
    """bound: REPLAY_PARTS_BURST, REPLAY_PARTS_PER_S."""
    first, second = fetcher(server), fetcher(server, "10.0.0.9")
    for _ in range(limits.REPLAY_PARTS_BURST - 1):
        part(first, "Ann-1", 2)
    part(second, "Ann-1", 2)
    second.say(AskReplay("Ann-1", 2))
    assert second.codes() == ["slow"]
    server.advance(1_000 // limits.REPLAY_PARTS_PER_S + 1)
    part(second, "Ann-1", 2)
    second.say(AskReplay("Ann-1", 2))
    assert second.codes() == ["slow"]


def test_only_the_ability_allows_the_question(server: SimServer) -> None:
    """Ordinary clients do not offer the ability; without it, before a greeting or in play there is no answer."""
    assert REPLAYS not in ABILITIES
    silent, plain, playing = RawClient(server), RawClient(server), RawClient(server)
    silent.say(AskReplay("Ann-1"))
    plain.say(hello_of(2, "test", 0, ABILITIES), AskReplay("Ann-1"))
    playing.log_in("Anna")
    playing.say(AskReplay("Ann-1"))
    assert [each.codes() for each in (silent, plain, playing)] == [["state"]] * 3


@pytest.mark.rule("A80")
def test_a_fetch_has_a_deadline_of_its_own(server: SimServer) -> None:
    """bound: REPLAY_S. It is longer than a login's, and absolute."""
    client, idle = fetcher(server), fetcher(server)
    part(client, "Ann-1", 2)
    server.advance((limits.LOGIN_S + 2) * 1_000)
    assert (client.wire.closed, idle.wire.closed) == (False, True)
    for _ in range(limits.REPLAY_S // 10):
        if not client.wire.closed:
            client.say(AskReplay("Ann-1", 2))
        server.advance(10_000)
    assert client.wire.closed


def test_no_login_follows_a_fetch(server: SimServer) -> None:
    """It would escape the deadline of a login."""
    client = fetcher(server)
    part(client, "Ann-1", 2)
    client.say(Login("Anna", b"a" * limits.TOKEN_SIZE))
    assert client.codes() == ["state"]


class HungDisk:
    """Keeps the calls that read files until a test lets them run."""

    def __init__(self) -> None:
        self.waiting: list[Callable[[], object]] = []

    def call(self, function: Callable[..., Any], *args: Any) -> Deferred[Any]:
        """Put a call off."""
        done: Deferred[Any] = Deferred()
        self.waiting.append(lambda: maybeDeferred(function, *args).addBoth(done.callback))
        return done

    def run(self) -> None:
        """Let everything that waits happen."""
        waiting, self.waiting = self.waiting, []
        for each in waiting:
            each()


@pytest.fixture
def disk(server: SimServer) -> HungDisk:
    hung = HungDisk()
    server.front._replays._call = hung.call
    return hung


@pytest.mark.rule("A80")
def test_a_connection_has_one_part_under_way(server: SimServer, disk: HungDisk) -> None:
    """While a part is read, the next one is refused; afterwards it is sent."""
    client = fetcher(server)
    client.say(AskReplay("Ann-1", 2), AskReplay("Ann-1", 1))
    assert client.codes() == ["slow"]
    assert len(disk.waiting) == 1
    disk.run()
    [came] = client.of_kind(ReplayPart)
    assert isinstance(came, ReplayPart)
    assert came.part == 2
    client.say(AskReplay("Ann-2"))
    disk.run()
    assert client.codes() == ["replay"]


@pytest.mark.rule("A80")
def test_parts_for_closed_connections_are_dropped(server: SimServer, disk: HungDisk) -> None:
    """One that hung up, and one that the deadline cut off: nothing is sent, and nothing is kept."""
    gone, late = fetcher(server), fetcher(server)
    for client in (gone, late):
        client.say(AskReplay("Ann-1", 2))
    gone.connection.connectionLost()
    server.advance((limits.REPLAY_S + 2) * 1_000)
    assert late.wire.closed
    late.connection.connectionLost()
    late.heard()
    disk.run()
    assert gone.heard() == late.heard() == []
    assert not server.front._fetching


@pytest.mark.rule("A80")
def test_reads_that_wait_are_bounded(server: SimServer, disk: HungDisk) -> None:
    """bound: REPLAY_PARTS_BURST. While the disk hangs, however long, no more reads wait."""
    clients = [fetcher(server, f"10.0.{number}.9") for number in range(limits.REPLAY_PARTS_BURST + 3)]
    for client in clients:
        client.say(AskReplay("Ann-1", 2))
        server.advance(100)
    assert len(disk.waiting) == limits.REPLAY_PARTS_BURST
    assert [client.codes() for client in clients[-3:]] == [["slow"]] * 3
