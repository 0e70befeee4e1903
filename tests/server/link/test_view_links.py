"""The turn process's end of the links: who gets which message, what a link that ends costs, and what is refused."""

from typing import get_args

from msgspec.structs import replace

from gloam_server.engine import messages
from gloam_server.link.link_messages import (
    Address,
    Closed,
    Hello,
    Opened,
    Request,
    encode,
)
from gloam_server.net.connection_counts import AdmissionStatus
from gloam_shared.protocol.commands import Wait
from gloam_shared.protocol.messages.chat import SendChat
from gloam_shared.protocol.messages.play import SubmitCommand
from support.link.sim_views import CODE
from support.server.parties import SPACING_MS, noticed
from support.server.sim_server import SimServer


def test_every_message_has_a_way() -> None:
    server = SimServer(views=1)
    assert set(server.process.links._handlers) == set(get_args(messages.ToViewSide))


def test_a_dead_view_process_costs_its_connections() -> None:
    server = SimServer(views=2)
    anna, bert = server.join("Anna"), server.join("Bert")
    server.views[0].kill()
    server.settle()
    assert (anna.up, bert.up) == (False, True)
    assert [each.name for each in server.engine.players.connected()] == ["Bert"]
    anna.dial()
    server.advance(SPACING_MS)
    assert anna.up
    assert [each.name for each in server.engine.players.connected()] == ["Anna", "Bert"]


def test_a_late_view_process_knows_the_party() -> None:
    server = SimServer(views=1)
    server.join("Anna")
    noticed(server)
    late = server.begin_view().running.view_side
    assert late.clients.count_connected() == 1
    assert [each.name for each in late.broadcaster.party.party] == ["Anna"]


def test_a_view_process_of_other_code_is_refused() -> None:
    server = SimServer(views=1)
    other = server.new_view(2, code=replace(CODE, link=CODE.link + 1))
    server.settle()
    (why,) = other.ended
    assert why == (
        "the view process has other code than the turn process (link differ); start the server again, so that all of its "
        "processes are of one version"
    )
    assert not other.up.is_open
    assert server.views[0].up.is_open


def test_a_view_process_of_another_version_is_welcome() -> None:
    """Two versions of the program meet in a rolling restart, if rules, states, libraries and the link are equal."""
    server = SimServer(views=1)
    other = server.new_view(2, code=replace(CODE, gloam="another"))
    server.settle()
    assert not other.ended
    assert other.up.is_open


def test_what_comes_for_a_closed_connection_is_dropped() -> None:
    server = SimServer(views=1)
    anna = server.join("Anna")
    up, number = server.views[0].up, anna.connection.number
    up.send(encode(Closed(number)))
    up.send(encode(Request(number, SendChat("late"))))
    up.send(encode(Request(number, SubmitCommand(9, 0, Wait()))))
    up.send(encode(Closed(number)))
    server.advance(SPACING_MS)
    assert server.engine.players.connected() == []
    assert up.is_open


def test_another_links_number_cuts_the_link() -> None:
    server = SimServer(views=2)
    bert_at = server.views[1].up
    server.views[0].up.send(
        encode(Opened((2 << 32) + 5, Address("v4", "10.0.0.1", 7), AdmissionStatus.ADMITTED))
    )
    server.settle()
    assert not server.views[0].up.is_open
    assert bert_at.is_open


def test_a_second_hello_cuts_the_link() -> None:
    server = SimServer(views=1)
    server.views[0].up.send(encode(Hello(CODE, 1)))
    server.settle()
    assert not server.views[0].up.is_open
