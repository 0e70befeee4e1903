"""The requests of the host to a running server: the table of commands, bans at the door, and the line that they use."""

from typing import Any, cast

import msgspec
import pytest

from gloam_server.ops import admin
from gloam_server.ops.admin import RunningServer
from gloam_server.ops.admin_messages import HOURS_MAX, Reply, Request
from gloam_server.ops.admin_socket import DEADLINE_S, LINE_MAX, AdminConnection
from gloam_server.world.realm.realm import parties_of
from gloam_shared.protocol.commands import Wait
from gloam_shared.protocol.framing import frame
from gloam_shared.protocol.messages.chat import ChatLine
from gloam_shared.protocol.messages.login import Bye, Error, Joined
from gloam_shared.protocol.messages.parties import AnswerInvite, InviteToParty
from support.run.fault_seam import FaultSeam
from support.server.parties import company
from support.server.running import running
from support.server.sim_server import SimClient, SimServer
from support.server.transports import Wire

ELSEWHERE = "192.0.2.7"
HOUR_S = 3_600


def realm(server: SimServer) -> RunningServer:
    return running(server)


def ask(server: SimServer, command: str, name: str = "", *, hours: int = 0, text: str = "") -> Reply:
    replies: list[Reply] = []
    admin.answer(realm(server), Request(command, name, hours, text)).addCallback(replies.append)
    server.settle()
    [reply] = replies
    return reply


def last_bye(client: SimClient) -> Bye:
    said: list[Bye] = client.of_kind(Bye)
    return said[-1]


def test_status_and_who_tell_how_the_server_is() -> None:
    server = SimServer()
    assert ask(server, "who").lines == ("no player",)
    server.join("Anna")
    server.join("Bert", host=ELSEWHERE)
    status = ask(server, "status")
    assert status.ok
    assert "campaign arena, seed 1" in status.lines[0]
    assert "2 of 64 players, 2 bodies in play, 2 connections" in status.lines[2]
    assert ask(server, "who").lines == (
        "Anna: depth 1, level 1, from 127.0.0.1",
        f"Bert: depth 1, level 1, from {ELSEWHERE}",
    )


@pytest.mark.rule("A31")
def test_a_stalled_client_can_be_kicked() -> None:
    """A kicked player is gone immediately, even with a stalled connection."""
    server = SimServer()
    bert = server.join("Bert", host=ELSEWHERE)
    account = bert.connection.player
    wire = bert.wire
    server.clients.remove(bert)  # the connection stalls: it neither reads nor closes
    assert ask(server, "kick", "bert").lines == ("Bert was sent away",)
    assert server.engine.players.connected() == []
    assert server.engine.players.in_dungeon(account) is None
    again = server.join("Bert", host=ELSEWHERE)
    assert again.of_kind(Joined)
    server.advance(1_100)
    assert wire.aborted
    assert [player.name for player in server.engine.players.connected()] == ["Bert"]


def test_what_a_kicked_line_still_sends_does_nothing() -> None:
    server = SimServer()
    bert = server.join("Bert", host=ELSEWHERE)
    connection = bert.connection
    ask(server, "kick", "Bert")
    assert last_bye(bert).code == "kicked"
    before = server.dungeon.state_hash()
    server.front.handle(connection, cast(Any, msgspec.UNSET))
    bert.link.command(Wait(), server.now_ms)
    connection.dataReceived(bert.link.outgoing())
    server.settle()
    assert server.dungeon.state_hash() == before


@pytest.mark.parametrize("name", ["Nobody", "", "\x1b[2J"])
def test_an_unknown_name_cannot_be_kicked_or_banned(name: str) -> None:
    """No one can be kicked or banned who does not exist."""
    server = SimServer()
    for command in ("kick", "ban", "unban"):
        reply = ask(server, command, name)
        assert not reply.ok
        assert reply.lines[0].isprintable()


def test_banned_refused_until_time_over() -> None:
    """A banned player is refused until their time is over."""
    server = SimServer()
    bert = server.join("Bert", host=ELSEWHERE)
    reply = ask(server, "ban", "BERT", hours=2)
    assert reply.lines[0].startswith("Bert is banned until 2027-01-15 ")
    assert last_bye(bert).code == "banned"
    assert last_bye(server.join("Bert", host=ELSEWHERE)) == Bye(
        "banned", "This name or device is banned here until 2027-01-15 10:00 UTC."
    )
    server.wall_s += 2 * HOUR_S - 1
    assert last_bye(server.join("Bert", host=ELSEWHERE)).code == "banned"
    server.wall_s += 1
    assert server.join("Bert", host=ELSEWHERE).of_kind(Joined)


def test_ban_outlasts_server_and_ends() -> None:
    """A ban outlasts the server and ends when the host lifts it."""
    server = SimServer()
    server.join("Bert", host=ELSEWHERE)
    assert ask(server, "ban", "Bert").lines == ("Bert is banned for good",)
    server.stop()
    again = server.again()
    assert last_bye(again.join("Bert", host=ELSEWHERE)).text.endswith("for good.")
    assert ask(again, "unban", "bert").ok
    assert again.join("Bert", host=ELSEWHERE).of_kind(Joined)
    assert ask(again, "unban", "Bert").lines == ("Bert is not banned.",)


def test_banned_gets_under_no_new_name() -> None:
    """A banned player gets in under no new name and their name falls to no one."""
    server = SimServer()
    token = b"t" * 32
    server.join("Bert", token, ELSEWHERE)
    ask(server, "ban", "Bert", hours=100)
    assert last_bye(server.join("Carl", token, ELSEWHERE)).code == "banned"
    assert server.store.directory.account_by_name("carl") is None
    server.wall_s += 50 * HOUR_S
    assert last_bye(server.join("Bert", b"u" * 32, ELSEWHERE)).code == "banned"
    assert server.join("Dora", b"u" * 32, ELSEWHERE).of_kind(Joined)


def test_banned_leaves_the_party() -> None:
    """A banned player is in no party any more."""
    server, players = company("Anna", "Bert", "Cora")
    for guest in players[1:]:
        players[0].send(InviteToParty(guest.link.name))
        guest.send(AnswerInvite())
        server.advance(60)
    assert ask(server, "ban", "Anna").ok
    server.advance(300)
    [party] = parties_of(server.dungeon.realm).parties.values()
    assert [member.name for member in party.members] == ["Bert", "Cora"]


@pytest.mark.parametrize(("hours", "ok"), [(-1, False), (0, True), (HOURS_MAX, True), (HOURS_MAX + 1, False)])
def test_a_ban_has_bounds(hours: int, ok: bool) -> None:
    server = SimServer()
    server.join("Bert", host=ELSEWHERE)
    assert ask(server, "ban", "Bert", hours=hours).ok is ok


def test_host_says_comes_server_and_cleaned() -> None:
    """A message of the host is the server's own and is cleaned."""
    server = SimServer()
    anna = server.join("Anna")
    assert ask(server, "say", text="We stop\x1b[2J at nine.").lines == ("said to 1 player",)
    assert anna.of_kind(ChatLine)[-1] == ChatLine("", "The host says: We stop[2J at nine.")
    assert not ask(server, "say", text="\x1b").ok
    assert not ask(server, "say", text="x" * 201).ok


def test_command_not_exist_refused() -> None:
    """A command that does not exist is refused with those that do."""
    reply = ask(SimServer(), "shutdown\x07")
    assert reply == Reply(
        ok=False,
        lines=(
            'There is no command "shutdown"; there are status, who, kick, ban, unban, say, restart, address.',
        ),
    )


@pytest.mark.rule("A68")
def test_over_public_port_no_word_administration() -> None:
    """A message with the name of a command looks like any other message; chat is only chat."""
    answers = []
    for word in (*admin.COMMANDS, "xyzzy"):
        server = SimServer()
        bert = server.join("Bert", host=ELSEWHERE)
        bert.hear()
        bert.connection.dataReceived(frame(msgspec.msgpack.encode([word, "Anna"])))
        bert.connection.dataReceived(frame(msgspec.msgpack.encode({"command": word, "name": "Anna"})))
        server.settle()
        answers.append([each for each in bert.hear() if isinstance(each, Error | Bye)])
    assert answers[0]
    assert all(answer == answers[-1] for answer in answers)

    server = SimServer()
    anna, bert = server.join("Anna"), server.join("Bert", host=ELSEWHERE)
    for word in ("/kick Anna", '{"command": "kick", "name": "Anna"}'):
        server.advance(2_000)
        bert.link.say(word)
        server.settle()
        assert anna.chat()[-1] == ChatLine("Bert", word)
    assert anna.up


class Line:
    """The far end of the host's line, with a handler that keeps what it was asked."""

    def __init__(self) -> None:
        self.server = SimServer()
        self.wire = Wire()
        self.protocol = AdminConnection(
            lambda request: admin.answer(realm(self.server), request), self.server.clock
        )
        cast(Any, self.protocol).makeConnection(self.wire)

    def read_reply(self) -> Reply:
        assert self.wire.closed
        return msgspec.json.decode(bytes(self.wire.sent), type=Reply)


def test_request_come_pieces_and_answered_once() -> None:
    """A request may arrive in pieces and is answered once."""
    line = Line()
    for byte in b'{"command": "who"}\n{"command": "who"}\n':
        line.protocol.dataReceived(bytes([byte]))
    assert line.read_reply() == Reply(ok=True, lines=("no player",))


@pytest.mark.parametrize(
    "sent",
    [b"\n", b"GET / HTTP/1.1\r\n", b'{"command": 5}\n', b'{"command": "who", "sudo": true}\n', b"\xff\n",
     b"x" * (LINE_MAX + 1), b"[" * 4_000 + b"\n", b"{}\n"],
)  # fmt: skip
def test_no_request_answered_sentence(sent: bytes) -> None:
    """A message that is no request is answered in one sentence."""
    line = Line()
    line.protocol.dataReceived(sent)
    assert not line.read_reply().ok


def test_a_line_that_says_nothing_is_closed() -> None:
    line = Line()
    line.server.advance(DEADLINE_S * 1_000 - 10)
    assert not line.wire.closed
    line.server.advance(10)
    assert line.wire.closed


def test_fault_disk_reported_and_server_goes(seam: FaultSeam) -> None:
    """The reply reports a fault of the disk, and the server continues."""
    line = Line()

    def broken(*_: object) -> None:
        raise OSError("disk I/O error")

    seam.plant(line.server.store.directory.account_by_name, broken)
    line.protocol.dataReceived(b'{"command": "ban", "name": "Bert"}\n')
    line.server.settle()
    assert line.read_reply() == Reply(ok=False, lines=("The server could not do it: disk I/O error",))
