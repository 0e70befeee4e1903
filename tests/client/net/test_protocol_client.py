"""The link against a scripted server: what goes out, in which order, what is known, and what breaks it."""

from typing import Final

import pytest
from msgspec.structs import replace

from gloam_client.net.protocol_client import ProtocolBroken, ProtocolClient
from gloam_shared import limits
from gloam_shared.protocol.codec import encode
from gloam_shared.protocol.commands import Choose, Duel, Move, Wait
from gloam_shared.protocol.framing import frame
from gloam_shared.protocol.messages import play
from gloam_shared.protocol.messages.chat import SendChat
from gloam_shared.protocol.messages.lives import Died
from gloam_shared.protocol.messages.login import Error, Login
from gloam_shared.protocol.messages.records import MapMemory
from gloam_shared.protocol.registry import FromServer
from gloam_shared.view import patch
from gloam_shared.view.changes import AnyChange, Creatures, Entered, Inventory, Items, Sheet
from gloam_shared.view.place import Place
from gloam_shared.view.view import NOWHERE, Creature, CreatureFlag, InventoryItem, Item
from support.client.fake_server import level_view
from support.client.joined_client import HELLO, TOKEN, greeted, joined_link, sent, whole, wire


def test_new_connection_says_hello() -> None:
    """A new connection says hello and logs in immediately."""
    link = ProtocolClient("Ann", TOKEN, "test")
    link.connected(0)

    assert [HELLO, Login("Ann", TOKEN)] == sent(link)


def test_command_numbers_go() -> None:
    """Command numbers go on after the last number of the life."""
    link = joined_link(number=41)

    assert link.command(Wait(), 0) == 42
    assert [play.SubmitCommand(42, 0, Wait())] == sent(link)


def test_update_builds_view() -> None:
    """An update builds the view and a command carries its acknowledgement."""
    link = joined_link()
    link.receive(wire(whole()), 10)

    assert level_view() == link.view
    link.command(Move(1, 0), 20)
    assert [play.SubmitCommand(1, 1, Move(1, 0))] == sent(link)
    assert link.tick_due_ms is None


def test_lone_acknowledgement_waits_command() -> None:
    """A lone acknowledgement waits for a command and then goes alone."""
    link = joined_link()
    link.receive(wire(whole()), 100)
    link.tick(100 + limits.ACK_DELAY_MS - 1)
    assert sent(link) == []

    link.tick(100 + limits.ACK_DELAY_MS)
    assert [play.Acknowledge(1)] == sent(link)
    link.tick(1_000)
    assert sent(link) == []


def test_any_slicing_of_the_bytes_gives_the_same_view() -> None:
    link = joined_link()
    data = wire(whole(), play.Pace(held=True, waiting=False, plan=False), play.Heartbeat(9, 17))
    for at in range(len(data)):
        link.receive(data[at : at + 1], 5)

    assert level_view() == link.view
    assert link.pace.held
    assert link.round_trip_ms == 17
    assert [play.HeartbeatReply(9)] == sent(link)


def test_a_whole_update_forgets_what_was_known() -> None:
    link = joined_link()
    link.receive(wire(whole()), 0)
    other = level_view(drawing="####\n#..#\n####", at=(1, 1))
    link.receive(wire(play.Update(patch.diff(NOWHERE, other), whole=True)), 0)

    assert other == link.view


def test_a_refusal_of_a_login_is_for_the_player() -> None:
    link = greeted(ProtocolClient("Ann", TOKEN, "test"))

    assert link.receive(wire(Error("auth", "Wrong.")), 5) == [Error("auth", "Wrong.")]
    assert sent(link) == []


@pytest.mark.parametrize("liberty", [Choose(1), Duel(7)])
def test_takes_no_turn_waits_command(liberty: Choose | Duel) -> None:
    """A command that takes no turn waits for the command before it."""
    link = joined_link()
    assert [link.command(Move(1, 0), 0), link.command(liberty, 5)] == [1, 2]
    assert sent(link) == [play.SubmitCommand(1, 0, Move(1, 0))]
    link.receive(wire(play.Update((), 1)), 40)

    assert sent(link) == [play.SubmitCommand(2, 1, liberty)]
    assert link.unanswered_since_ms == 40
    link.receive(wire(play.Update((), 2)), 50)
    assert link.unanswered_since_ms is None


def test_commands_behind_choice_go_after_another() -> None:
    """Commands behind a choice go out one after another."""
    link = joined_link()
    for command in (Choose(0), Move(1, 0), Choose(1)):
        link.command(command, 0)
    seen = [sent(link)]
    for number in (1, 2, 3):
        link.receive(wire(play.Answer(number, "done")), 0)
        seen.append(sent(link))

    assert seen == [
        [play.SubmitCommand(1, 0, Choose(0))],
        [play.SubmitCommand(2, 0, Move(1, 0))],
        [play.SubmitCommand(3, 0, Choose(1))],
        [],
    ]


def test_commands_behind_choice_newest_wins() -> None:
    """Of the commands behind a choice the newest wins."""
    link = joined_link()
    link.command(Choose(0), 0)
    for dx in (1, -1, 0):
        link.command(Move(dx, 1), 0)
    link.command(Choose(1), 0)
    sent(link)
    link.receive(wire(play.Answer(1, "done")), 0)
    assert sent(link) == [play.SubmitCommand(4, 0, Move(0, 1))]
    link.receive(wire(play.Answer(4, "done")), 0)

    assert sent(link) == [play.SubmitCommand(5, 0, Choose(1))]


@pytest.mark.parametrize("answer", [play.Answer(1, "cannot", "No."), play.Update((), 1)])
def test_a_refusal_and_a_done_number_both_answer(answer: FromServer) -> None:
    link = joined_link()
    link.command(Wait(), 0)
    link.receive(wire(answer), 5)

    assert link.unanswered_since_ms is None
    assert link.done == 1


def test_a_command_of_an_ended_life_waits_no_more() -> None:
    """Older servers answer no command of the turn that ended the life: the screen of the death shows no wait for it."""
    link = joined_link()
    link.command(Wait(), 0)
    link.receive(wire(play.Update((), 0), Died("a rat", 1, 1, 0, 9, 0, 0)), 5)

    assert link.unanswered_since_ms is None


def test_older_answer_leaves_newest_command() -> None:
    """An older answer leaves the newest command unanswered."""
    link = joined_link()
    link.command(Wait(), 3)
    link.command(Move(1, 0), 4)
    link.receive(wire(play.Answer(1, "replaced")), 5)

    assert link.unanswered_since_ms == 3


def test_what_is_said_goes_out_as_it_is() -> None:
    link = joined_link()
    link.say("hello")

    assert [SendChat("hello")] == sent(link)


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"HTTP/1.1 400 Bad Request\r\n\r\n", "frame"),
        (b"SSH-2.0-OpenSSH_9.2\r\n", "foreign"),
        (b"\x16\x03\x01\x02\x00", "foreign"),
        (frame(b"\xc1"), "malformed"),
        (frame(encode(play.Update((Sheet((-1, 1)),), whole=True))), "patch"),
        (frame(encode(play.Update((Creatures(moved=(5, 6)),)))), "patch"),
    ],
)
def test_bytes_cannot_gone_break_link_code(data: bytes, code: str) -> None:
    """Bytes that cannot be gone on from break the link with a code."""
    link = joined_link() if code in ("malformed", "patch") else ProtocolClient("Ann", TOKEN, "test")
    if code not in ("malformed", "patch"):
        link.connected(0)

    with pytest.raises(ProtocolBroken) as broken:
        link.receive(data, 1)
    assert code == broken.value.code


@pytest.mark.rule("A73")
@pytest.mark.parametrize("size", [262_143, 262_144, 262_145])
def test_a_frame_from_the_server_has_at_most_256_kib(size: int) -> None:
    """bound: FRAME_FROM_SERVER_MAX."""
    link = joined_link()
    spare = len(encode(MapMemory(1, 1, 1, bytes(70_000)))) - 70_000
    data = frame(encode(MapMemory(1, 1, 1, bytes(size - spare))))
    if size <= limits.FRAME_FROM_SERVER_MAX:
        assert len(link.receive(data, 1)) == 1
        return
    with pytest.raises(ProtocolBroken, match="too long") as broken:
        link.receive(data[:3], 1)
    assert broken.value.code == "frame"


def test_the_view_tells_where_the_body_stands() -> None:
    link = joined_link()
    link.receive(wire(whole()), 0)

    assert link.view.at(link.view.cell) is not None


BERT: Final = Creature(20, 0, 9, 9, 1, CreatureFlag.PLAYER, "@", "white", "Bert")
SWORD: Final = InventoryItem(0, "/", "white", "sword", 0, 0, 0, 0)


@pytest.mark.rule("A73")
@pytest.mark.parametrize(
    "change",
    [
        Creatures(come=(replace(BERT, cell=96 * 22),)),
        Creatures(come=(replace(BERT, cell=-1),)),
        Creatures(moved=(7, 2**40)),
        Items(come=(Item(30, 96 * 22, 1, "!", "red", "potion"),)),
        Inventory(come=(replace(SWORD, slot=26),)),
        Inventory(come=(replace(SWORD, slot=-1),)),
        Entered(Place(1, 0, 9, "nowhere")),
        Entered(Place(1, 9, 0, "nowhere")),
    ],
)
def test_view_no_level_could_give_breaks_link(change: AnyChange) -> None:
    """A view that no level could give breaks the link."""
    link = joined_link()
    link.receive(wire(whole()), 0)

    with pytest.raises(ProtocolBroken) as caught:
        link.receive(wire(play.Update((change,))), 0)

    assert caught.value.code == "patch"


def test_life_ended_shown_reported_without_level() -> None:
    """A life that ended before its first view has no level in the list."""
    link = joined_link()
    link.receive(wire(play.Update((Sheet((1, 0)),), 3)), 0)

    assert link.done == 3
