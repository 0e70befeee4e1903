"""The title's ladders and the seed of the day: one life, then its result."""

import pytest
from msgspec.structs import replace as changed

from gloam_client.net.daily import DailyResult
from gloam_client.net.own_worlds import OwnWorld
from gloam_client.screens.title.title import Title
from gloam_client.state.client_effects import AskBoard, GoTo
from gloam_client.state.home import Home
from gloam_client.state.model import Model
from gloam_client.state.players.ladder import LadderOwner
from gloam_client.user_files.address import Address
from gloam_client.user_files.recent_servers import RecentServer
from gloam_shared.protocol.messages.records import AskLadder
from support.client.model_in_play import picture, press

SERVERS = (RecentServer("play.example.org:7373", "Cleo"), RecentServer("\x1b[2J", "Bert"))
WORLDS = (OwnWorld("gloam", True, False), OwnWorld("jsrogue", False, False))
RESULT = DailyResult("2026-11-24", "gloam", 7, "ab12", 12, "Ann", 5, 4, 23, 1_234, False, "orc")
HOME = Home("", WORLDS, SERVERS, day="2026-11-24")
DAILY, LADDER = 5, 6


def at_title(home: Home = HOME) -> Model:
    return Model(screens=(Title("Ann"),), name="Ann", home=home)


def opened(entry: int, home: Home = HOME) -> Model:
    return press(at_title(home), *["DOWN"] * entry, "ENTER")[0]


@pytest.mark.parametrize("size", [(44, 20), (60, 20), (80, 24), (120, 40), (250, 100)])
def test_ladders_of_worlds_and_servers_are_listed(size: tuple[int, int]) -> None:
    """U50: own worlds that exist, and the servers of before under the name of the last life there."""
    model = opened(LADDER)
    rows = picture(changed(model, surface=changed(model.surface, size=size))).split("\n")
    assert [len(row) for row in rows] == [size[0]] * size[1]
    shown = "\n".join(rows)
    assert "Your world: gloam" in shown
    assert "jsrogue" not in shown
    assert "play.example.org:7373" in shown
    assert "\x1b" not in shown
    own, wanted = press(model, "DOWN", "ENTER")
    assert wanted == [AskBoard(LadderOwner(campaign="gloam"), AskLadder(name="Ann"))]
    assert "Ladder of gloam" in picture(own)
    _, wanted = press(model, "UP", "ENTER")
    assert wanted == [AskBoard(LadderOwner(Address("play.example.org", 7373)), AskLadder(name="Cleo"))]
    assert [screen.state for screen in press(own, "ESC")[0].screens] == ["title", "ladder places"]


def test_the_seed_of_the_day_begins_once() -> None:
    assert press(opened(4), "ESC")[0].top.state == "title"
    _, wanted = press(at_title(), *["DOWN"] * DAILY, "ENTER")
    assert wanted == [GoTo("Ann", daily="2026-11-24")]
    played = HOME._replace(results=(RESULT,))
    model, wanted = press(at_title(played), *["DOWN"] * DAILY, "ENTER")
    assert wanted == []
    text = " ".join(picture(model).replace("|", " ").split())
    assert RESULT.words in text
    tomorrow = played._replace(day="2026-11-25")
    assert press(at_title(tomorrow), *["DOWN"] * DAILY, "ENTER")[1] == [GoTo("Ann", daily="2026-11-25")]
    other = played._replace(campaign="rltut")
    assert press(at_title(other), *["DOWN"] * DAILY, "ENTER")[1] == [GoTo("Ann", daily="2026-11-24")]


@pytest.mark.parametrize("size", [(44, 20), (60, 20), (80, 24), (250, 100)])
def test_many_results_scroll(size: tuple[int, int]) -> None:
    results = tuple(RESULT._replace(date=f"2026-{day // 28 + 1:02}-{day % 28 + 1:02}") for day in range(90))
    model, _ = press(opened(LADDER, HOME._replace(results=results)), "ENTER")
    model = changed(model, surface=changed(model.surface, size=size))
    assert "2026-01-01" in picture(model)
    far, _ = press(model, *["DOWN"] * 500)
    assert "2026-04-06" in picture(far)
    assert press(far, "ESC")[0].top.state == "ladder places"


def test_without_a_result_it_says_where_to_play() -> None:
    assert "You have no result yet." in picture(press(opened(LADDER), "ENTER")[0])
