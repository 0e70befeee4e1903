"""Watching in the client: the list, the view of a player, and who watches this player."""

import pytest
from msgspec.structs import replace as changed

from gloam_client.screens.play import Play
from gloam_client.state import client_events
from gloam_client.state.client_effects import SendMessage, StartWatching, StopWatching, WatchPlayer
from gloam_client.state.model import Model
from gloam_client.update import update
from gloam_shared.protocol.messages.lives import Died
from gloam_shared.protocol.messages.login import Welcome
from gloam_shared.protocol.messages.watching import (
    AskWatchable,
    EndWatching,
    Watchable,
    WatchablePlayer,
    Watchers,
    Watching,
)
from gloam_shared.text import cells
from gloam_shared.view.view import NOWHERE
from support.client.model_in_play import heard, picture, playing, press

PLAYERS = (
    WatchablePlayer("Anna", 3, 2, 4, 1, 10),
    WatchablePlayer("Bert", 11, 9, 75, 0, 0),
    WatchablePlayer("Cleo", 1, 1, 600, 2, 10),
)
SIZES = [(60, 20), (80, 24), (120, 40), (250, 100)]


def listing(*players: WatchablePlayer) -> Model:
    """Return a client that has joined to watch, and has the list."""
    model, _ = update(
        Model(screens=(Play(),), name="Dora"), client_events.JoinStarted("Dora", "here:7373", watches=True), 0
    )
    return update(model, heard(Watchable(players), view=NOWHERE), 0)[0]


def watching() -> Model:
    """Return a client that watches Anna."""
    model, _ = update(listing(*PLAYERS), heard(Watching("Anna", 10), view=NOWHERE), 0)
    return model


@pytest.mark.parametrize("size", SIZES)
def test_the_list_says_how_active_each_player_is(size: tuple[int, int]) -> None:
    """U46: the list shows name, level, depth, activity, delay and watchers of each player."""
    rows = picture(changed(base := listing(*PLAYERS), surface=changed(base.surface, size=size))).split("\n")
    assert [cells(row) for row in rows] == [size[0]] * size[1]
    shown = {row.split()[1]: row for row in rows if " L " in row}
    assert list(shown) == ["Anna", "Bert", "Cleo"]
    assert "active" in shown["Anna"]
    assert "10 s late, 1 watches" in shown["Anna"]
    assert "idle 75 s" in shown["Bert"]
    assert "at once" in shown["Bert"]
    assert "idle 10 min" in shown["Cleo"]


def test_enter_watches_and_esc_leads_back_by_layers() -> None:
    """U46: Enter watches the marked player, Esc leads to the list, and Esc there away from it."""
    model, wanted = press(listing(*PLAYERS), "DOWN", "ENTER")
    assert wanted == [WatchPlayer("Bert")]
    model, _ = update(model, heard(Watching("Bert"), view=NOWHERE), 0)
    assert model.top.state == "watching"
    model, wanted = press(model, "ESC")
    assert wanted == [WatchPlayer("")]
    model, _ = update(model, heard(Watching(""), view=NOWHERE), 0)
    assert model.top.state == "watch list"
    assert press(model, "ESC")[1] == [StopWatching()]
    assert press(model, "r")[1] == [SendMessage(AskWatchable())]


@pytest.mark.rule("A57")
@pytest.mark.parametrize("size", SIZES)
def test_the_view_says_who_it_is_and_how_late(size: tuple[int, int]) -> None:
    """U46: the first line names the player and the delay, before and after the first view has arrived."""
    model = changed(base := watching(), surface=changed(base.surface, size=size))
    assert "You watch Anna, 10 s late." in picture(model)
    assert "The view begins 10 s after" in picture(model)
    model, _ = update(model, heard(), 0)
    shown = picture(model)
    assert "You watch Anna, 10 s late." in shown
    assert "The view begins" not in shown
    assert "HP" in shown


@pytest.mark.rule("A56")
def test_no_key_of_a_watcher_acts() -> None:
    """A56: no key of a watcher sends a command, and each gets an answer."""
    model, _ = update(watching(), heard(), 0)
    for key in (*map(chr, range(33, 127)), "UP", "ENTER", "TAB"):
        after, wanted = press(model, key)
        assert not any(isinstance(each, SendMessage) or "Command" in type(each).__name__ for each in wanted)
        assert wanted or after.flash.text or after.screens != model.screens


def test_the_end_of_watching_shows_its_reason() -> None:
    model, _ = update(watching(), heard(Watching("", 0, "Anna has ended your watching."), view=NOWHERE), 0)
    assert model.top.state == "watch list"
    assert "Anna has ended your watching." in picture(model)
    assert not model.in_dungeon


def test_a_player_sees_watchers_and_ends_one() -> None:
    """U46: the log says who begins and stops, a screen lists them, and Enter there ends one."""
    model, _ = update(playing(), heard(Welcome(2, "arena", 1, 9, abilities=("watch",))), 0)
    model, _ = update(model, heard(Watchers(("Dora", "Emil"))), 0)
    assert [entry.text for entry in model.messages.entries][-2:] == ["Dora watches you.", "Emil watches you."]
    model, _ = press(model, "CTRL_E", "DOWN")
    assert "Emil" in picture(model)
    assert press(model, "ENTER")[1] == [SendMessage(EndWatching("Emil"))]
    model, _ = update(model, heard(Watchers(("Dora",))), 0)
    assert model.messages.entries[-1].text == "Emil no longer watches you."
    assert press(press(model, "ESC")[0], "CTRL_E", "ESC")[0].top.state == "play"


def test_an_older_server_says_that_it_has_no_watchers() -> None:
    shown = picture(press(playing(), "CTRL_E")[0])
    assert "This server is older" in shown


def test_the_dead_may_watch() -> None:
    """U46: from the end of a life, one key leads to the list."""
    model, _ = update(playing(), heard(Died("rat", 2, 3, 45, 678, 9, 5)), 0)
    assert press(model, "W")[1] == [StartWatching("Ann")]
    model, _ = update(model, client_events.JoinStarted("Ann", "here", watches=True), 0)
    assert [screen.state for screen in model.screens] == ["watch list"]
    assert not model.in_dungeon
    back, _ = update(model, client_events.JoinStarted("Ann", "here"), 0)
    assert [screen.state for screen in back.screens] == ["play"]
    assert not back.company.watch.here


def test_names_of_a_hostile_server_are_drawn_safely() -> None:
    hostile = "A\x1b[2J\u202e" + "漢" * 40
    model = listing(WatchablePlayer(hostile, 2**31 - 1, 2**31 - 1, 2**31 - 1, 2**31 - 1, 2**31 - 1))
    model, _ = update(model, heard(Watchers((hostile, "B\x07")), view=NOWHERE), 0)
    for each in (model, update(model, heard(Watching(hostile, 10), view=NOWHERE), 0)[0]):
        rows = picture(each).split("\n")
        assert all(cells(row) == 80 and row.isprintable() for row in rows)
