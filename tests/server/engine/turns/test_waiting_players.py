"""The players of a level who wait are those that a look at all of them finds."""

from gloam_server.engine.player import Player
from gloam_server.engine.turns.waiting_players import WaitingPlayers
from gloam_server.rules.dice import Dice
from support.content.campaigns import arena
from support.server.sim_server import SimServer

PLAYERS = 6


def looked_at(players: dict[int, Player]) -> list[int]:
    return [number for number, player in players.items() if player.turns.clock.waiting_since_ms is not None]


def test_noted_players_are_looked_at_again() -> None:
    server = SimServer(arena(), 4)
    for at in range(PLAYERS):
        server.join(f"Bench{at}")
    level = server.engine.dungeon.levels[1]
    players = server.engine.players.on_level(level)
    waiting, dice = WaitingPlayers(), Dice(5, 1, 1)
    found = set()
    for _ in range(200):
        if not dice.roll("batch", 0, 5):
            waiting.begin_batch()
            for number, player in players.items():
                player.turns.clock.waiting_since_ms = 5 if dice.roll("wait", number, 2) else None
        for number in players:
            if not dice.roll("turn", number, 3):
                players[number].turns.clock.waiting_since_ms = 9 if dice.roll("plan", number, 2) else None
                waiting.note(number)
        now = waiting.on_level(level.partition, players).numbers
        assert now == looked_at(players)
        found.add(len(now))
    assert found == set(range(PLAYERS + 1))
