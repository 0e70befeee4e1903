"""Small companies that stand in a dungeon together, and words for what happens to them."""

from collections.abc import Callable

from gloam_server.sessions.debounce import DEBOUNCE_MS
from gloam_server.world.model.creature import Creature, Item, new_creature
from gloam_server.world.model.inputs import Arrive
from gloam_shared.protocol.commands import AnyCommand, Wait
from gloam_shared.protocol.messages import Answer, Update
from support.realm import SimClient, SimServer

SPACING_MS = 60
"""A little more than two turns of one player are apart."""


def company(*names: str, patience_ms: int = 2_000, write_s: float = 0.0) -> tuple[SimServer, list[SimClient]]:
    """Return a server and players who have joined it one after another, where nothing is dangerous."""
    server = SimServer(patience_ms=patience_ms, write_s=write_s)
    players = [server.join(name) for name in names]
    server.advance(int(write_s * 8_000) + 200)
    return server, players


def noticed(server: SimServer) -> None:
    """Let so much time pass that the others are told of who came, went, or is away."""
    server.advance(DEBOUNCE_MS + 60)


def threatened(server: SimServer, *players: SimClient) -> Creature:
    """Put a statue beside the players, which only stands there; it holds all who see it."""
    statue = server.put("statue", server.body(players[0]).cell)
    server.advance(SPACING_MS)
    for player in players:
        assert held(server, player)
    return statue


def armed_goblin(server: SimServer, near: SimClient) -> Creature:
    """Let a goblin with a sword come beside a player."""
    goblin = new_creature(server.campaign.creatures["goblin"], 99 * 1_024)
    goblin.slots[0] = Item(number=100 * 1_024, kind="sword", name="sword", colour="white")
    server.beats.submit(1, Arrive(goblin, server.body(near).cell, (99, 1, 0)))
    server.settle()
    return goblin


def held(server: SimServer, client: SimClient) -> bool:
    """Return whether something holds a player."""
    return server.beats.scheduler.is_held(server.level_of(client), server.body(client))


def actions(server: SimServer, client: SimClient) -> int:
    """Return how many actions a player's body has made."""
    return server.body(client).actions


def turn(server: SimServer, client: SimClient, command: AnyCommand | None = None) -> int:
    """Let a player give a command (to wait, if none is named), and time enough for it; return its number."""
    number = client.command(command or Wait())
    server.advance(SPACING_MS)
    return number


def until(condition: Callable[[], object], happen: Callable[[], object], times: int = 300) -> None:
    """Let something happen again and again until a condition holds; it must do so within so many times."""
    for _ in range(times):
        if condition():
            return
        happen()
    raise AssertionError("what was waited for never came")


def mark_of(viewer: SimClient, name: str) -> int:
    """Return the marks under which a viewer's party shows a player."""
    return next(friend.marks for friend in viewer.view.party if friend.name == name)


def answers(client: SimClient) -> list[tuple[int, str]]:
    """Return what a player was answered without a turn, since he last listened."""
    return [(each.number, each.code) for each in client.hear() if isinstance(each, Answer)]


def updates(client: SimClient) -> list[Update]:
    """Return the patches that came since the player last listened."""
    return [each for each in client.hear() if isinstance(each, Update)]


def waiting_times(server: SimServer, eager: SimClient, times: int) -> list[int]:
    """Return how long a player's commands waited for a silent friend, one after another."""
    return [waiting_time(server, eager) for _ in range(times)]


def waiting_time(server: SimServer, eager: SimClient) -> int:
    before, began_ms = actions(server, eager), server.now_ms
    eager.command(Wait())
    until(lambda: actions(server, eager) > before, lambda: server.advance(10), times=1_300)
    waited_ms = server.now_ms - began_ms
    server.advance(SPACING_MS)
    return waited_ms
