"""The list of a host's dungeons: a letter or Enter goes into one, and a hostile list does no harm."""

import pytest
from msgspec import structs

from gloam_client.net.guest.server_questions import ServerStatus
from gloam_client.screens.play import Play
from gloam_client.state.client_effects import AskBoard, ClientEffect, GoTo, ProbeServer, StopWatching
from gloam_client.state.client_events import DungeonsReceived, HomeChanged, JoinStarted
from gloam_client.state.home import Home
from gloam_client.state.model import Model
from gloam_client.state.players.ladder import LadderOwner
from gloam_client.update import update
from gloam_client.user_files.address import Address
from gloam_shared import limits
from gloam_shared.protocol.messages.dungeons import DungeonRow, Dungeons
from gloam_shared.protocol.messages.records import AskLadder
from gloam_shared.text import cells
from support.client.frames import WINDOW_SIZES
from support.client.model_in_play import picture, press

HERE = Address("play.example.org", 9000)
ROWS = (
    DungeonRow("first", "The Gloam", 7373, served=True),
    DungeonRow("second", "The Cave", 7374, served=True),
    DungeonRow("third", "The Cave", 7375, served=False),
)


def shown(
    rows: tuple[DungeonRow, ...] = ROWS, here: str = "second", *, watches: bool = False
) -> tuple[Model, tuple[ClientEffect, ...]]:
    """Return the list of a host that was dialed at a port that it does not name, and the effects."""
    model = Model(screens=(Play(),), name="Ann")
    return update(model, DungeonsReceived(HERE, Dungeons(here, rows), watches), 0)


def test_the_list_asks_each_server_who_plays() -> None:
    """The dialed dungeon keeps the dialed address, also where the host has another port for it."""
    model, effects = shown()
    assert effects == (ProbeServer(Address("play.example.org", 7373)), ProbeServer(HERE))
    statuses = (
        ("play.example.org:7373", ServerStatus("gloam", 3, "1", 24)),
        (str(HERE), "It does not answer."),
    )
    told = update(model, HomeChanged(Home(statuses=statuses)), 0)[0]
    rows = picture(told)
    for words in ("a - first", "The Gloam", "3 playing, 24 ms", "no answer", "not served now"):
        assert words in rows


@pytest.mark.parametrize("watches", [False, True])
def test_a_letter_and_enter_go_into_a_dungeon(watches: bool) -> None:  # a parameter
    model, _ = shown(watches=watches)
    assert press(model, "ENTER")[1] == [GoTo("Ann", HERE, watches=watches, chosen=True)]
    first = Address("play.example.org", 7373)
    assert press(model, "a")[1] == [GoTo("Ann", first, watches=watches, chosen=True)]
    assert press(model, "UP", "ENTER")[1] == [GoTo("Ann", first, watches=watches, chosen=True)]


def test_a_dungeon_without_a_server_is_refused() -> None:
    model, effects = press(shown()[0], "c")
    assert effects == []
    assert "No server has third open now; Ctrl-R asks again." in picture(model)
    assert press(model, "CTRL_R")[1] == [GoTo("Ann", HERE)]
    assert press(model, "ESC")[1] == [StopWatching()]


def test_the_ladder_of_the_marked_dungeon_opens() -> None:
    model, effects = press(shown()[0], "UP", "#")
    owner = LadderOwner(Address("play.example.org", 7373))
    assert effects == [AskBoard(owner, AskLadder(name="Ann"))]
    assert [screen.state for screen in press(model, "ESC")[0].screens] == ["play", "dungeons"]


def test_the_list_ends_with_the_next_login() -> None:
    model = update(shown()[0], JoinStarted("Ann", str(HERE)), 0)[0]
    assert [screen.state for screen in model.screens] == ["play"]


@pytest.mark.parametrize("size", WINDOW_SIZES)
def test_a_hostile_list_fills_the_window_and_no_more(size: tuple[int, int]) -> None:
    """Thousands of rows, escape sequences, long names, ports that are none: at most one row for each letter."""
    wild = DungeonRow("\x1b[2J\x1b]0;x\x07" + "n" * 1_000, "\x9b31m" + "漢" * 500, 2_000_000_000, served=True)
    far = DungeonRow("\u202eelsewhere\n\n", "t\r" * 400, 1, served=True)
    model, effects = shown((wild, *(far,) * 9_000), here="")
    assert len(effects) == limits.DUNGEONS_MAX - 1
    assert {each.address.host for each in effects if isinstance(each, ProbeServer)} == {HERE.host}
    drawn = picture(structs.replace(model, surface=structs.replace(model.surface, size=size)))
    rows = drawn.split("\n")
    assert [cells(row) for row in rows] == [size[0]] * size[1]
    assert not any(sign in drawn for sign in "\x1b\x07\x9b\u202e\r")
    assert press(model, "z")[1] == []


def test_a_list_without_a_port_keeps_the_dialed_one() -> None:
    model, _ = shown((DungeonRow("x", "", 65_536, served=False),) * 2, here="\x1b[2J")
    assert press(model, "ENTER")[1] == [GoTo("Ann", HERE, chosen=True)]
