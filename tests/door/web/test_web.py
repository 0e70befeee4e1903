"""The door for browsers over real TCP: who may open it, who a visitor is, what a cut and a flood lead to."""

import gzip
import http.client
import json
import re
import socket
import ssl
import time
from contextlib import ExitStack, suppress
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin

from gloam_client.state.model import Model
from gloam_door.surfaces import cell_surface
from gloam_door.visits import GONE
from gloam_door.web.pages import HEADERS
from gloam_shared.protocol.messages.login import PasswordStatus, SetPassword
from support.client.fake_client import FakeClient
from support.door.page_player import PagePlayer, begin
from support.door.running_door import RunningDoor
from support.processes.addresses import own_address
from support.processes.server_process import ServerProcess, run_server_command
from support.run.fault_seam import FaultSeam
from support.server.tls_client import certified

pytestmark = pytest.mark.end_to_end


def get(door: RunningDoor, path: str, **headers: str) -> tuple[http.client.HTTPResponse, bytes]:
    line = http.client.HTTPConnection("127.0.0.1", door.door.web_port, timeout=30)
    line.request("GET", path, headers=headers)
    answer = line.getresponse()
    body = answer.read()
    line.close()
    return answer, body


def cookie_of(socket_: ClientConnection) -> str:
    assert socket_.response is not None
    return socket_.response.headers["Set-Cookie"].partition(";")[0]


@pytest.mark.parametrize(
    "path", ["/", "/page.js", "/page.css", "/icon.svg", "/manifest.webmanifest", "/?x=1"]
)
def test_pages_have_strict_headers_and_no_cookie(door: RunningDoor, path: str) -> None:
    answer, body = get(door, path, Cookie="other=1")
    assert answer.status == 200
    assert body
    assert {name: answer.headers[name] for name in HEADERS} == HEADERS
    assert answer.headers["Set-Cookie"] is None


@pytest.mark.parametrize(
    "path",
    ["/door-key", "/../door-key", "/%2e%2e/door-key", "//etc/passwd", "/page.js/", "/x" * 200,
     "/life/../door-key", "/replay/..%2fdoor-key", "/replay/a/b", "/replay/", "/life/a.cast", "/replay/" + "a" * 33,
     "/replay/a.session", "/ladder/party/depth", "/ladder/all/%22", "/news/", "/watch/../x"],
)  # fmt: skip
def test_other_paths_lead_nowhere(door: RunningDoor, path: str) -> None:
    answer, body = get(door, path)
    assert (answer.status, body) == (404, b"There is no such page here.\n")


def test_the_page_is_small_and_has_no_script_of_others(door: RunningDoor) -> None:
    files = [
        get(door, path)[1] for path in ("/", "/page.js", "/page.css", "/icon.svg", "/manifest.webmanifest")
    ]
    assert sum(len(gzip.compress(body)) for body in files) < 15_000
    assert not re.search(rb"https?://(?!www\.w3\.org/2000/svg)", b"".join(files))


@pytest.mark.parametrize("origin", ["https://evil.example", "http://localhost", "null", None])
def test_pages_of_others_cannot_play(door: RunningDoor, origin: str | None) -> None:
    with pytest.raises(InvalidStatus) as caught:
        door.connect(origin)
    assert caught.value.response.status_code == 403
    assert "Set-Cookie" not in caught.value.response.headers


def test_pages_are_packed_for_browsers_that_ask(door: RunningDoor) -> None:
    """The page that plays takes at most 15 KB in all, and a browser without gzip gets the same bytes plain."""
    total = 0
    for path in ("/", "/page.js", "/page.css", "/icon.svg", "/manifest.webmanifest"):
        packed, body = get(door, path, **{"Accept-Encoding": "br, gzip"})
        plain, whole = get(door, path, **{"Accept-Encoding": "identity"})
        total += len(body)
        assert plain.headers["Content-Encoding"] is None
        assert packed.headers["Vary"] == plain.headers["Vary"] == "Accept-Encoding"
        is_packed = packed.headers["Content-Encoding"] == "gzip"
        assert (gzip.decompress(body) if is_packed else body) == whole
        assert is_packed or len(whole) < 512
    assert total <= 15_000


def test_a_visitor_plays_and_comes_again(server: ServerProcess, door: RunningDoor) -> None:
    """A visitor plays under their own address; the cookie of the handshake is who they are."""
    with door.connect() as line:
        assert line.response is not None
        assert re.fullmatch(
            r"__Host-gloam=[\w-]{43}; Secure; HttpOnly; SameSite=Strict; Path=/; Max-Age=34560000",
            line.response.headers["Set-Cookie"],
        )
        cookie = cookie_of(line)
        anna = PagePlayer(line)
        begin(anna, "Anna")
        assert (
            "Anna: depth 1, level 1, from 127.0.0.1 by browser"
            in run_server_command("who", "--data", str(server.data)).stdout
        )
        anna.press("Q", "y")
        anna.wait_for(lambda page: bool(page.bye))
        assert "this page brings you back" in anna.bye
    with door.connect(Cookie=cookie) as line:
        assert line.response is not None
        assert "Set-Cookie" not in line.response.headers
        again = PagePlayer(line)
        again.wait_for("Your name: Anna")
        again.press("ENTER")
        again.wait_for("HP ")
    stolen = cookie[:-2] + ("A" if cookie[-2] != "A" else "B") + cookie[-1]
    with door.connect(Cookie=stolen) as line:
        thief = PagePlayer(line)
        thief.wait_for("Your name")
        assert "Anna" not in thief.text()
        thief.press(*"Anna", "ENTER")
        thief.wait_for(lambda page: "name" in page.text() and "HP " not in page.text())


def test_a_cut_page_goes_on_where_it_was(door: RunningDoor) -> None:
    """A page that loses its line shows the same log, and the same body, on the next."""
    with door.connect() as line:
        cookie = cookie_of(line)
        bert = PagePlayer(line)
        begin(bert, "Bert")
        bert.press("?")
        bert.wait_for(lambda page: page.state == "help")
        line.socket.shutdown(socket.SHUT_RDWR)
    with door.connect(Cookie=cookie) as line:
        again = PagePlayer(line, 80, 24)
        again.wait_for(lambda page: page.state == "help" and len(page.cells) == 24)
        again.press("ESC")
        again.wait_for("Welcome to the dungeon")


def test_two_pages_of_one_browser_are_one_player(door: RunningDoor) -> None:
    with door.connect() as first, door.connect(Cookie=cookie_of(first)) as second:
        one, other = PagePlayer(first), PagePlayer(second)
        begin(one, "Cara")
        begin(other, "Cara")
        one.wait_for(lambda page: "somewhere else" in page.bye)


@pytest.mark.parametrize("first", ["", "{}", '{"hello": 2, "size": [10, 10]}', "x" * 5_000, b"\0\1"])
def test_a_page_of_another_kind_is_sent_away(door: RunningDoor, first: str | bytes) -> None:
    with door.connect() as line:
        line.send(first)
        with pytest.raises(ConnectionClosed):
            line.recv(30)


@pytest.mark.parametrize("at", ["/", "/watch/Ann"])
def test_an_old_page_is_to_be_loaded_again(door: RunningDoor, at: str) -> None:
    with door.connect() as line:
        line.send(json.dumps({"hello": 1, "size": [100, 30], "at": at}))
        [[name, words, again]] = json.loads(line.recv(30))
        assert (name, again) == ("bye", False)
        assert "load it again" in words
        with pytest.raises(ConnectionClosed):
            line.recv(30)


def test_a_replaced_link_says_so(server: ServerProcess, door: RunningDoor) -> None:
    """A name with another key: the page says that the link was taken back; a wrong password then is no link."""
    with FakeClient(server.port, "Kira") as kira, ExitStack() as stack:
        kira.send(SetPassword("the newest key of all"))
        kira.wait_for(lambda: any(isinstance(each, PasswordStatus) and each.password for each in kira.got))
        page = PagePlayer(stack.enter_context(door.connect()), invite=f"Kira~{'A' * 43}")
        page.wait_for("This link was taken back")
        page.send(text="a wrong one")
        page.press("ENTER")
        page.wait_for("do not belong together")


@pytest.mark.thorough
def test_a_flood_is_thinned_and_ends(door: RunningDoor) -> None:
    with door.connect() as line, suppress(ConnectionClosed):
        page = PagePlayer(line)
        page.wait_for("Your name")
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            for _ in range(20):
                page.press("UP")
            time.sleep(0.05)
            with suppress(TimeoutError):
                line.recv(0)
        raise AssertionError("a flood of keys never ended")


def test_a_fault_in_one_visit_leaves_the_others(door: RunningDoor, seam: FaultSeam) -> None:
    """A client that fails says goodbye; another plays on."""
    with ExitStack() as lines:
        pages = [PagePlayer(lines.enter_context(door.connect())) for _ in range(3)]
        for page, name in zip(pages, ("Dora", "Emil", "Fred"), strict=True):
            begin(page, name)
        original = cell_surface._buttons

        def fail(model: Model) -> object:
            if model.name == "Dora":
                raise RuntimeError("a fault of the test")
            return original(model)

        seam.plant(cell_surface._buttons, fail)
        pages[0].press("x")
        pages[0].wait_for(lambda page: bool(page.bye))
        assert pages[0].bye == GONE
        for page in pages[1:]:
            page.press("x")
            page.wait_for("─ Look ─")


def test_wrong_names_of_proxies_are_not_believed(server: ServerProcess, door: RunningDoor) -> None:
    with door.connect(X_Forwarded_For="203.0.113.9") as line:
        begin(PagePlayer(line), "Hans")
        who = run_server_command("who", "--data", str(server.data)).stdout
        assert "Hans" in who
        assert "203.0.113.9" not in who


def test_a_trusted_proxy_names_its_visitors(
    server: ServerProcess, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("behind")
    with (
        RunningDoor(folder, server.data / "door.sock", trusted_proxies=["127.0.0.1"]) as behind,
        behind.connect(X_Forwarded_For="198.51.100.1, 203.0.113.9") as line,
    ):
        begin(PagePlayer(line), "Ines")
        assert "from 203.0.113.9 by browser" in run_server_command("who", "--data", str(server.data)).stdout


def test_visits_are_limited(server: ServerProcess, tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("small")
    limits = {"visits_max": 3, "visits_per_address_max": 2}
    with RunningDoor(folder, server.data / "door.sock", **limits) as small, ExitStack() as lines:
        pages = [PagePlayer(lines.enter_context(small.connect())) for _ in range(3)]
        for page in pages[:2]:
            page.wait_for("Your name")
        pages[2].wait_for(lambda page: "Too many visits" in page.bye)


def test_a_server_that_is_away_is_said(tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("away")
    with RunningDoor(folder, folder / "nobody.sock") as alone, alone.connect() as line:
        page = PagePlayer(line)
        page.wait_for("Your name")
        page.press(*"Jana", "ENTER")
        page.wait_for("does not answer")


def test_lines_of_text_are_sent_to_screen_readers(door: RunningDoor) -> None:
    with door.connect() as line:
        page = PagePlayer(line, say=True)
        page.wait_for(lambda each: any("Your name" in text for text in each.said))
        begin(page, "Karl")
        page.wait_for(lambda each: any("Welcome to the dungeon" in text for text in each.said))
        assert json.dumps(page.said).isascii()


def test_a_door_elsewhere_is_a_proxy_over_tls(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """A door on another machine reaches the server by TLS with its pin, and says whose connection it is."""
    flags = ("--listen", "0.0.0.0", "--open", "--proxy-networks", f"{own_address()}/32")
    with ServerProcess(tmp_path / "realm", *flags, campaign="jsrogue") as far:
        place = f"{own_address()}:{far.port}"
        with RunningDoor(tmp_path / "door", place, pin=far.pin) as away, away.connect() as line:
            begin(PagePlayer(line), "Lena")
            assert (
                "Lena: depth 1, level 1, from 127.0.0.1 by browser"
                in run_server_command("who", "--data", str(far.data)).stdout
            )
        with RunningDoor(tmp_path / "other", place, pin="A" * 43) as away, away.connect() as line:
            page = PagePlayer(line)
            page.wait_for("Your name")
            page.press(*"Lena", "ENTER")
            page.wait_for("The server does not answer")
    assert "has another key than the pin of this door" in caplog.text


def test_a_door_with_a_certificate_serves_tls(server: ServerProcess, tmp_path: Path) -> None:
    files = certified(tmp_path)
    with RunningDoor(
        tmp_path / "door", server.data / "door.sock", certificate=str(files.certificate), key=str(files.key)
    ) as secure:
        assert secure.door.link == f"https://localhost:{secure.door.web_port}"
        trusting = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        trusting.check_hostname, trusting.verify_mode = False, ssl.CERT_NONE
        line = http.client.HTTPSConnection("127.0.0.1", secure.door.web_port, timeout=30, context=trusting)
        line.request("GET", "/")
        answer = line.getresponse()
        assert answer.headers["Strict-Transport-Security"] == "max-age=31536000"
        answer.read()
        line.close()
        with connect(
            f"wss://127.0.0.1:{secure.door.web_port}/play",
            origin=Origin(secure.door.link),
            ssl=trusting,
            compression=None,
        ) as socket_:
            begin(PagePlayer(socket_), "Mira")
