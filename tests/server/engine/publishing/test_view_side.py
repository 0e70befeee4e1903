"""The view side carries out every message of the turn side, and keeps to the number of a connection."""

from typing import get_args

from gloam_server.engine import messages
from gloam_server.engine.publishing.client_state import ClientState
from gloam_shared.protocol.messages.chat import ChatLine
from support.server.parties import company


def test_every_message_has_a_handler() -> None:
    server, _ = company("Anna")
    assert set(server.view_side._handlers) == set(get_args(messages.ToViewSide))


def test_a_message_to_a_closed_connection_is_dropped() -> None:
    """A number is never given again: what was meant for a lost connection does not reach the next one."""
    server, (anna,) = company("Anna")
    former = anna.connection.number
    anna.cut()
    anna.dial()
    server.advance(60)
    assert anna.connection.number != former
    server.engine.views.take(messages.Say(former, ChatLine("", "late")))
    server.engine.views.take(messages.Say(anna.connection.number, ChatLine("", "in time")))
    server.settle()
    heard = [each.text for each in anna.hear() if isinstance(each, ChatLine)]
    assert "in time" in heard
    assert "late" not in heard


def test_an_overtaken_command_is_not_reported_done() -> None:
    """A level-up choice may be carried out while an older command waits: a cut must not lose that one."""
    client = ClientState(1, "Anna", answered=8, waiting=7)
    assert client.done(8) == 6
    client.waiting = 0
    assert client.done(8) == 8
