"""Small parties that stand in a dungeon together, and verbs for what happens to them."""

from collections.abc import Callable

from gloam_server.content.campaign import Campaign
from gloam_server.engine.player import DEBOUNCE_MS
from gloam_server.world.model.creature import Creature, Item, new_creature
from gloam_server.world.model.inputs import Arrive, GrantKeepsake
from gloam_shared.appearance import Terrain
from gloam_shared.protocol.commands import AnyCommand, Fight, Move, Wait
from gloam_shared.protocol.messages.lives import Died
from gloam_shared.protocol.messages.play import Answer, Update
from support.server.sim_server import SimClient, SimServer

SPACING_MS = 60
"""A little more than two turns of one player are apart."""


def company(
    *names: str, patience_ms: int = 2_000, write_s: float = 0.0, campaign: Campaign | None = None
) -> tuple[SimServer, list[SimClient]]:
    """Return a server and players who have joined it one after another, where nothing is dangerous."""
    server = SimServer(campaign, patience_ms=patience_ms, write_s=write_s)
    players = [server.join(name) for name in names]
    server.advance(int(write_s * 8_000) + 200)
    return server, players


def noticed(server: SimServer) -> None:
    """Let time pass until arrivals, departures and absences are reported."""
    server.advance(DEBOUNCE_MS + 60)


def seconds_pass(server: SimServer, count: int) -> None:
    """Let whole seconds pass, in steps of one: quick, for what no turn depends on."""
    for _ in range(count):
        server.clock.advance(1)
        for client in server.clients:
            client.link.tick(server.now_ms)
        server.settle()


def threatened(server: SimServer, *players: SimClient) -> Creature:
    """Put a passive statue beside the players; it holds all who see it."""
    statue = server.put("statue", server.body(players[0]).cell)
    server.advance(SPACING_MS)
    for player in players:
        assert held(server, player)
    return statue


def armed_goblin(server: SimServer, near: SimClient) -> Creature:
    """Put a goblin with a sword beside a player."""
    goblin = new_creature(server.campaign.creatures["goblin"], 99 * 1_024)
    goblin.slots[0] = Item(number=100 * 1_024, kind="sword", name="sword", colour="white")
    server.engine.loop.submit(1, Arrive(goblin, server.body(near).cell, (99, 1, 0)))
    server.settle()
    return goblin


def granted(server: SimServer, client: SimClient, kind: str, at: int) -> None:
    """Let a player get an item by an input, so that a replay of the journal gives it, too."""
    found = server.campaign.items[kind]
    item = Item(99 * 1_024 + at, kind, found.name, found.colour, found.bites)
    server.engine.loop.submit(1, GrantKeepsake(server.body(client).number, item, (99, at, 0)))
    server.settle()


def held(server: SimServer, client: SimClient) -> bool:
    """Return whether something holds a player."""
    return server.engine.scheduler.is_held(server.level_of(client), server.body(client))


def actions(server: SimServer, client: SimClient) -> int:
    """Return how many actions a player's body has made."""
    return server.body(client).actions


def turn(server: SimServer, client: SimClient, command: AnyCommand | None = None) -> int:
    """Let a player give a command (to wait, if none is named), and time enough for it; return its number."""
    number = client.command(command or Wait())
    server.advance(SPACING_MS)
    return number


def until(condition: Callable[[], object], happen: Callable[[], object], times: int = 300) -> None:
    """Let something happen again and again until a condition holds; it must do so within this many times."""
    for _ in range(times):
        if condition():
            return
        happen()
    raise AssertionError("what was waited for never came")


def all_wait(server: SimServer, players: list[SimClient]) -> None:
    """Let everybody pass a turn."""
    for player in players:
        player.command(Wait())
    server.advance(SPACING_MS)


def clear(server: SimServer, player: SimClient) -> None:
    """Take away all monsters on a player's level."""
    level = server.level_of(player)
    for creature in [each for each in level.creatures.values() if not each.account]:
        server.banish(creature, level.partition)
    server.advance(SPACING_MS)


def mark_of(viewer: SimClient, name: str) -> int:
    """Return the marks under which a viewer's party shows a player."""
    return next(friend.marks for friend in viewer.view.party if friend.name == name)


def answers(client: SimClient) -> list[tuple[int, str]]:
    """Return what a player was answered without a turn, since they last listened."""
    return [(each.number, each.code) for each in client.hear() if isinstance(each, Answer)]


def updates(client: SimClient) -> list[Update]:
    """Return the patches that arrived since the player last listened."""
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


def at_the_stairs(*names: str) -> tuple[SimServer, list[SimClient]]:
    """Return a company whose first member stands on the stairs down."""
    server, players = company(*names)
    server.walk_to(players[0], Terrain.STAIRS_DOWN)
    return server, players


def with_a_choice(*names: str, write_s: float = 0.0) -> tuple[SimServer, list[SimClient]]:
    """Return a company whose first member has just gained a level, by the sword."""
    server, players = company(*names, write_s=write_s)
    anna = players[0]
    until(lambda: server.body(anna).points, lambda: slay(server, players, int(write_s * 2_000)))
    server.advance(int(write_s * 4_000) + SPACING_MS)
    anna.hear()
    return server, players


def slay(server: SimServer, players: list[SimClient], write_ms: int) -> None:
    """Add a kobold, and let the first of the players kill it."""
    kobold = server.put("kobold", server.body(players[0]).cell)
    server.advance(write_ms + SPACING_MS)
    until(
        lambda: kobold.number not in server.dungeon.levels[1].creatures,
        lambda: fight(server, players, write_ms),
    )


def carrying(server: SimServer, client: SimClient, *kinds: str) -> list[int]:
    """Put items into a player's slots; return their numbers."""
    body, level = server.body(client), server.level_of(client)
    items = []
    for kind in kinds:
        found = server.campaign.items[kind]
        items.append(Item(level.new_id(), kind, found.name, found.colour, found.bites))
        body.slots[body.slots.index(None)] = items[-1]
    level.sight.note_gear(body.number)
    return [item.number for item in items]


def slain(server: SimServer, victim: SimClient) -> Died:
    """Let an ogre kill a player, and take it away again; return the messages."""
    turn(server, victim)
    partition = server.level_of(victim).partition
    ogre = server.put("ogre", server.body(victim).cell, partition)
    before = len(victim.of_kind(Died))
    everybody = [client for client in server.clients if client.up]

    def wait() -> None:
        for client in everybody:
            client.command(Wait())
        server.advance(SPACING_MS)

    until(lambda: len(victim.of_kind(Died)) > before, wait)
    server.banish(ogre, partition)
    died = victim.of_kind(Died)[-1]
    assert isinstance(died, Died)
    return died


def heir_of(server: SimServer, client: SimClient, keepsake: int | None = None) -> None:
    client.begin_again(keepsake)
    server.advance(SPACING_MS)


def played(turns: int = 30, campaign: Campaign | None = None) -> SimServer:
    """Return a server on which two players have walked about."""
    server, (anna, bert) = company("Anna", "Bert", campaign=campaign)
    for at in range(turns):
        turn(server, anna if at % 2 else bert, Move((at % 3) - 1, ((at // 3) % 3) - 1))
    return server


def fight(server: SimServer, players: list[SimClient], write_ms: int) -> None:
    """Let the first of the players fight, and the others pass."""
    for other in players[1:]:
        other.command(Wait())
    turn(server, players[0], Fight() if held(server, players[0]) else Wait())
    server.advance(write_ms)
