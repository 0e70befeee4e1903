"""The title and the screens that it opens: worlds, servers, friends; all by keyboard, Esc one layer back."""

from dataclasses import replace as changed

import pytest
from msgspec import structs

from gloam_client.net.guest.server_questions import ServerStatus
from gloam_client.net.own_worlds import OwnWorld
from gloam_client.screens.title.title import Title
from gloam_client.state import client_effects, client_events
from gloam_client.state.home import Home
from gloam_client.state.model import Model
from gloam_client.terminal.canvas import Canvas
from gloam_client.update import update
from gloam_client.user_files.address import Address
from gloam_client.user_files.recent_servers import RecentServer
from gloam_client.user_files.title_news import TitleNews
from gloam_shared.protocol.invite_code import Ticket
from gloam_shared.text import cells
from support.client.model_in_play import picture, press

SERVERS = (
    RecentServer("play.example.org:7373", "Ann", "level 4, depth 3"),
    RecentServer("[::1]:7400", "Bert", "died on depth 2"),
)
WORLDS = (OwnWorld("gloam", True, False), OwnWorld("jsrogue", False, False), OwnWorld("rltut", True, True))
HOME = Home("", WORLDS, SERVERS, (("play.example.org:7373", ServerStatus("gloam", 3, "1", 24)),))
LINE = "Anna the Bold lit the beacon of the wet caves, and its light falls on all who go down after her."
SIZES = [(44, 20), (44, 24), (60, 20), (80, 24), (120, 40), (250, 100)]
CODE, PIN = "abcdefghij234567", "A" * 43


def title(home: Home = HOME) -> Model:
    return Model(screens=(Title("Ann"),), name="Ann", home=home)


def opened(entry: int) -> Model:
    """Return the screen behind that entry of the title."""
    return press(title(), *["DOWN"] * entry, "ENTER")[0]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("entry", range(8))
def test_every_screen_fills_its_window(entry: int, size: tuple[int, int]) -> None:
    rows = picture(
        structs.replace(base := opened(entry), surface=structs.replace(base.surface, size=size))
    ).split("\n")
    assert [cells(row) for row in rows] == [size[0]] * size[1]
    assert "? help" in rows[-1]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize(
    ("news", "where"),
    [
        (TitleNews("play.example.org:7373", "gloam", LINE), "at play.example.org:7373"),
        (TitleNews("", "gloam", LINE), "in your world (gloam)"),
    ],
)
def test_the_newest_line_stands_below(size: tuple[int, int], news: TitleNews, where: str) -> None:
    """It is in the picture where there is room, and in the lines of text; keys and entries stay where they are."""
    model = title(HOME._replace(news=news))
    model = structs.replace(model, surface=structs.replace(model.surface, size=size))
    rows = picture(model).split("\n")
    before = picture(structs.replace(model, home=HOME)).split("\n")
    assert [cells(row) for row in rows] == [size[0]] * size[1]
    text = " ".join(" ".join(rows).split())
    assert (f"The newest {where}: {LINE}" in text) == (size[0] >= 80), "it is whole or not there"
    assert ("The newest" in text) == (size[0] >= 80)
    changed_rows = [at for at, (one, other) in enumerate(zip(before, rows, strict=True)) if one != other]
    assert all(at > next(at for at, row in enumerate(rows) if "Enter takes" in row) for at in changed_rows)
    assert rows[-1] == before[-1]
    canvas = Canvas(*size)
    model.top.draw(model, canvas)
    assert canvas.listing is not None
    assert canvas.listing.head[1:] == (f"The newest {where}: {LINE}",)


@pytest.mark.parametrize("entry", [1, 2, 3, 4, 6, 7])
def test_esc_leads_one_layer_back_to_the_title(entry: int) -> None:
    model = opened(entry)
    assert len(model.screens) == 2
    back, _ = press(model, "ESC")
    assert [screen.state for screen in back.screens] == ["title"]
    assert back.screens[0] == changed(Title("Ann"), marked=entry)
    assert press(back, "ESC")[1] == [client_effects.LeaveGame()]


def test_a_wrong_name_is_refused_before_each_way_in() -> None:
    nameless, _ = press(title(), "CTRL_U")
    for entry in range(5):
        model, wanted = press(nameless, *["DOWN"] * entry, "ENTER")
        assert (len(model.screens), wanted) == (1, [])
        assert "2 to 16" in picture(model)


def test_enter_alone_continues_here_and_says_what() -> None:
    assert "> Continue here (gloam)" in picture(title())
    assert press(title(), "ENTER")[1] == [client_effects.StartJoining("Ann")]
    new = Home("jsrogue", WORLDS)
    assert "> Play here (jsrogue, a new world)" in picture(title(new))


def test_a_new_world_takes_a_campaign_and_a_seed() -> None:
    """A campaign without a world begins one, with the typed seed; a world that exists keeps its seed."""
    model, _ = press(opened(1), "DOWN", "4", "2", "3", "BACKSPACE")
    assert "seed: 42" in picture(model)
    assert press(model, "ENTER")[1] == [client_effects.GoTo("Ann", campaign="jsrogue", seed=42)]
    model, _ = press(opened(1), "7")
    assert "has its seed" in model.flash.text
    assert press(model, "ENTER")[1] == [client_effects.GoTo("Ann", campaign="gloam")]
    long, _ = press(opened(1), "DOWN", *"9" * 60)
    [there] = press(long, "ENTER")[1]
    assert isinstance(there, client_effects.GoTo)
    assert there.seed is not None
    assert there.seed < 2**62


def test_deleting_a_world_asks_first() -> None:
    model, wanted = press(opened(1), "D")
    assert wanted == []
    assert "every life" in picture(model)
    assert press(model, "n")[1] == []
    assert press(model, "y")[1] == [client_effects.DeleteWorld("gloam")]
    assert "no world of that campaign" in press(opened(1), "DOWN", "D")[0].flash.text


def test_servers_show_players_latency_and_life() -> None:
    """The list has each server with its players and latency now, and this player's last life there."""
    model, wanted = press(title(), *["DOWN"] * 3, "ENTER")
    assert wanted == [
        client_effects.ProbeServer(Address("play.example.org")),
        client_effects.ProbeServer(Address("::1", 7400)),
    ]
    shown = picture(structs.replace(model, surface=structs.replace(model.surface, size=(120, 30))))
    assert "gloam, 3 playing, 24 ms" in shown
    assert "Ann: level 4, depth 3" in shown
    assert "asking ..." in shown
    refused = HOME._replace(statuses=(*HOME.statuses, ("[::1]:7400", "No route.")))
    model, _ = update(model, client_events.HomeChanged(refused), 0)
    assert "no answer" in picture(model)


@pytest.mark.parametrize(("entry", "watches"), [(3, False), (4, True)])
def test_a_server_is_joined_by_list_or_address(entry: int, watches: bool) -> None:
    model = opened(entry)
    here = client_effects.GoTo("Ann", Address("play.example.org"), Ticket(""), watches=watches)
    assert press(model, "ENTER")[1] == [here]
    assert press(model, "DOWN", "ENTER")[1] == [
        client_effects.GoTo("Ann", Address("::1", 7400), Ticket(""), watches=watches)
    ]
    assert press(model, *"host:70", "ENTER")[1] == [
        client_effects.GoTo("Ann", Address("host", 70), Ticket(""), watches=watches)
    ]
    refused, wanted = press(model, *"host:99999", "ENTER")
    assert wanted == []
    assert "no port" in refused.flash.text
    line = f"gloam join host/{CODE}.{PIN}\n"
    pasted, _ = update(model, client_events.TextPasted(line), 0)
    assert press(pasted, "ENTER")[1] == [
        client_effects.GoTo("Ann", Address("host"), Ticket(CODE, PIN), watches=watches)
    ]


def test_letting_friends_in_shows_the_whole_line() -> None:
    model, wanted = press(title(), "DOWN", "DOWN", "ENTER")
    assert wanted == [client_effects.InviteFriends()]
    assert "Starting your world" in picture(model)
    line = f"gloam join 192.0.2.7:7373/{CODE}.{PIN}"
    ready, _ = update(model, client_events.HomeChanged(HOME._replace(invite=line)), 0)
    for size in SIZES:
        shown = picture(structs.replace(ready, surface=structs.replace(ready.surface, size=size)))
        assert line in "".join(row.strip("| ") for row in shown.split("\n"))
        assert "firewall" in shown
    assert press(ready, "ENTER")[1] == [client_effects.StartJoining("Ann")]
    failed, _ = update(model, client_events.HomeChanged(HOME._replace(invite_fault="The port is taken.")), 0)
    assert "The port is taken." in picture(failed)


def test_hostile_words_of_servers_are_drawn_safely() -> None:
    hostile = HOME._replace(
        statuses=(("play.example.org:7373", ServerStatus("\x1b[2J" + "漢" * 300, 2**31 - 1, "\x07", 2**31)),)
    )
    for entry in range(8):
        model, _ = press(title(hostile), *["DOWN"] * entry, "ENTER")
        assert all(cells(row) == 80 and row.isprintable() for row in picture(model).split("\n"))
