"""The profile `workers` of compose with real containers: two workers behind a balancer, and a dungeon that one of them has."""

import time
from collections.abc import Iterator

import pytest

from support.processes.composed import Composed, Player, needs_compose

STORE = "nats://nats:4222/any?replicas=1&monitor=http://nats:8222,postgresql://gloam:secret@postgres/gloam"
PATIENCE_S = 60

pytestmark = [pytest.mark.compose, pytest.mark.end_to_end, needs_compose]


@pytest.fixture(scope="module")
def composed() -> Iterator[Composed]:
    made = Composed("workers", GLOAM_WORKERS_STORE=STORE, GLOAM_POSTGRES_PASSWORD="secret")
    made.environment["GLOAM_BALANCER_PORTS"] = f"127.0.0.1:{made.port}:7373"
    try:
        made.up("--scale", "worker=2", "balancer")
        realm = ("first", "--port", "7373", "--campaign", "jsrogue", "--seed", "7")
        made.inside("gloam-server", "realms", "create", *realm, service="worker")
        yield made
    finally:
        made.run("down", "--volumes", "--timeout", "5", check=False)


def play_on(composed: Composed, token: bytes) -> Player:
    """Dial until the dungeon is served, as a client does."""
    until = time.monotonic() + PATIENCE_S
    while True:
        try:
            return Player(composed.port, token, "Mover")
        except (OSError, AssertionError):
            assert time.monotonic() < until, composed.run("logs", "--no-color").stdout[-4_000:]
            time.sleep(0.2)


def realms(composed: Composed) -> str:
    return composed.inside("gloam-server", "realms", "list", service="worker").stdout


def holder(composed: Composed) -> str:
    """Return the worker that serves the dungeon."""
    return realms(composed).partition("open in worker ")[2].partition(",")[0]


def test_a_dungeon_moves_and_outlives_its_worker(composed: Composed) -> None:
    """The balancer finds it at the other worker, after a move and after a kill; the same life plays on."""
    token = bytes(31) + b"w"
    player = play_on(composed, token)
    player.act(1)
    place = player.view.place
    player.close()
    names = {line.split()[2].rstrip(":") for line in realms(composed).splitlines() if ": worker " in line}
    first = holder(composed)
    [other] = names - {first}
    composed.inside("gloam-server", "realms", "move", "first", "--to", other, service="worker")
    player = play_on(composed, token)
    assert (player.joined.number, player.view.place) == (1, place)
    player.act(2)
    player.close()
    composed.run("kill", "--signal", "KILL", "worker")
    composed.run("up", "--detach", "--wait", "--scale", "worker=2", "balancer")
    player = play_on(composed, token)
    assert (player.joined.number, player.view.place) == (2, place)
    player.close()
