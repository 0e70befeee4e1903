"""Marked secrets in a whole evening: no file that client or server writes holds one, and no other user can read a file."""

import base64
import json
import os
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.serialization import load_pem_private_key

from gloam_client.user_files.address import parse_invitation
from gloam_server.net.certificate import OWN_KEY
from support.client.headless_client import HeadlessClient
from support.processes.addresses import own_address
from support.processes.screen import entered, gloam, walk
from support.processes.server_process import ServerProcess, run_server_command

pytestmark = pytest.mark.end_to_end

DEVICE = b"the-device-token-that-is-marked!"
RESUME = b"RESUME-TOKEN"
PASSWORD = "marked-password-of-anna"
SERVER = f"""
import itertools, secrets, signal
signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGTERM])  # the import below starts threads, the server blocks it later
numbers, drawn = itertools.count(), secrets.token_bytes
secrets.token_bytes = lambda size=32: (b"{RESUME.decode()}-%019d" % next(numbers)) if size == 32 else drawn(size)
from gloam_server.__main__ import main
from gloam_server.world.transition import turn
ended = turn.end_action
def end_and_fail(context, creature):
    ended(context, creature)
    if creature.name == "Ann" and creature.actions == 2:
        raise ZeroDivisionError("a bug in a rule")
turn.end_action = end_and_fail
main()
"""
"""A server whose resume tokens are marked, and whose rules fail at Ann's second action."""


@pytest.fixture
def private_files() -> Iterator[None]:
    """Create files as the command line does; the exported ones show that it does so."""
    before = os.umask(0o077)
    yield
    os.umask(before)


def written(folder: Path, secrets: list[bytes]) -> list[str]:
    """Return the files below a folder that hold a secret: as it is, in hexadecimal digits, or in base64."""
    shapes = [shape for each in secrets for shape in (each, each.hex().encode(), base64.b64encode(each)[:-4])]
    return [
        str(path.relative_to(folder))
        for path in sorted(folder.rglob("*"))
        if path.is_file() and any(shape in path.read_bytes() for shape in shapes)
    ]


def set_password(pty: HeadlessClient) -> None:
    """Set a first password in the chat line."""
    pty.type(":/password\r")
    pty.wait_for("A password for your name")
    for prompt in ("again", "Your password is set"):
        pty.type(f"{PASSWORD}\r")
        pty.wait_for(prompt)


@pytest.mark.thorough
@pytest.mark.usefixtures("private_files")
def test_no_file_holds_a_secret(tmp_path: Path) -> None:
    home, session = tmp_path / "home", tmp_path / "evening.session"
    home.mkdir(0o700)
    (home / "device-token").write_bytes(DEVICE)
    (home / "device-token").chmod(0o600)
    with ServerProcess(tmp_path / "realm", "--listen", "0.0.0.0", program=("-c", SERVER)) as server:
        place = f"{own_address()}:{server.port}"
        made = run_server_command("invite", "--data", str(server.data), "--host", place)
        invited = made.stdout.split()[-1]
        code = invited.partition("/")[2].partition(".")[0]
        where, ticket = parse_invitation(invited)
        with entered(HeadlessClient(home, where, "Ann", ticket=ticket, record=session)) as pty:
            walk(pty)
            set_password(pty)
            pty.type("@")
            pty.wait_for("D dump")
            pty.type("D")
            pty.wait_for(lambda _: list(home.glob("dumps/*.txt")) != [])
            pty.type("\x1b")
            pty.wait_for(lambda _: pty.marked("@") is not None)
            pty.type(".")
            server.log_line("report: ")
            assert pty.wait_exit() == 1
        assert server.stop() == 0
    for words in (["--save", str(tmp_path / "copy.session")], ["--export", str(tmp_path / "evening.cast")]):
        done = subprocess.run(
            [Path(sys.executable).parent / "gloam", "replay", str(session), *words, "--data", str(home)],
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr

    secrets = [DEVICE, RESUME, PASSWORD.encode(), code.encode()]
    assert len(code) == 16
    assert len(list((tmp_path / "realm" / "faults").iterdir())) == 1
    assert written(tmp_path, secrets) == ["home/device-token"]
    host_key = (tmp_path / "realm" / OWN_KEY).read_bytes()
    assert written(tmp_path, host_key.splitlines()[1:-1]) == [f"realm/{OWN_KEY}"]
    secret = load_pem_private_key(host_key, None).private_numbers().private_value.to_bytes(32, "big")  # type: ignore[union-attr]  # it is an elliptic curve's key
    assert written(tmp_path, [secret]) == []
    for path in (session, tmp_path / "copy.session", tmp_path / "evening.cast", *home.rglob("*")):
        assert stat.S_IMODE(path.stat().st_mode) & 0o077 == 0, path
    assert json.loads(next(home.glob("dumps/*.json")).read_text())["name"] == "Ann"


def test_a_recording_that_cannot_go_on_ends_alone(tmp_path: Path) -> None:
    """A full disk ends the recording with one sentence; the player plays on and leaves without a fault."""
    with (
        ServerProcess(tmp_path / "realm") as server,
        entered(HeadlessClient(tmp_path / "home", server.port, "Ann", record=Path("/dev/full"))) as pty,
    ):
        pty.wait_for("/dev/full is no longer written: No space left on device.")
        walk(pty)
        pty.type("Q")
        pty.wait_for("Quit the game?")
        pty.type("y")
        assert pty.wait_exit() == 0


def test_a_recording_that_exists_is_refused_at_once(tmp_path: Path) -> None:
    session = tmp_path / "evening.session"
    session.write_bytes(b"an older evening")
    with gloam(tmp_path / "home", "127.0.0.1:9", "--name", "Ann", "--record", str(session)) as pty:
        assert pty.wait_exit() == 2
        assert "exists" in pty.text()
    assert session.read_bytes() == b"an older evening"
