"""Clients that read slowly or never cost the server a fixed sum, and their friends nothing."""

import pytest

from gloam_shared import limits
from gloam_shared.protocol.commands import Move, Wait
from gloam_shared.protocol.messages.chat import SendChat
from gloam_shared.protocol.messages.play import Acknowledge, Heartbeat, HeartbeatReply, SubmitCommand, Update
from gloam_shared.view.view import CreatureFlag
from support.server.parties import actions, company, mark_of, noticed, threatened, turn
from support.server.raw_client import RawClient
from support.server.sim_server import SimClient, SimServer


def jostling(server: SimServer, one: SimClient, other: SimClient, times: int) -> None:
    """Let two friends change places again and again, in everybody's sight."""
    for _ in range(times):
        one.command(Move(*one.view.place.grid.towards(one.view.cell, other.view.cell)))
        server.advance(60)


@pytest.mark.rule("A35")
def test_for_who_never_reads_frames_are_coalesced() -> None:
    server, (anna, bert) = company("Anna", "Bert")
    noticed(server)
    mute = RawClient(server)
    mute.log_in("Mute")
    jostling(server, anna, bert, 50)
    held = len(mute.wire.sent)
    jostling(server, anna, bert, 50)
    assert len(mute.wire.sent) <= held + 50, "a heartbeat, and no more"
    assert len([each for each in mute.heard() if isinstance(each, Update)]) <= limits.UNACKNOWLEDGED_MAX


@pytest.mark.rule("A35")
def test_on_his_return_he_gets_the_newest_state() -> None:
    server, (anna, bert) = company("Anna", "Bert")
    anna.hear()
    server.advance(100)
    carl = server.join("Carl")
    carl.reading = False
    jostling(server, anna, bert, 31)
    carl.reading = True
    server.advance(200)
    seen = {each.name: each.cell for each in carl.view.creatures}
    assert (seen["Anna"], seen["Bert"]) == (server.body(anna).cell, server.body(bert).cell)


@pytest.mark.rule("A35")
def test_fifteen_silent_seconds_end_the_connection() -> None:
    """A client that is silent for fifteen seconds is cut off, and the body leaves."""
    server, (anna,) = company("Anna")
    mute = RawClient(server)
    mute.log_in("Mute")
    server.advance(16_000)
    assert mute.wire.aborted
    mute.vanish()
    server.advance(60)
    assert [body.name for body in server.dungeon.levels[1].players()] == ["Anna"]
    assert anna.up


@pytest.mark.rule("A35")
def test_heartbeats_alone_not_save() -> None:
    """Heartbeats alone do not save who acknowledges nothing."""
    server, (anna,) = company("Anna")
    mute = RawClient(server)
    mute.log_in("Mute")
    threatened(server, anna)
    for _ in range(14):
        server.advance(1_000)
        mute.say(HeartbeatReply(0))
    assert not mute.wire.closed
    server.advance(1_500)
    assert mute.wire.aborted
    mute.vanish()
    noticed(server)

    assert len(server.dungeon.levels[1].players()) == 2, "in danger the body stays on guard"
    assert mark_of(anna, "Mute") == CreatureFlag.CUT_OFF


@pytest.mark.rule("A35")
def test_in_danger_his_body_stays_on_guard() -> None:
    server, (anna,) = company("Anna")
    mute = RawClient(server)
    mute.log_in("Mute")
    threatened(server, anna)
    server.advance(16_000)
    mute.vanish()
    server.advance(60)
    assert len(server.dungeon.levels[1].players()) == 2
    turn(server, anna)
    assert actions(server, anna) == 1


@pytest.mark.rule("A36")
@pytest.mark.parametrize("patch", [2, 1_000])
def test_acknowledges_never_sent_reported(patch: int) -> None:
    """A client that acknowledges an update that was never sent is disconnected."""
    client = RawClient(SimServer())
    client.log_in("Anna")
    client.say(Acknowledge(1), Acknowledge(patch))
    assert client.codes() == ["ack"]
    assert client.wire.closed


@pytest.mark.rule("A36")
def test_command_and_command_not_done() -> None:
    """With a command too and the command is not done."""
    client = RawClient(SimServer())
    client.log_in("Anna")
    client.say(SubmitCommand(1, 77, Wait()))
    body = client.server.dungeon.levels[1].players()
    assert client.codes() == ["ack"]
    assert [each.actions for each in body] == [0]


@pytest.mark.rule("A31")
def test_a_kicked_client_is_closed_within_a_second() -> None:
    """A kicked client is let go immediately, and its connection after a second."""
    server = SimServer()
    stuck = RawClient(server)
    stuck.log_in("Anna")
    anna = server.join("Anna")
    assert server.body(anna).name == "Anna", "name and body are free at once"
    assert stuck.wire.closed
    assert not stuck.wire.aborted
    server.clock.advance(1)
    assert stuck.wire.aborted
    turn(server, anna)
    assert actions(server, anna) == 1


def test_line_full_no_more_held_bound() -> None:
    """For a line that is full no more is held than its bound."""
    server, (anna,) = company("Anna")
    mute = RawClient(server)
    mute.log_in("Mute")
    mute.acknowledge()
    mute.connection.pauseProducing()
    for said in range(2 * limits.QUEUED_BYTES_MAX // 200):
        anna.send(SendChat(f"{said} ".ljust(200, "x")))
        server.clock.advance(1)
        anna.link.tick(server.now_ms)
        mute.say(HeartbeatReply(0))
        assert len(mute.wire.sent) <= limits.QUEUED_BYTES_MAX
        if mute.wire.aborted:
            break

    assert mute.wire.aborted
    assert said * 200 > limits.QUEUED_BYTES_MAX // 2


@pytest.mark.parametrize(("beyond", "let_go"), [(-1, False), (0, False), (1, True)])
def test_128_kib_held_full_line_and_not_byte_more(beyond: int, *, let_go: bool) -> None:
    """bound: QUEUED_BYTES_MAX."""
    mute = RawClient(SimServer())
    mute.log_in("Mute")
    mute.connection.pauseProducing()
    for size in (limits.QUEUED_BYTES_MAX - 1_000, 1_000 + beyond):
        mute.connection._write(bytes(size))
    assert mute.wire.aborted is let_go


def test_no_picture_is_sent_on_a_full_line() -> None:
    server, (anna, bert) = company("Anna", "Bert")
    mute = RawClient(server)
    mute.log_in("Mute")
    mute.connection.pauseProducing()
    jostling(server, anna, bert, 5)
    assert [each for each in mute.heard() if not isinstance(each, Heartbeat)] == []
