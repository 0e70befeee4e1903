"""Own links: made from a cookie and a number, read back strictly, and kept by the server as the password of a name."""

import time
from pathlib import Path

import pytest

from gloam_door.identity import DoorKey
from gloam_door.own_links import OwnLink, OwnLinks, read_own_link
from support.content.hares_campaign import write_hares
from support.door.page_player import PagePlayer, begin
from support.door.running_door import RunningDoor
from support.processes.server_process import ServerProcess

ORIGIN = "https://play.example.org"
KEY = "A-_z" * 10 + "abc"
STEPS_MAX = 200
SCREEN_PAUSE_S = 0.6
"""A screen that opens unasked takes no key for half a second."""


def links(folder: Path, secret: bytes = bytes(32)) -> OwnLinks:
    return OwnLinks(DoorKey(bytes(32)).identify("web", secret), folder, ORIGIN)


def test_a_link_is_known_again_when_it_is_confirmed(tmp_path: Path) -> None:
    """The same browser makes the same link from what the folder keeps; the folder alone contains no key."""
    own = links(tmp_path)
    made = own.make("Ann")
    assert own.of("Ann") == ""
    own.confirm("Ann")
    assert own.of("ann") == made.replace("Ann", "ann")
    assert links(tmp_path).of("Ann") == made
    assert links(tmp_path, b"x" * 32).of("Ann") != made
    assert made.partition("~")[2].encode() not in (tmp_path / "links").read_bytes()
    assert own.make("Ann") != made
    assert own.of("Bert") == ""


def test_a_password_makes_a_link_forgotten(tmp_path: Path) -> None:
    own = links(tmp_path)
    own.make("Ann")
    own.confirm("Ann")
    own.forget("Ann")
    assert own.of("Ann") == ""
    own.forget("Ann")


def test_a_folder_remembers_few_names(tmp_path: Path) -> None:
    own = links(tmp_path)
    for number in range(20):
        own.make(f"Ann{number}")
        own.confirm(f"Ann{number}")
    assert own.of("Ann3") == ""
    assert own.of("Ann19")


@pytest.mark.parametrize("broken", [b"", b"{", b"[]", b'{"ann": 5}', b"\xff" * 5_000])
def test_a_broken_file_is_no_link(tmp_path: Path, broken: bytes) -> None:
    (tmp_path / "links").write_bytes(broken)
    own = links(tmp_path)
    assert own.of("Ann") == ""
    own.make("Ann")
    own.confirm("Ann")
    assert own.of("Ann")


def test_a_link_is_read_back(tmp_path: Path) -> None:
    made = links(tmp_path).make("Ann")
    assert made.startswith(f"{ORIGIN}/#Ann~")
    assert read_own_link(made.partition("#")[2]) == OwnLink("Ann", made.partition("~")[2])


@pytest.mark.parametrize(
    "text", ["", "Ann", f"Ann~{KEY[1:]}", f"Ann~{KEY}x", f"~{KEY}", f"A b~{KEY}", f"Admin~{KEY}", f"Ann~{KEY}\n", "a" * 16]
)  # fmt: skip
def test_any_other_text_is_no_link(text: str) -> None:
    assert read_own_link(text) is None


def gain_a_level(page: PagePlayer) -> None:
    """Strike hares until the name is to be kept."""
    for _ in range(STEPS_MAX):
        if page.state == "keep name":
            return
        before = page.text()
        page.press(
            "ESC" if page.state != "play" else "TAB" if any("Tab" in key for key in page.keys) else "o"
        )
        page.wait_for(lambda page, shown=before: page.text() != shown)  # type: ignore[misc]  # the default binds it
    raise AssertionError(page.text())


@pytest.mark.end_to_end
def test_a_link_opens_the_name_in_another_browser(tmp_path: Path) -> None:
    """After the first level the page asks once; the link leads a stranger's browser to the body; a newer one does not."""
    with (
        ServerProcess(
            tmp_path / "world",
            "--door-socket",
            "door.sock",
            "--open",
            campaign=write_hares(tmp_path / "hares"),
        ) as server,
        RunningDoor(tmp_path / "door", server.data / "door.sock") as door,
    ):
        with door.connect() as line:
            assert line.response is not None
            cookie = line.response.headers["Set-Cookie"].partition(";")[0]
            page = PagePlayer(line)
            begin(page, "Ida")
            gain_a_level(page)
            time.sleep(SCREEN_PAUSE_S)
            page.press("l")
            page.wait_for(lambda page: page.own != "")
            link = page.own
            assert link.startswith(f"{door.origin}/#Ida~")
            page.press("ESC")
            page.wait_for(lambda page: page.own == "")
        with door.connect() as other:
            came = PagePlayer(other, invite=link.partition("#")[2])
            came.wait_for("Ida HP ")
        with door.connect(Cookie=cookie) as line:
            page = PagePlayer(line)
            page.wait_for("You were away")
            page.press("ESC", ":")
            page.wait_for(lambda page: page.state == "say")
            page.send(text="/link")
            page.press("ENTER")
            page.wait_for(lambda page: page.own == link)
            page.press("l")
            page.wait_for(lambda page: page.own not in ("", link))
            newer = page.own
        for text, works in ((link, False), (newer, True)):
            with door.connect() as other:
                came = PagePlayer(other, invite=text.partition("#")[2])
                came.wait_for("Ida HP " if works else "Password")
        assert link.partition("~")[2] not in server.errors.read_text()
