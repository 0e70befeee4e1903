"""The command line: places, names, mistakes in one sentence."""

import asyncio
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from gloam_client.__main__ import cli
from support.fake_server import FakeServer


def gloam(*args: str, home: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "gloam_client", *args],
        env={"GLOAM_HOME": str(home), "PATH": "/usr/bin", "TERM": "xterm", "LANG": "C.UTF-8"},
        capture_output=True,
        text=True,
        check=False,
        stdin=subprocess.DEVNULL,
    )


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


@pytest.mark.parametrize("command", [[], ["join"], ["replay"], ["doctor"]])
def test_every_commands_help_has_an_example(command: list[str]) -> None:
    done = CliRunner().invoke(cli, [*command, "--help"])

    assert done.exit_code == 0
    assert "Example" in done.output


def test_doctor_tells_each_finding_and_fails_where_nobody_could_play(tmp_path: Path) -> None:
    done = gloam("doctor", "127.0.0.1:1", home=tmp_path)

    assert done.returncode == 1
    assert "FAIL  terminal" in done.stdout
    assert "FAIL  network    Nothing listens at 127.0.0.1:1" in done.stdout
    assert "ok    data" in done.stdout


def test_doctor_asks_a_server_how_it_is(tmp_path: Path) -> None:
    from gloam_client.doctor import findings
    from gloam_client.place import Place

    async def main() -> str:
        server = FakeServer()
        port = await server.start()
        found = await asyncio.to_thread(findings, tmp_path, Place("127.0.0.1", port))
        await server.stop()
        return found[-1].text

    assert "gloam, 1 playing, version 0.1.0" in asyncio.run(main())


def test_the_client_imports_neither_twisted_nor_numpy_nor_blessed_at_its_start(tmp_path: Path) -> None:
    code = (
        "import sys, gloam_client.app, gloam_client.__main__\n"
        "print([name for name in ('twisted', 'numpy', 'tcod', 'sqlalchemy', 'blessed', 'tomlkit') if name in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=tmp_path
    )

    assert done.stdout.strip() == "[]"
