"""The profile `cluster` of compose with real containers: the world is in NATS and PostgreSQL, and outlives each of them."""

from collections.abc import Iterator

import pytest

from support.processes.composed import Composed, Player, needs_compose

STORE = "nats://nats:4222/gloam?replicas=1&monitor=http://nats:8222,postgresql://gloam:secret@postgres/gloam"

pytestmark = [pytest.mark.compose, pytest.mark.end_to_end, needs_compose]


@pytest.fixture(scope="module")
def composed() -> Iterator[Composed]:
    made = Composed(
        "cluster", GLOAM_STORE=STORE, GLOAM_POSTGRES_PASSWORD="secret"
    )  # of this test's own containers
    try:
        made.up()
        yield made
    finally:
        made.run("down", "--volumes", "--timeout", "5", check=False)


def test_no_world_is_in_the_folder(composed: Composed) -> None:
    files = composed.inside("ls", "/data").stdout
    assert "tls-certificate.pem" in files
    assert "world.sqlite3" not in files


@pytest.mark.parametrize("service", ["server", "nats", "postgres"])
def test_a_life_outlives_each_container(composed: Composed, service: str) -> None:
    """Each is killed while a player plays; the same body plays on when all are healthy again."""
    token = bytes(31) + service.encode()[:1]
    player = Player(composed.port, token, f"Guest{service[0]}")
    player.act(1)
    place = player.view.place
    player.close()
    composed.run("kill", "--signal", "KILL", service)
    composed.run("up", "--detach", "--wait")
    again = Player(composed.port, token, f"Guest{service[0]}")
    assert (again.joined.life, again.joined.number, again.view.place) == (1, 1, place)
    again.act(2)
    again.close()


def test_another_machine_finds_the_world(composed: Composed) -> None:
    """The container and its volume are gone; a new one plays the world of the cluster on."""
    token = bytes(31) + b"m"
    player = Player(composed.port, token, "Mover")
    player.act(1)
    place = player.view.place
    player.close()
    composed.run("rm", "--stop", "--force", "server")
    composed.run("up", "--detach", "--wait")
    again = Player(composed.port, token, "Mover")
    assert (again.joined.number, again.view.place) == (1, place)
    again.close()
