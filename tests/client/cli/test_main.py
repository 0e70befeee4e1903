"""The command line: places, names, mistakes in one sentence."""

import asyncio
import os
import ssl
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from gloam_client.__main__ import cli
from gloam_client.user_files.address import Address
from gloam_client.user_files.known_servers import KnownServers
from gloam_server.net.certificate import Files, ensure, own_files, pin_in
from support.client.fake_server import FakeServer
from support.processes.addresses import own_address


def gloam(*args: str, home: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "gloam_client", *args],
        env={"GLOAM_HOME": str(home), "PATH": "/usr/bin", "TERM": "xterm", "LANG": "C.UTF-8"},
        capture_output=True,
        text=True,
        check=False,
        stdin=subprocess.DEVNULL,
    )


@pytest.mark.thorough
@pytest.mark.parametrize(
    "args",
    [
        ["host:99999"],
        ["[::1"],
        ["--name", "x", "localhost"],
        ["localhost", "--name", "root"],
        ["join"],
        ["replay", "no-such-file"],
        ["localhost"],
        ["--no-such-option"],
    ],
)
def test_a_mistake_is_a_sentence_and_exit_code_two(args: list[str], tmp_path: Path) -> None:
    done = gloam(*args, home=tmp_path)

    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    assert done.stderr.strip()


_HOMELESS = """
import pwd
def unlisted(uid): raise KeyError(uid)
pwd.getpwuid = unlisted
from gloam_client.__main__ import main
main()
"""
"""The client for a user that the list of users does not name."""


@pytest.mark.thorough
@pytest.mark.parametrize(
    "args",
    [[], ["--name", "Ann"], ["join"], ["ladder"], ["replay"], ["dump"], ["doctor"], ["forget", "localhost"]],
)
def test_a_user_without_a_home_reads_what_to_set(args: list[str]) -> None:
    done = subprocess.run(
        [sys.executable, "-c", _HOMELESS, *args],
        env={"PATH": "/usr/bin", "TERM": "xterm"},
        capture_output=True,
        text=True,
        check=False,
        stdin=subprocess.DEVNULL,
    )

    assert done.returncode == 2
    assert done.stderr == "gloam: This user has no home folder; set GLOAM_HOME to a folder for your worlds.\n"


@pytest.mark.parametrize(
    ("args", "expected"),
    [
        (
            ["join"],
            (
                "You have no private server running; gloam starts one (in a clone: make play), "
                "gloam join HOST joins another's (make join PLACE=HOST)."
            ),
        ),
        (
            ["join", "--campaign", "jsrogue"],
            (
                "You have no private server of jsrogue running; gloam --campaign jsrogue starts one "
                "(in a clone: make play CAMPAIGN=jsrogue), gloam join HOST joins another's (make join PLACE=HOST)."
            ),
        ),
        (
            ["--campaign", "jsrogue", "localhost"],
            "--campaign is for a dungeon of your own; leave it out, or leave out HOST.",
        ),
    ],
)
def test_campaign_leads_nowhere_mend_reported(args: list[str], expected: str, tmp_path: Path) -> None:
    """The message about a path without a campaign says what to do."""
    done = CliRunner(env={"GLOAM_HOME": str(tmp_path)}).invoke(cli, args)

    assert (done.exit_code, done.stderr) == (2, f"gloam: {expected}\n")


@pytest.mark.parametrize("command", [[], ["join"], ["replay"], ["doctor"], ["forget"]])
def test_every_commands_help_has_an_example(command: list[str]) -> None:
    done = CliRunner().invoke(cli, [*command, "--help"])

    assert done.exit_code == 0
    assert "Example" in done.output


def test_doctor_tells_finding_and_fails(tmp_path: Path) -> None:
    """Doctor tells each finding and fails where no one could play."""
    done = gloam("doctor", "127.0.0.1:1", home=tmp_path)

    assert done.returncode == 1
    assert "FAIL  terminal" in done.stdout
    assert "FAIL  network    Nothing listens at 127.0.0.1:1" in done.stdout
    assert "ok    data" in done.stdout


def examined(
    tmp_path: Path, *, host: str = "127.0.0.1", files: Files | None = None, met: str = ""
) -> list[str]:
    """Return what the doctor tells of a fake server."""
    from gloam_client.cli.doctor import describe, run_checks

    async def main() -> list[str]:
        server, context = FakeServer(), None
        if files is not None:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(files.certificate, files.key)
        place = Address(host, await server.start(host=host, tls=context))
        if met:
            KnownServers(tmp_path).remember(place, met)
        found = await asyncio.to_thread(run_checks, tmp_path, place)
        await server.stop()
        return [describe(finding) for finding in found if finding.subject in ("network", "connection")]

    return asyncio.run(main())


def test_doctor_asks_a_server_how_it_is(tmp_path: Path) -> None:
    network, line = examined(tmp_path)

    assert "gloam, 1 playing, version 0.1.0" in network
    assert line == "ok    connection plain text, which stays on this machine"


def test_doctor_tells_line_encrypted(tmp_path: Path) -> None:
    """Doctor tells how a line is encrypted and whether its server is known."""
    files = own_files(tmp_path)
    ensure(files, 1_700_000_000)
    pin = pin_in(files.certificate)

    assert (
        f"note  connection TLS 1.3, key {pin}: you have not met it"
        in examined(tmp_path, host=own_address(), files=files)[1]
    )
    assert not KnownServers(tmp_path).path.exists(), "a search finds no player"
    known = examined(tmp_path, host=own_address(), files=files, met=pin)[1]
    assert known == f"ok    connection TLS 1.3, key {pin}: the one that you met here before"
    (changed,) = examined(tmp_path, host=own_address(), files=files, met="w" * 43)
    assert changed.startswith("FAIL  network    The key of ")


def test_a_server_is_forgotten_on_request(tmp_path: Path) -> None:
    known = KnownServers(tmp_path)
    known.remember(Address("play.example.org"), "p" * 43)

    runner, place = CliRunner(env={"GLOAM_HOME": str(tmp_path)}), "play.example.org"
    done = runner.invoke(cli, ["forget", place])
    assert (done.exit_code, done.stderr) == (0, "")
    assert "the key of play.example.org:7373 is forgotten" in done.stdout
    assert known.pin(Address(place)) == ""
    again = runner.invoke(cli, ["forget", place])
    assert again.exit_code == 2
    assert "You have met no server at play.example.org:7373" in again.stderr


def test_client_imports_neither_twisted_nor_numpy(tmp_path: Path) -> None:
    """The client imports neither twisted nor numpy nor blessed at its start."""
    code = (
        "import sys, gloam_client.app, gloam_client.__main__\n"
        "print([name for name in ('twisted', 'numpy', 'tcod', 'sqlite3', 'OpenSSL', 'blessed', 'tomlkit') if name in sys.modules])"
    )
    unmeasured = {key: value for key, value in os.environ.items() if not key.startswith("COVERAGE_")}
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=tmp_path, env=unmeasured
    )

    assert done.stdout.strip() == "[]"
