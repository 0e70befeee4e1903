"""A player who sleeps: their turns pass by any command, and no one waits for them (rule RG.17)."""

import pytest

from gloam_shared.protocol.commands import Wait
from support.server.parties import actions, company, threatened, turn
from support.server.sim_server import SimClient, SimServer


def asleep(server: SimServer, client: SimClient) -> int:
    body = server.body(client)
    return body.asleep


@pytest.mark.rule("RG.17")
def test_alone_command_carried_when_sleep_over() -> None:
    """Alone a command is carried out when the sleep is over."""
    server, (anna,) = company("Anna")
    server.body(anna).asleep = 5
    anna.command(Wait())
    assert (asleep(server, anna), actions(server, anna)) == (4, 0)
    server.advance(400)
    assert (asleep(server, anna), actions(server, anna)) == (0, 1)


@pytest.mark.rule("RG.17")
def test_alone_and_without_a_command_no_sleeper_wakes() -> None:
    server, (anna,) = company("Anna")
    server.body(anna).asleep = 5
    server.advance(5_000)
    assert asleep(server, anna) == 5


@pytest.mark.rule("RG.17")
def test_danger_does_not_wait_for_a_sleeping_friend() -> None:
    server, (anna, ben) = company("Anna", "Ben")
    threatened(server, anna)
    server.body(ben).asleep = 30
    before, began_ms = actions(server, anna), server.now_ms
    turn(server, anna)
    assert actions(server, anna) == before + 1
    assert server.now_ms - began_ms <= 100
    assert asleep(server, ben) < 30
