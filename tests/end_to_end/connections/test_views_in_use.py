"""One real server with two view processes, and what hosts and players do there: each thing across both, or through each of them."""

import os
import re
import signal
import socket
import ssl
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, suppress
from functools import partial
from itertools import count
from pathlib import Path
from typing import Self, TypeVar

import pytest
from click.testing import CliRunner

from gloam_client.net.tls_connect import public_key
from gloam_server.cli.main import cli
from gloam_server.storage.shared_replays import FOLDER, SUFFIX
from gloam_shared import limits
from gloam_shared.narration.rendering import inventory_name
from gloam_shared.protocol.codec import decode_from_server, encode
from gloam_shared.protocol.commands import ConfirmTrade, OfferTrade, PickUp, Travel, Wait
from gloam_shared.protocol.framing import Framer, first_frame, frame
from gloam_shared.protocol.key_pins import key_pin
from gloam_shared.protocol.messages.chat import ChatLine
from gloam_shared.protocol.messages.login import Bye, Error, Hello, Joined, Login, Welcome
from gloam_shared.protocol.messages.parties import AnswerInvite, InviteToParty, PartyInvite, PartyState
from gloam_shared.protocol.messages.records import AskLadder, Ladder
from gloam_shared.protocol.messages.replays import REPLAYS, AskReplay, ReplayPart
from gloam_shared.protocol.messages.trade import NO_TRADE, TradeState
from gloam_shared.protocol.registry import PROTOCOL_VERSION, FromClient, FromServer
from gloam_shared.view.view import Stat
from support.client.fake_client import FakeClient
from support.content.campaigns import arena_files
from support.link.view_processes import dial_another, players_apart, view_processes
from support.processes.addresses import own_address
from support.processes.server_process import ServerProcess, run_server_command
from support.server.proxy_header import header

pytestmark = [pytest.mark.end_to_end, pytest.mark.thorough]
PATIENCE_S = 60
TRIES = 40
A = TypeVar("A")
_numbers = count(1)


@pytest.fixture(name="server", scope="module")
def server_in_use(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """Run a server with TLS, a proxy, doors, shared replays, and a small level where items lie about."""
    base = tmp_path_factory.mktemp("views")
    folder, data = base / "strewn", base / "realm"
    folder.mkdir()
    data.mkdir()
    for name, raw in arena_files().items():
        (folder / name).write_bytes(raw.replace(b"monsters = 0", b"monsters = 0\nitems = 60"))
    for name in ("one", "two"):
        assert CliRunner().invoke(cli, ["certificate", "--data", str(base / name)]).exit_code == 0
    install(base / "one", base)
    (data / "realm.toml").write_text(f'certificate = "{base}/certificate.pem"\nkey = "{base}/key.pem"\n')
    flags = ("--views", "2", "--listen", "0.0.0.0", "--plain", "--open", "--door-socket", "door.sock")
    with ServerProcess(
        data, *flags, "--proxy-networks", f"{own_address()}/32", campaign=f"{folder}/"
    ) as server:
        yield server


def install(source: Path, base: Path) -> None:
    """Put a certificate and its key where the server looks for them."""
    for name in ("certificate", "key"):
        scratch = base / f"{name}.new"
        scratch.write_bytes((source / f"tls-{name}.pem").read_bytes())
        scratch.chmod(0o600)
        scratch.replace(base / f"{name}.pem")


def asked(server: ServerProcess, *words: str) -> str:
    """Return what a command of the server says, without the time that a process takes to start."""
    done = CliRunner().invoke(cli, [*words, "--data", str(server.data)])
    assert done.exit_code == 0, done.stderr
    return done.stdout


def names(kind: str, number: int) -> list[str]:
    """Return names that no other case of this module has."""
    at = next(_numbers)
    return [f"{kind}{chr(96 + at)}{chr(97 + each)}" for each in range(number)]


@pytest.fixture(name="pair")
def pair_apart(server: ServerProcess) -> Iterator[tuple[FakeClient, FakeClient]]:
    """Two players in one view process each."""
    anna, bert = players_apart(server, *names("P", 2))
    yield anna, bert
    for client in (anna, bert):
        client.leave()


def at_each(server: ServerProcess, use: Callable[[socket.socket], A], host: str = "127.0.0.1") -> list[A]:
    """Return what `use` returns for a new connection to each view process."""
    got: dict[int, A] = {}
    while len(got) < len(view_processes(server)):
        process, line = dial_another(server, got, host)
        got[process] = use(line)
    return list(got.values())


def wait_for_each(clients: Iterable[FakeClient], condition: Callable[[FakeClient], object]) -> None:
    for client in clients:
        client.wait_for(partial(condition, client))


def trade_of(client: FakeClient) -> TradeState:
    trades = client.of_kind(TradeState)
    return trades[-1] if trades else NO_TRADE


def pack(client: FakeClient) -> list[str]:
    return [inventory_name(item) for item in client.view.inventory]


def fetch(client: FakeClient) -> None:
    """Walk to an item in sight, and pick it up."""
    for _ in range(TRIES):
        client.read(0.05)
        view = client.view
        if view.inventory:
            return
        if view.pile:
            client.do(PickUp())
            continue
        cells = [each.cell for each in view.items if each.cell != view.cell]
        client.do(Travel(min(cells, key=lambda cell: (view.place.grid.distance(view.cell, cell), cell))))
        client.wait_for(lambda: not client.link.pace.plan)
    raise AssertionError("nothing was picked up")


def go_beside(client: FakeClient, other: FakeClient) -> None:
    goal, grid = other.view.cell, client.view.place.grid
    for near in grid.neighbors(goal):
        if grid.distance(client.view.cell, goal) > 1 and client.view.at(near) is None:
            client.do(Travel(near))
            client.wait_for(lambda: not client.link.pace.plan)
            client.settle(0.1)
    assert grid.distance(client.view.cell, goal) == 1


def offer(client: FakeClient, handle: int) -> None:
    """Offer the first item to the player with this handle, once they are in sight."""
    client.wait_for(lambda: any(each.handle == handle for each in client.view.creatures))
    client.do(OfferTrade(handle, (client.view.inventory[0].slot, 1)))


def test_a_party_and_a_trade_across_both(pair: tuple[FakeClient, FakeClient]) -> None:
    """An invite, both in one party; then each offers an item, and the items change hands."""
    anna, bert = pair
    anna.send(InviteToParty(bert.link.name))
    bert.wait_for(lambda: PartyInvite(anna.link.name, limits.PARTY_INVITE_S) in bert.got)
    bert.send(AnswerInvite(anna.link.name))
    wait_for_each(pair, lambda client: any(len(each.members) == 2 for each in client.of_kind(PartyState)))
    for client in pair:
        fetch(client)
    go_beside(bert, anna)
    mine, theirs = pack(anna), pack(bert)
    for one, other in ((anna, bert), (bert, anna)):
        offer(one, other.view.fact(Stat.HANDLE))
    wait_for_each(pair, lambda client: trade_of(client).gives and trade_of(client).gets)
    for client in pair:
        client.do(ConfirmTrade(trade_of(client).handle, trade_of(client).revision))
    anna.wait_for(lambda: not trade_of(anna).name)
    bert.wait_for(lambda: not trade_of(bert).name)
    assert (pack(anna), pack(bert)) == (theirs, mine)


def test_the_ladder_and_words_reach_both(pair: tuple[FakeClient, FakeClient]) -> None:
    for client in pair:
        client.send(AskLadder())
        client.say(f"I am {client.link.name}.")
    wait_for_each(pair, lambda client: client.of_kind(Ladder))
    words = {ChatLine(each.link.name, f"I am {each.link.name}.") for each in pair}
    wait_for_each(pair, lambda client: words <= set(client.chat()))


@pytest.mark.parametrize("at", [0, 1])
def test_a_kick_and_a_ban_reach_each(
    server: ServerProcess, pair: tuple[FakeClient, FakeClient], at: int
) -> None:
    """The ended connection reads why, the other player goes on; a banned one is refused in each view process."""
    gone, other = pair[at], pair[1 - at]
    asked(server, "kick", gone.link.name)
    gone.wait_for(lambda: gone.of_kind(Bye) or gone.closed)
    assert [each.code for each in gone.of_kind(Bye)] == ["kicked"]
    back = FakeClient(server.port, gone.link.name)
    back.wait_for(lambda: back.view.place.depth > 0)
    asked(server, "ban", gone.link.name, "--hours", "1")
    back.wait_for(lambda: back.of_kind(Bye) or back.closed)
    assert [each.code for each in back.of_kind(Bye)] == ["banned"]
    back.hang_up()

    def refused(line: socket.socket) -> FromServer:
        with Line(line) as banned:
            return banned.log_in(gone.link.name)

    for answer in at_each(server, refused):
        assert isinstance(answer, Bye)
        assert answer.code == "banned"
    other.do(Wait())


def test_commands_of_the_host_know_all(server: ServerProcess, pair: tuple[FakeClient, FakeClient]) -> None:
    who = asked(server, "who")
    assert all(f"{each.link.name}: depth 1" in who for each in pair)
    asked(server, "say", "Tea is ready.")
    wait_for_each(pair, lambda client: ChatLine("", "The host says: Tea is ready.") in client.got)
    copy = server.data.parent / "copy.sqlite3"
    asked(server, "backup", str(copy))
    assert (
        "verified"
        in run_server_command("verify", str(copy), "--campaign", f"{server.data.parent}/strewn/").stdout
    )


def test_a_proxy_names_the_addresses(server: ServerProcess) -> None:
    """A header in front of a connection to either process: the player counts by the address in it."""
    name = names("X", 1)[0]

    def relayed(line: socket.socket) -> str:
        with Line(line, header("203.0.113.7")) as player:
            assert isinstance(player.log_in(name), Joined)
            return asked(server, "who")

    for who in at_each(server, relayed, own_address()):
        assert f"{name}: depth 1, level 1, from 203.0.113.7" in who


def test_doors_let_visitors_in(server: ServerProcess) -> None:
    """Visitors through the socket of doors are taken by both processes, and each counts by the address that the door names."""
    visitors = names("V", 6)
    front = header("203.0.113.9", more=b"\xe0\x00\x03web")
    with ExitStack() as lines:
        for visitor in visitors:
            line = lines.enter_context(Line(knock(server), front))
            assert isinstance(line.log_in(visitor), Joined)
        who = asked(server, "who")
        assert all(re.search(rf"{each}: .*from 203\.0\.113\.9 by browser", who) for each in visitors), who
        bare = lines.enter_context(knock(server))
        bare.sendall(first_frame(encode(Hello(PROTOCOL_VERSION))))
        with suppress(ConnectionError):
            assert bare.recv(100) == b""


def test_a_shared_replay_comes_from_each(server: ServerProcess) -> None:
    folder = server.data / FOLDER
    folder.mkdir()
    (folder / f"Ann-1{SUFFIX}").write_bytes(b"a life")

    def fetched(line: socket.socket) -> FromServer:
        with Line(line) as guest:
            guest.say(AskReplay("Ann-1"))
            return guest.heard()

    for answer in at_each(server, fetched):
        assert isinstance(answer, ReplayPart)
        assert answer.data == b"a life"


def test_hang_up_gives_each_the_new_certificate(server: ServerProcess) -> None:
    """Each process reads the certificate again: a new connection has it, and an old one plays on."""
    anna = FakeClient(server.port, names("T", 1)[0], tls=True)
    anna.wait_for(lambda: anna.view.place.depth > 0)
    former = set(at_each(server, certificate))
    assert len(former) == 1
    install(server.data.parent / "two", server.data.parent)
    os.kill(server.process.pid, signal.SIGHUP)
    for place in (1, 2):
        server.log_line(rf"view {place}: [^\n]*the certificate was read again")
    newer = set(at_each(server, certificate))
    assert len(newer) == 1
    assert newer != former
    assert newer.pop() in asked(server, "status")
    anna.do(Wait())
    anna.leave()


def certificate(line: socket.socket) -> str:
    """Return the pin of the certificate that a new connection shows."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    with context.wrap_socket(line) as wrapped:
        pin = key_pin(public_key(wrapped.getpeercert(binary_form=True) or b""))
        Line(wrapped)
        return pin


class Line:
    """A connection of bytes: what a test sends, and the first messages of the server."""

    def __init__(self, line: socket.socket, front: bytes = b"") -> None:
        self.socket = line
        self._framer = Framer(limits.FRAME_FROM_SERVER_MAX)
        self._came: list[FromServer] = []
        line.sendall(front + first_frame(encode(Hello(PROTOCOL_VERSION, abilities=(REPLAYS,)))))
        assert isinstance(self.heard(), Welcome)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.socket.close()

    def say(self, message: FromClient) -> None:
        self.socket.sendall(frame(encode(message)))

    def log_in(self, name: str) -> FromServer:
        self.say(Login(name, name.encode().ljust(limits.TOKEN_SIZE, b".")))
        return self.heard()

    def heard(self) -> FromServer:
        """Wait until the connection is greeted, let in, sent away, or has its replay."""
        while not self._came:
            data = self.socket.recv(65_536)
            assert data, "the connection ended without a word"
            come = [decode_from_server(each) for each in self._framer.feed(data)]
            self._came += [
                each for each in come if isinstance(each, Welcome | Joined | Bye | Error | ReplayPart)
            ]
        return self._came.pop(0)


def knock(server: ServerProcess) -> socket.socket:
    """Return a connection to the socket of doors."""
    line = socket.socket(socket.AF_UNIX)
    line.settimeout(PATIENCE_S)
    line.connect(str(server.data / "door.sock"))
    return line
