"""A level's status is kept, and the check mode finds it equal: in fights, with plans, cuts and waits."""

from itertools import pairwise

import pytest

from gloam_server.engine.turns.level_status import LevelStatus
from gloam_server.engine.turns.turn_scheduler import DueTurn, TurnScheduler
from gloam_server.rules.dice import Dice
from gloam_shared.geometry import DIRECTIONS
from gloam_shared.protocol.commands import AnyCommand, Explore, Move, Rest, Wait
from gloam_shared.protocol.messages.play import Thinking
from support.content.campaigns import arena
from support.server.sim_server import SimServer

PLAYERS = 5
ROUNDS = 120


def note_found(scheduler: TurnScheduler) -> list[DueTurn | LevelStatus]:
    """Return the list that everything is added to that the scheduler finds."""
    real, found = scheduler.due, list[DueTurn | LevelStatus]()

    def due(partition: int, now_ms: int) -> DueTurn | LevelStatus:
        found.append(real(partition, now_ms))
        return found[-1]

    scheduler.due = due  # type: ignore[method-assign]
    return found


def drawn_command(dice: Dice, at: int) -> AnyCommand:
    draw = dice.roll("command", at, 12)
    return (Explore(), Rest(), Wait(), Wait())[draw] if draw < 4 else Move(*DIRECTIONS[draw - 4])


@pytest.mark.parametrize("rats", [0, 4])
def test_kept_statuses_are_those_found_now(rats: int) -> None:
    server = SimServer(arena(), 4, patience_ms=400)
    clients = [server.join(f"Bench{at}") for at in range(PLAYERS)]
    for at in range(rats):
        server.put("rat", server.body(clients[at]).cell)
    found = note_found(server.engine.scheduler)
    dice = Dice(5, 1, 1)
    for _ in range(ROUNDS):
        at = dice.roll("client", 0, PLAYERS)
        client, deed = clients[at], dice.roll("deed", at, 20)
        if not client.up:
            client.dial()
        elif deed == 0:
            client.cut()
        elif deed == 1:
            client.send(Thinking())
        elif deed == 2:
            server.banish(server.put("rat", server.level_of(client).state.arrival))
        elif client.view.place.depth:
            client.command(drawn_command(dice, at))
        server.pass_time(dice.roll("pause", at, 90))
    kept = [one for one, other in pairwise(found) if one is other and isinstance(one, LevelStatus)]
    assert len(kept) > ROUNDS // 20
    assert any(status.waits_for for each in kept for _, status in each.noted.values()) is bool(rats)
