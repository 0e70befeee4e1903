"""A kept status of a level is the one that the scheduler finds now: in fights, with plans, cuts and waits."""

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


Pairs = list[tuple[LevelStatus, DueTurn | LevelStatus]]


def pair_kept(scheduler: TurnScheduler) -> Pairs:
    """Return the list that each kept status is added to when it is used, with the one that is found then."""
    find, pairs = scheduler._known.find, Pairs()

    def paired(level, players, waiting, agreed, now_ms):  # type: ignore[no-untyped-def]
        known = find(level, players, waiting, agreed, now_ms)
        if known is not None:
            pairs.append((known, scheduler._look(level, players, now_ms)))
        return known

    scheduler._known.find = paired  # type: ignore[method-assign]
    return pairs


def drawn_command(dice: Dice, at: int) -> AnyCommand:
    draw = dice.roll("command", at, 12)
    return (Explore(), Rest(), Wait(), Wait())[draw] if draw < 4 else Move(*DIRECTIONS[draw - 4])


@pytest.mark.parametrize("rats", [0, 4])
def test_kept_statuses_are_those_found_now(rats: int) -> None:
    server = SimServer(arena(), 4, patience_ms=400)
    clients = [server.join(f"Bench{at}") for at in range(PLAYERS)]
    for at in range(rats):
        server.put("rat", server.body(clients[at]).cell)
    pairs = pair_kept(server.engine.scheduler)
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
    assert len(pairs) > ROUNDS // 20
    for kept, found in pairs:
        assert isinstance(found, LevelStatus), "a turn is due"
        assert (found.division, found.look_at_ms) == (kept.division, kept.look_at_ms)
        numbers = found.division.players if found.division is not None else ()
        assert [found.of(number) for number in numbers] == [kept.of(number) for number in numbers]
    noted = [verdict for kept, _ in pairs for _, verdict in kept.noted.values()]
    assert any(verdict.waits_for for verdict in noted) is bool(rats)
