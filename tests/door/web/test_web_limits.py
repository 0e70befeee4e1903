"""The limits of visits by browser, and its secrets: a player who is away, a door that is full."""

import json
import logging
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from websockets.sync.client import ClientConnection

from gloam_client.state.model import Model
from gloam_door.surfaces import cell_surface
from gloam_door.visits import GONE
from gloam_door.web import server as web_server
from support.door.page_player import PagePlayer, begin
from support.door.running_door import RunningDoor
from support.processes.server_process import ServerProcess, run_server_command
from support.run.fault_seam import FaultSeam

pytestmark = pytest.mark.end_to_end


@pytest.fixture
def log(caplog: pytest.LogCaptureFixture) -> Iterator[pytest.LogCaptureFixture]:
    """Return what the program logs, which keeps the library of WebSockets quiet."""
    library = logging.getLogger("websockets")
    before = library.level
    library.setLevel(logging.WARNING)
    with caplog.at_level(logging.INFO):
        yield caplog
    library.setLevel(before)


def cookie_of(line: ClientConnection) -> str:
    assert line.response is not None
    return line.response.headers["Set-Cookie"].partition(";")[0].partition("=")[2]


def test_a_player_who_is_away_leaves(door: RunningDoor, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a key for half an hour a visit ends, with a sentence."""
    monkeypatch.setattr(web_server, "_IDLE_S", 1)
    with door.connect() as line:
        page = PagePlayer(line)
        page.wait_for(lambda page: "half an hour" in page.bye)


def test_a_full_door_says_so(server: ServerProcess, tmp_path: Path) -> None:
    """Those inside play on; a later visitor is let in when there is room."""
    with RunningDoor(tmp_path, server.data / "door.sock", visits_max=2) as small, ExitStack() as lines:
        pages = [PagePlayer(lines.enter_context(small.connect())) for _ in range(2)]
        for page in pages:
            page.wait_for("Your name")
        with small.connect() as line:
            late = PagePlayer(line)
            late.wait_for(lambda page: "This door is full" in page.bye)
        begin(pages[0], "Fulda")
        pages[1].press("ESC")
        pages[1].wait_for(lambda page: bool(page.bye))
        with small.connect() as line:
            PagePlayer(line).wait_for("Your name")


def test_no_log_has_a_secret(tmp_path: Path, log: pytest.LogCaptureFixture, seam: FaultSeam) -> None:
    """Cookie, invite and key of an own link are in no log of door or server, even if a visit fails."""
    with (
        ServerProcess(tmp_path / "closed", "--door-socket", "door.sock") as server,
        RunningDoor(tmp_path / "door", server.data / "door.sock") as door,
        ExitStack() as lines,
    ):
        code = run_server_command("invite", "--data", str(server.data), "--host", "localhost:7373").stdout
        code = code.split("/")[-1].split()[0]
        first = lines.enter_context(door.connect())
        page = PagePlayer(first, invite=code)
        begin(page, "Sekra")
        page.press(":")
        page.wait_for(lambda page: page.state == "say")
        page.send(text="/link")
        page.press("ENTER")
        page.wait_for(lambda page: page.state == "keep name")
        page.press("l")
        page.wait_for(lambda page: bool(page.own))
        key = page.own.partition("~")[2]
        other = lines.enter_context(door.connect())
        PagePlayer(other, invite=f"Sekra~{key}").wait_for("HP ")
        wrong = lines.enter_context(door.connect(Cookie=f"__Host-gloam={cookie_of(first)[:-1]}"))
        wrong.send(json.dumps({"hello": 2, "size": [100, 30], "invite": code, "key": "x"}))

        def fail(model: Model) -> object:
            raise RuntimeError(f"a fault of the test in the visit of {model.name}")

        with seam.fault(cell_surface._buttons, fail):
            broken = PagePlayer(lines.enter_context(door.connect()), invite=f"Sekra~{key}")
            broken.wait_for(lambda page: page.bye == GONE)
        secrets = [code, code.partition(".")[0], key, *(cookie_of(line) for line in (first, other, wrong))]
    said = log.text + server.errors.read_text()
    assert "a visit by web failed" in said
    assert "what no page of this door sends" in said
    assert [secret for secret in secrets if not secret or secret in said] == []
