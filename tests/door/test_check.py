"""`gloam-door check` and `gloam-door key`: what a guest would meet, at a real door or at none."""

import asyncio
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest

from gloam_client.cli.doctor import CheckResult
from gloam_door.check import run_checks
from gloam_door.config import Settings
from gloam_door.ssh.server import fingerprint
from support.door.running_door import RunningDoor
from support.processes.server_process import ServerProcess
from support.server.tls_client import certified

pytestmark = pytest.mark.end_to_end


def checked(data: Path, server: Path, **settings: Any) -> dict[str, CheckResult]:
    values = msgspec.convert({"server": str(server), **settings}, Settings)
    return {found.subject: found for found in asyncio.run(run_checks(values, data))}


def ports(door: RunningDoor) -> dict[str, int]:
    return {"port": door.door.web_port, "ssh_port": door.door.ssh_port}


def test_an_open_door_is_well(server: ServerProcess, door: RunningDoor) -> None:
    found = checked(door.data, server.data / "door.sock", **ports(door))
    assert {name: each.good for name, each in found.items()} == {
        "server": True, "guests": True, "door": True, "link": None, "ssh": True,
    }  # fmt: skip
    assert found["server"].text.startswith("jsrogue, 0 playing, version ")
    assert fingerprint(door.data) in found["ssh"].text


def test_a_door_that_is_closed_is_told(tmp_path: Path) -> None:
    """Neither a server nor a door nor ssh: each line says what to do."""
    found = checked(tmp_path, tmp_path / "no.sock", port=1, ssh_port=1)
    assert {name: each.good for name, each in found.items()} == {
        "server": False, "door": False, "link": None, "ssh": False,
    }  # fmt: skip
    assert "--door-socket" in found["server"].text
    assert "gloam-door run" in found["door"].text


def test_another_host_key_is_told(server: ServerProcess, door: RunningDoor, tmp_path: Path) -> None:
    found = checked(tmp_path, server.data / "door.sock", **ports(door))
    assert found["ssh"].good is False
    assert fingerprint(tmp_path) in found["ssh"].text


def test_a_certificate_that_browsers_refuse_is_told(server: ServerProcess, tmp_path: Path) -> None:
    files = certified(tmp_path)
    tls = {"certificate": str(files.certificate), "key": str(files.key)}
    with RunningDoor(tmp_path / "door", server.data / "door.sock", **tls) as door:
        link = f"https://localhost:{door.door.web_port}"
        found = checked(door.data, server.data / "door.sock", origins=[link], **tls, **ports(door))
    assert (found["door"].good, found["link"].good) == (True, False)
    assert "browsers refuse its certificate" in found["link"].text


@pytest.mark.thorough
def test_the_commands_answer_in_a_shell(tmp_path: Path) -> None:
    """The key is made once, for its owner alone; a check of a door that cannot be reached fails."""

    def told(*args: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "gloam_door", *args, "--data", str(tmp_path / "data")]
        return subprocess.run(command, capture_output=True, text=True, check=False)

    first, second = told("key"), told("key")
    assert re.fullmatch(r"SHA256:[\w+/]{43}\n", first.stdout)
    assert second.stdout == first.stdout
    assert (tmp_path / "data" / "ssh-host-key").stat().st_mode & 0o777 == 0o600
    (tmp_path / "data" / "door.toml").write_text('server = "/nowhere/door.sock"\nport = 1\nssh_port = 1\n')
    done = told("check")
    assert (done.returncode, done.stderr) == (1, "")
    assert done.stdout.count("FAIL") == 3


@pytest.mark.thorough
@pytest.mark.parametrize("way", ["port", "ssh_port"])
def test_a_port_in_use_is_named(door: RunningDoor, tmp_path: Path, way: str) -> None:
    """A second door on a port says which one."""
    taken = {"port": 0, "ssh_port": 0} | {way: ports(door)[way]}
    options = [word for name, port in taken.items() for word in (f"--{name.replace('_', '-')}", str(port))]
    command = [
        sys.executable,
        "-m",
        "gloam_door",
        "run",
        "--data",
        str(tmp_path),
        "--server",
        "./no.sock",
        *options,
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert (
        f"Port {taken[way]} of 127.0.0.1 cannot be used: Address already in use; name another" in done.stderr
    )


@pytest.mark.thorough
def test_a_check_takes_the_options_of_the_door(server: ServerProcess, door: RunningDoor) -> None:
    """A door that was started with options, as by `make doors`, is checked with the same ones."""
    options = ["--server", str(server.data / "door.sock"), "--port", str(door.door.web_port)]
    command = [sys.executable, "-m", "gloam_door", "check", "--data", str(door.data), *options]
    done = subprocess.run(
        [*command, "--ssh-port", str(door.door.ssh_port)], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout.count("ok ")) == (0, 4)


@pytest.mark.thorough
def test_a_door_raises_the_limit_of_open_files(server: ServerProcess, tmp_path: Path) -> None:
    """A door that a shell started with the limit of old systems has room for more lines."""
    options = f"--data {tmp_path} --server {server.data / 'door.sock'} --port 0 --ssh-port 0"
    command = ["sh", "-c", f"ulimit -Sn 256; exec {sys.executable} -m gloam_door run {options}"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline().startswith("gloam-door: browsers play at")
            limits = Path(f"/proc/{process.pid}/limits").read_text(encoding="utf-8")
        finally:
            process.terminate()
    found = re.search(r"^Max open files +(\d+)", limits, re.MULTILINE)
    assert found is not None
    assert int(found[1]) > 256
