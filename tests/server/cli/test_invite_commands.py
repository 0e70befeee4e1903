"""Invites and resets from the command line, while a server has the world open."""

import re
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from gloam_server.app.config import WORLD_FILE
from gloam_server.cli import admin_commands, main
from gloam_server.cli.admin_commands import running_address
from gloam_server.gateway.login.invites import digest
from gloam_server.net.certificate import pin_in
from gloam_server.storage.chat_store import StoredReport
from gloam_server.storage.open_store import open_store
from gloam_server.storage.store import Store
from support.processes.server_process import ServerProcess
from support.run.fault_seam import FaultSeam
from support.server.tls_client import certified


def ran(*arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(main.cli, arguments)
    return result.exit_code, result.output


@pytest.fixture
def world(tmp_path: Path) -> Store:
    return open_store(tmp_path / WORLD_FILE)


def test_an_invite_is_made_beside_a_running_server(world: Store, tmp_path: Path) -> None:
    status, output = ran("invite", "--data", str(tmp_path), "--host", "play.example.org:4000", "--uses", "2")
    found = re.fullmatch(r"gloam join play\.example\.org:4000/([a-z2-7]{16})\n", output)
    assert status == 0
    assert found is not None, output
    assert [world.directory.spend_invite(digest(found[1])) for _ in range(3)] == [True, True, False]
    world.close()


def test_invite_and_reset_carry_pin_certificate(world: Store, tmp_path: Path) -> None:
    """An invite and a reset carry the pin of the certificate."""
    world.directory.create_account("Bert", b"h" * 32, 5)
    pin = pin_in(certified(tmp_path).certificate)
    for command in (("invite",), ("reset-password", "Bert")):
        _, output = ran(*command, "--data", str(tmp_path), "--host", "here")
        assert re.match(rf"gloam join here/[a-z2-7]{{16}}\.{pin}( --name Bert)?\n", output)
    world.close()


def test_reports_are_listed_beside_a_running_server(world: Store, tmp_path: Path) -> None:
    """The oldest of the newest comes first, each with its lines; what a terminal would obey is taken out (A47)."""
    assert ran("reports", "--data", str(tmp_path)) == (0, "No player has reported another one.\n")
    for count in range(3):
        lines = ("[say] Bert: boo", f"[whisper to Anna] Bert: \x1b[2J{count}")
        world.directory.add_report(StoredReport(1_800_000_000, 1, "Anna", "Bert", f"why {count}", lines))

    status, output = ran("reports", "--data", str(tmp_path), "--last", "2")
    assert status == 0
    assert output.splitlines() == [
        "2027-01-15 08:00 UTC  Anna reports Bert: why 1",
        "    [say] Bert: boo",
        "    [whisper to Anna] Bert: [2J1",
        "2027-01-15 08:00 UTC  Anna reports Bert: why 2",
        "    [say] Bert: boo",
        "    [whisper to Anna] Bert: [2J2",
    ]
    world.close()


def test_a_reset_names_the_account(world: Store, tmp_path: Path) -> None:
    bert = world.directory.create_account("Bert", b"h" * 32, 5)
    status, output = ran("reset-password", "bert", "--data", str(tmp_path), "--host", "here")
    found = re.fullmatch(r"gloam join here/([a-z2-7]{16}) --name Bert\n", output)
    assert status == 0
    assert found is not None, output
    assert world.directory.spend_invite(digest(found[1]), bert.number)
    world.close()


def test_a_name_that_no_player_has_cannot_be_reset(world: Store, tmp_path: Path) -> None:
    status, output = ran("reset-password", "Nessie", "--data", str(tmp_path))
    assert (status, "No player has the name" in output) == (2, True)
    world.close()


def test_without_a_world_there_is_nothing_to_invite_to(tmp_path: Path) -> None:
    status, output = ran("invite", "--data", str(tmp_path))
    assert (status, "There is no world" in output) == (2, True)


@pytest.mark.parametrize(
    ("listens", "place", "said"),
    [
        ("127.0.0.1", "127.0.0.1:7400", "listens on 127.0.0.1, where no other machine reaches it"),
        ("::1", "[::1]:7400", "listens on ::1, where no other machine reaches it"),
        ("0.0.0.0", f"{socket.gethostname()}:7400", "players must reach this name"),
        ("::", f"{socket.gethostname()}:7400", "players must reach this name"),
        ("192.0.2.7", "192.0.2.7:7400", "players must reach this address"),
    ],
)
@pytest.mark.parametrize("command", [("invite",), ("reset-password", "Bert")])
def test_an_invite_says_where_its_server_listens(
    world: Store,
    tmp_path: Path,
    seam: FaultSeam,
    listens: str,
    place: str,
    said: str,
    command: tuple[str, ...],
) -> None:
    """Without --host the address is the running server's; no friend reaches this machine's own."""
    world.directory.create_account("Bert", b"h" * 32, 5)
    seam.plant(running_address, lambda _: (listens, 7_400), within=admin_commands)
    result = CliRunner().invoke(main.cli, [*command, "--data", str(tmp_path)])
    assert re.match(rf"gloam join {re.escape(place)}/", result.stdout)
    assert said in result.stderr
    named = CliRunner().invoke(main.cli, [*command, "--data", str(tmp_path), "--host", "play.example.org"])
    assert re.match(r"gloam join play\.example\.org/", named.stdout)
    assert named.stderr == ""
    world.close()


@pytest.mark.thorough
def test_an_invite_beside_a_real_loopback_server(tmp_path: Path) -> None:
    """The running server itself tells its address and port."""
    with ServerProcess(tmp_path / "realm") as server:
        result = subprocess.run(
            [sys.executable, "-P", "-m", "gloam_server", "invite", "--data", str(server.data)],
            capture_output=True, text=True, check=True,
        )  # fmt: skip
        assert re.match(rf"gloam join 127\.0\.0\.1:{server.port}/", result.stdout)
        assert "start it with --listen 0.0.0.0" in result.stderr
