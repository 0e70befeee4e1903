"""The list of replays, and the screen that plays one."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from gloam_client.playback import Playback
from gloam_client.replays.replay_file import load_replay
from gloam_client.replays.replay_library import AboutLife, KeptReplay
from gloam_client.screens.replays.replay_view import ReplayView
from gloam_client.screens.title.title import Title
from gloam_client.state.client_effects import ControlReplay, DeleteReplay, LeaveGame, ListReplays, OpenReplay
from gloam_client.state.client_events import ReplayMoved
from gloam_client.state.home import Home
from gloam_client.state.model import Model
from gloam_client.state.options import DEFAULTS
from gloam_client.state.records import SurfaceFacts
from gloam_client.state.replaying import ReplayShown
from gloam_client.update import update
from support.client.model_in_play import picture, press
from support.client.recorded_life import recorded_life

KEPT = (
    KeptReplay("3f9ac0ffee12", Path("x"), AboutLife("Gloam", "Ann", 2, 0, 3, 4, 812, "ogre", over=True)),
    KeptReplay("77aac0ffee34", Path("y"), AboutLife("\x1b[2JX", "B" * 900, 2**53, 2**53, 2**53, 2**53)),
)


def titled(replays: tuple[KeptReplay, ...] | None = KEPT, size: tuple[int, int] = (80, 24)) -> Model:
    model = Model(
        screens=(Title("Ann"),), name="Ann", home=Home(replays=replays), surface=SurfaceFacts(size=size)
    )
    while "> Replays" not in picture(model):
        model, _ = press(model, "DOWN")
    return model


def played(tmp_path: Path, turn: int, size: tuple[int, int] = (80, 24)) -> Model:
    path = tmp_path / "life"
    path.write_bytes(recorded_life())
    playback = Playback(load_replay(path).steps, DEFAULTS, (80, 24))
    playback.read_ahead(10**6)
    playback.show_turn(turn)
    shown = ReplayShown(
        playback.model, playback.turn, playback.turns, True, True, "2", playback.event, ended=playback.ended
    )
    model = Model(
        screens=(Title("Ann"), ReplayView("Ann, life 1")), name="Ann", surface=SurfaceFacts(size=size)
    )
    return update(model, ReplayMoved(shown), 0)[0]


def test_title_leads_to_the_list_and_to_a_replay() -> None:
    model, wanted = press(titled(), "ENTER")
    assert wanted == [ListReplays()]
    shown = picture(model)
    for words in (
        "Ann, life 2",
        "depth  3",
        "L 4",
        "812 turns",
        "3f9ac0ffee12: Gloam; was killed by an ogre.",
    ):
        assert words in shown
    model, wanted = press(model, "ENTER")
    assert wanted == [OpenReplay("3f9ac0ffee12")]
    assert model.top.state == "replay"
    assert "Reading the recording ..." in picture(model)
    model, wanted = press(model, "ESC")
    assert wanted == [ControlReplay("close")]
    assert model.top.state == "replays"


def test_replay_is_deleted_after_a_question() -> None:
    model, _ = press(titled(), "ENTER", "DOWN", "D")
    assert "Delete the replay of" in picture(model)
    assert press(model, "y")[1] == [DeleteReplay("77aac0ffee34")]
    assert press(model, "n")[1] == []


@pytest.mark.parametrize("replays", [None, (), KEPT, KEPT * 10])
@pytest.mark.parametrize("size", [(44, 20), (60, 20), (80, 24), (250, 100)])
def test_list_fits_every_window(replays: tuple[KeptReplay, ...] | None, size: tuple[int, int]) -> None:
    model, _ = press(titled(replays, size), "ENTER", "DOWN")
    rows = picture(model).split("\n")
    assert [len(row) for row in rows] == [size[0]] * size[1]
    assert not any("\x1b" in row for row in rows)


@pytest.mark.parametrize("size", [(44, 20), (60, 20), (80, 24), (120, 40), (250, 100)])
def test_replay_draws_the_dungeon_as_it_was(tmp_path: Path, size: tuple[int, int]) -> None:
    model = played(tmp_path, 12, size)
    rows = picture(model).split("\n")
    assert rows[0].startswith(" Replay: turn 12 of ")
    assert "paused" in rows[0]
    assert any("@" in row for row in rows[1:])
    assert any("Anna HP" in row or "HP" in row for row in rows)


def test_end_of_a_replay_shows_the_death(tmp_path: Path) -> None:
    model = played(tmp_path, 10**6)
    assert "the end; was killed by an ogre" in picture(model).split("\n")[0]
    assert "You are dead" in picture(model)


@pytest.mark.parametrize(
    ("key", "control"),
    [
        (" ", ControlReplay("pause")),
        ("+", ControlReplay("faster")),
        ("-", ControlReplay("slower")),
        ("RIGHT", ControlReplay("by", 1)),
        ("LEFT", ControlReplay("by", -1)),
        ("UP", ControlReplay("by", 10)),
        ("DOWN", ControlReplay("by", -10)),
        ("PGDN", ControlReplay("by", 100)),
        ("PGUP", ControlReplay("by", -100)),
        ("HOME", ControlReplay("by", -(2**31))),
        ("END", ControlReplay("by", 2**31)),
        ("n", ControlReplay("next")),
        ("p", ControlReplay("previous")),
    ],
)
def test_keys_of_a_replay(tmp_path: Path, key: str, control: ControlReplay) -> None:
    assert press(played(tmp_path, 3), key)[1] == [control]


def test_turn_is_typed(tmp_path: Path) -> None:
    model, wanted = press(played(tmp_path, 3), "g", "1", "7", "x")
    assert wanted == []
    assert "Go to turn: 17_" in picture(model)
    assert press(model, "BACKSPACE", "ENTER")[1] == [ControlReplay("to", 1)]
    assert press(model, "ESC")[0].top.state == "replay"
    assert press(model, "ESC", " ")[1] == [ControlReplay("pause")]
    assert press(model, *"99999999", "ENTER")[1] == [ControlReplay("to", 1_799_999)]


def test_no_key_of_a_replay_acts_in_the_dungeon(tmp_path: Path) -> None:
    model, wanted = press(played(tmp_path, 3), "y", "o", "TAB", "ENTER", ".")
    assert wanted == []
    assert "No command on" in model.flash.text


def test_what_cannot_be_played_says_why() -> None:
    model = Model(screens=(ReplayView("x"),))
    model, _ = update(model, ReplayMoved(ReplayShown(whole=True, fault="x is damaged.")), 0)
    assert "x is damaged." in picture(model)
    assert press(model, "ESC")[1] == [LeaveGame()]


def test_late_news_of_a_closed_replay_changes_nothing() -> None:
    model = titled()
    assert update(model, ReplayMoved(ReplayShown()), 0)[0] == replace(model, now_ms=0)
