"""Handles: a body that was out of play is called on its level what it was called before."""

from gloam_shared.protocol.commands import Climb
from gloam_shared.view.view import Stat
from support.server.parties import at_the_stairs, company, turn
from support.server.sim_server import SimClient, SimServer


def handle(client: SimClient) -> int:
    """Return by which number a player's own body goes."""
    return client.view.fact(Stat.HANDLE)


def cut_and_back(server: SimServer, client: SimClient) -> None:
    """Cut a line that nothing holds, let the body go out of play, and return."""
    client.cut()
    server.advance(5_000)
    assert server.engine.players.in_dungeon(client.connection.player) is None, "the body is still in play"
    client.dial()
    server.advance(200)


def test_body_keeps_handle_over_cut_and_others() -> None:
    """A body keeps its handle over a cut for itself and for others."""
    server, (anna, bert) = company("Anna", "Bert")
    before = handle(anna)
    cut_and_back(server, anna)
    assert handle(anna) == before
    assert before in {creature.handle for creature in bert.view.creatures}


def test_it_keeps_it_over_a_restart_too() -> None:
    server, (anna,) = company("Anna")
    before = handle(anna)
    anna.leave()
    server.advance(5_000)
    server.stop()
    later = server.again()
    assert handle(later.join("Anna")) == before


def test_another_level_gives_another_handle() -> None:
    server, (anna,) = at_the_stairs("Anna")
    first = handle(anna)
    turn(server, anna, Climb(down=True))
    second = handle(anna)
    assert anna.view.place.depth == 2
    cut_and_back(server, anna)
    assert handle(anna) == second != first
