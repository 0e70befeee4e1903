"""The server in a real container: hardened, healthy, and its dungeon survives `kill -9`.

Runs where GLOAM_COMPOSE names a compose command, such as `GLOAM_COMPOSE="docker compose"`.
"""

import json
import os
import re
import socket
import time
from collections.abc import Iterator
from contextlib import closing
from typing import Final
from urllib.request import urlopen

import pytest
from websockets.sync.client import connect
from websockets.typing import Origin

from gloam_shared import limits
from gloam_shared.view.view import Stat
from support.door.page_player import PagePlayer, begin
from support.processes.composed import Composed, Player, needs_compose

STOP_S: Final = 5

pytestmark = [
    pytest.mark.compose,
    pytest.mark.end_to_end,
    needs_compose,
]


@pytest.fixture(scope="module")
def composed() -> Iterator[Composed]:
    project = Composed("doors")
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
        assert b'gloam_door_visits_total{door="web"} 1.0\n' in answer.read()
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
