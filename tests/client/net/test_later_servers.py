"""A server of a later version: what this client does not know it ignores, and what it knows arrives all the same."""

from typing import Any

import msgpack
import pytest

from gloam_client.game_session import messages_received
from gloam_client.net.protocol_client import ProtocolClient
from gloam_client.render.frame import draw
from gloam_client.screens.play import Play
from gloam_client.state.model import Model
from gloam_client.update import update
from gloam_shared.protocol.codec import UnknownKind, decode_from_server, encode
from gloam_shared.protocol.framing import frame
from gloam_shared.protocol.messages.chat import ChatLine
from gloam_shared.protocol.messages.play import Heartbeat, Update
from gloam_shared.view.changes import Sheet
from gloam_shared.view.run_length import diff_values
from gloam_shared.view.view import Stat
from support.client.joined_client import joined_link, whole, wire


def raw(*fields: Any) -> bytes:
    """Return a frame round any list."""
    return frame(msgpack.packb(list(fields)))


def playing() -> ProtocolClient:
    link = joined_link()
    link.receive(wire(whole()), 0)
    return link


def test_a_message_of_an_unknown_kind_is_passed_over() -> None:
    link = playing()
    came = link.receive(raw(125, "more", [1]) + wire(ChatLine("Bert", "hi")) + raw(126), 0)

    assert came == [ChatLine("Bert", "hi")]
    with pytest.raises(UnknownKind):
        decode_from_server(msgpack.packb([125]))


@pytest.mark.parametrize("message", [ChatLine("Bert", "hi"), Heartbeat(1, 2)])
def test_fields_end_message_passed_over(message: ChatLine | Heartbeat) -> None:
    """Fields at the end of a message are passed over."""
    assert decode_from_server(msgpack.packb([*msgpack.unpackb(encode(message)), "more", [1, 2]])) == message


def test_unknown_change_skipped() -> None:
    """An unknown change is skipped and the others are applied."""
    link = playing()
    before = link.view
    link.receive(raw(67, [[99, [1, 2]], [6, [1, 33]], [64]], 5), 0)

    assert link.view.fact(Stat.HP) == 33
    assert link.view.creatures == before.creatures
    assert link.done == 5
    link.receive(raw(67, [[15, 0]]), 0)
    assert link.view.cell == before.cell - before.place.width, "the two sides are in step still"


def test_a_change_with_more_fields_is_applied() -> None:
    link = playing()
    link.receive(raw(67, [[6, [1, 33], "more"], [15, 0, 7]]), 0)

    assert link.view.fact(Stat.HP) == 33


def test_more_numbers_of_the_sheet_are_passed_over() -> None:
    link = playing()
    link.receive(wire(Update((Sheet((len(Stat), 5, Stat.HP, 3, 1_000, 1)),))), 0)

    assert link.view.fact(Stat.HP) == 3
    assert len(link.view.sheet) == len(Stat)


def test_unknown_terrain_marks_traits() -> None:
    """Unknown terrain marks traits and hunger are drawn as something."""
    link = playing()
    view = link.view
    strange = bytes([200]) * len(view.terrain)
    come = [8, view.cell + 1, 3, 5, 1, 4 | 4_096, "r", "ultraviolet", "rat", 0, 0, 0, None, [], "more"]
    carried = [0, "/", "white", "sword", 1 << 20, 0, 0, 0]
    link.receive(
        raw(
            67,
            [
                [2, diff_values(view.terrain, strange, view.place.width)],
                [4, [], [come]],
                [6, [12, 99]],
                [11, [], [carried]],
            ],
        ),
        0,
    )
    model, _ = update(Model(screens=(Play(),), name="Ann"), messages_received(link, []), 0)

    assert link.view.terrain == strange
    assert any("r" in row for row in draw(model).rows())


@pytest.mark.parametrize(
    "change", [[], ["six", 1], [6], [6, "x"], 7, [15, 8], [15, -1], [16, [7]], [True, 1]], ids=str
)
def test_known_change_bent_breaks_line(change: Any) -> None:
    """A known change that is bent still breaks the line."""
    link = playing()
    with pytest.raises(Exception, match=r"read|fit"):
        link.receive(raw(67, [change]), 0)
