"""The server in a real container: hardened, healthy, and its dungeon survives `kill -9`.

Runs where GLOAM_COMPOSE names a compose command, such as `GLOAM_COMPOSE="docker compose"`.
"""

import json
import os
import re
import shlex
import socket
import ssl
import subprocess
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any, Final, TypeVar
from urllib.request import urlopen
from uuid import uuid4

import pytest
from websockets.sync.client import connect
from websockets.typing import Origin

from gloam_shared import limits
from gloam_shared.protocol.codec import decode_from_server, encode
from gloam_shared.protocol.commands import Wait
from gloam_shared.protocol.framing import Framer, FrameWriter
from gloam_shared.protocol.messages.login import Bye, Hello, Joined, Login, Welcome
from gloam_shared.protocol.messages.play import SubmitCommand, Update
from gloam_shared.protocol.registry import PROTOCOL_VERSION, FromClient, FromServer
from gloam_shared.protocol.updates import UpdateReader
from gloam_shared.view.view import NOWHERE, Stat, View
from support.door.page_player import PagePlayer, begin

ROOT: Final = Path(__file__).parents[3]
STOP_S: Final = 5
M = TypeVar("M", bound=FromServer)

pytestmark = [
    pytest.mark.compose,
    pytest.mark.end_to_end,
    pytest.mark.skipif(
        not os.environ.get("GLOAM_COMPOSE"),
        reason='GLOAM_COMPOSE names no compose command, such as "docker compose"',
    ),
]


class Composed:
    """One compose project of its own, on a port of its own."""

    def __init__(self) -> None:
        with ExitStack() as free:
            listening = [free.enter_context(socket.create_server(("127.0.0.1", 0))) for _ in range(5)]
            ports: list[int] = [each.getsockname()[1] for each in listening]
        self.port, self.metrics_port, self.web_port, self.ssh_port, self.door_metrics_port = ports
        self._command = [
            *shlex.split(os.environ["GLOAM_COMPOSE"]),
            "--project-name",
            f"gloam-test-{uuid4().hex[:8]}",
            "--profile",
            "doors",
        ]
        self._environment = {
            **os.environ,
            "GLOAM_PUBLISH": f"127.0.0.1:{self.port}",
            "GLOAM_METRICS_PUBLISH": f"127.0.0.1:{self.metrics_port}",
            "GLOAM_DOOR_PUBLISH": f"127.0.0.1:{self.web_port}",
            "GLOAM_DOOR_SSH_PUBLISH": f"127.0.0.1:{self.ssh_port}",
            "GLOAM_DOOR_METRICS_PUBLISH": f"127.0.0.1:{self.door_metrics_port}",
            "GLOAM_DOOR_ORIGINS": f"http://localhost:{self.web_port}",
            "GLOAM_SEED": "7",
            "GLOAM_OPEN": "1",
            "GLOAM_TRUSTED_NETWORKS": "198.51.100.0/24",
            "GLOAM_PROXY_NETWORKS": "192.0.2.7/32",
        }

    def run(self, *arguments: str, check: bool = True) -> subprocess.CompletedProcess[str]:
        done = subprocess.run(
            [*self._command, *arguments],
            check=False,
            cwd=ROOT,
            env=self._environment,
            capture_output=True,
            text=True,
            timeout=600,
        )
        assert done.returncode == 0 or not check, f"compose {' '.join(arguments)}: {done.stdout}{done.stderr}"
        return done

    def up(self) -> None:
        self.run("up", "--detach", "--build", "--wait")

    def config(self) -> dict[str, Any]:
        """Return the compose file as compose understands it."""
        return json.loads(self.run("config", "--format", "json").stdout)  # type: ignore[no-any-return]

    def inside(
        self, *command: str, check: bool = True, service: str = "server"
    ) -> subprocess.CompletedProcess[str]:
        return self.run("exec", "-T", service, *command, check=check)


class Player:
    """A client of few words, on the bare wire."""

    def __init__(self, port: int, token: bytes) -> None:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)  # seen from the container this is another machine
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        self._line = context.wrap_socket(socket.create_connection(("127.0.0.1", port), timeout=10))
        self._framer = Framer(limits.FRAME_FROM_SERVER_MAX)
        self._frames = FrameWriter()
        self._come: list[FromServer] = []
        self._updates = UpdateReader()
        self.view: View = NOWHERE
        self.send(Hello(PROTOCOL_VERSION, "test"))
        self.wait_for(Welcome)
        self.send(Login("Composer", token))
        self.joined = self.wait_for(Joined)
        self.wait_for(Update)

    def send(self, message: FromClient) -> None:
        self._line.sendall(self._frames.frame(encode(message)))

    def wait_for(self, kind: type[M]) -> M:
        while True:
            while self._come:
                message = self._come.pop(0)
                assert not isinstance(message, Bye), message
                if isinstance(message, Update):
                    self.view = self._updates.read(message)
                if isinstance(message, kind):
                    return message
            data = self._line.recv(65_536)
            assert data, f"the server hung up; {kind.__name__} was due"
            self._come += map(decode_from_server, self._framer.feed(data))

    def act(self, number: int) -> None:
        self.send(SubmitCommand(number, self._updates.patch, Wait()))
        while self.wait_for(Update).done < number:
            pass

    def close(self) -> None:
        self._line.close()


@pytest.fixture(scope="module")
def composed() -> Iterator[Composed]:
    project = Composed()
    try:
        project.up()
        yield project
    finally:
        project.run("down", "--volumes", "--timeout", "1", check=False)


def test_the_server_is_healthy(composed: Composed) -> None:
    assert "gloam-server" in composed.inside("gloam-server", "health").stdout


def test_metrics_and_health_served_machine(composed: Composed) -> None:
    """Metrics and health are served to this machine and the log is json."""
    base = f"http://127.0.0.1:{composed.metrics_port}"
    with urlopen(f"{base}/health", timeout=10) as answer:
        assert json.load(answer)["ok"]
    with urlopen(f"{base}/metrics", timeout=10) as answer:
        assert b"\ngloam_healthy 1.0\n" in answer.read()
    output = composed.run("logs", "--no-log-prefix", "server").stdout
    objects = [json.loads(line) for line in re.findall(r'\{"time".*\}', output)]  # compose adds its marks
    assert any("metrics on http://0.0.0.0:9373/metrics" in each["text"] for each in objects)


def test_a_visitor_plays_through_the_door(composed: Composed) -> None:
    """The door of the profile serves page, game, ssh and metrics, and sees nothing of the world's folder."""
    with urlopen(f"http://127.0.0.1:{composed.web_port}/ladder", timeout=10) as answer:
        assert b"by depth" in answer.read()
    origin = Origin(f"http://localhost:{composed.web_port}")
    with connect(f"ws://127.0.0.1:{composed.web_port}/play", origin=origin, compression=None) as line:
        begin(PagePlayer(line), "Composed")
        assert "Composed: depth 1" in composed.inside("gloam-server", "who").stdout
    with socket.create_connection(("127.0.0.1", composed.ssh_port), timeout=10) as ssh:
        assert ssh.recv(8) == b"SSH-2.0-"
    with urlopen(f"http://127.0.0.1:{composed.door_metrics_port}/metrics", timeout=10) as answer:
        assert b'gloam_door_visits_total{door="web"} 1\n' in answer.read()
    kept = composed.inside("ls", "/data", service="door").stdout.split()
    assert {"door-key", "ssh-host-key", "players"} <= set(kept)
    assert "world.sqlite3" not in kept
    assert int(composed.config()["services"]["door"]["mem_limit"]) == 256 * 2**20
    checked = composed.inside("gloam-door", "check", service="door")
    assert checked.returncode == 0, checked.stdout


@pytest.mark.parametrize("service", ["server", "door"])
def test_the_container_may_do_next_to_nothing(composed: Composed, service: str) -> None:
    assert composed.inside("id", "-u", service=service).stdout.strip() == "10001"
    assert composed.inside("touch", "/opt/gloam/mark", check=False, service=service).returncode != 0
    shown = composed.inside("cat", "/proc/1/status", service=service).stdout
    status = dict(line.split(":\t", 1) for line in shown.splitlines())
    assert {int(status[kind], 16) for kind in ("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb")} == {0}
    assert status["NoNewPrivs"] == "1"


@pytest.mark.parametrize("python", ["/opt/gloam/bin/python", "/usr/local/bin/python"])
def test_nothing_in_it_installs_or_builds_packages(composed: Composed, python: str) -> None:
    tools = "pip ensurepip setuptools wheel hatchling pathspec pluggy trove_classifiers"
    look = f"import importlib.util as u; print([n for n in '{tools}'.split() if u.find_spec(n)])"
    assert composed.inside(python, "-c", look).stdout.strip() == "[]"
    names = ("-name", "pip", "-o", "-name", "pip[0-9]*", "-o", "-name", "pip-*", "-o", "-name", "hatchling*")
    assert composed.inside("find", "/opt/gloam", "/usr/local", *names).stdout == ""


def test_it_takes_no_more_of_the_machine_than_it_needs(composed: Composed) -> None:
    server = composed.config()["services"]["server"]
    assert int(server["mem_limit"]) == 512 * 2**20
    assert server["pids_limit"] == 64
    limit = composed.inside("sh", "-c", "cat /sys/fs/cgroup/memory.max /sys/fs/cgroup/pids.max", check=False)
    if limit.returncode == 0:  # an engine with the second version of cgroups shows them
        assert limit.stdout.split() == [str(512 * 2**20), "64"]


def test_networks_proxies_friends_come(composed: Composed) -> None:
    """The networks of proxies and friends come from the environment."""
    output = composed.inside("env").stdout
    assert "GLOAM_TRUSTED_NETWORKS=198.51.100.0/24\n" in output
    assert "GLOAM_PROXY_NETWORKS=192.0.2.7/32\n" in output


def test_key_lies_volume_and_pin_reported(composed: Composed) -> None:
    """The key is in the volume, and the log shows its pin."""
    assert composed.inside("stat", "--format", "%a %u", "/data/tls-key.pem").stdout.split() == [
        "600",
        "10001",
    ]
    pin = composed.inside("gloam-server", "certificate").stdout.partition("pin ")[2][:43]
    assert composed.inside("gloam-server", "invite").stdout.strip().endswith(f".{pin}")


def test_a_body_survives_kill_9_of_its_container(composed: Composed) -> None:
    token = os.urandom(limits.TOKEN_SIZE)
    with closing(Player(composed.port, token)) as player:
        assert player.joined.life == 1
        for number in (1, 2, 3):
            player.act(number)
        composed.run("kill", "--signal", "KILL", "server")
    composed.up()

    with closing(Player(composed.port, token)) as again:
        assert again.joined.life == 1
        assert again.joined.number == 3
        assert again.view.place == player.view.place
        assert (
            again.view.sheet[Stat.HP :] == player.view.sheet[Stat.HP :]
        )  # a handle is drawn at each arrival


def test_it_stops_cleanly_in_time_and_starts_again(composed: Composed) -> None:
    began = time.monotonic()
    composed.run("stop")
    assert time.monotonic() - began < STOP_S
    assert '"ExitCode":0' in composed.run("ps", "--all", "--format", "json").stdout.replace(" ", "")

    composed.up()
    assert composed.inside("gloam-server", "health").returncode == 0
