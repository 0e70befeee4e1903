"""Friends who lift and lend on a whole server: at cuts and crashes nothing is lost, doubled or escaped (F127 to F131)."""

from collections import Counter

import pytest

from gloam_lab.invariants import check_invariants
from gloam_server.world.model.creature import Creature, new_creature
from gloam_server.world.model.creature_state import Down
from gloam_server.world.model.ids import new_id
from gloam_server.world.model.inputs import Arrive
from gloam_shared.protocol.commands import AnyCommand, Drag, Give, Move, Wait
from gloam_shared.view.view import CreatureFlag
from support.content.campaigns import shipped
from support.server.parties import SPACING_MS, answers, turn, until
from support.server.party_requests import join
from support.server.sim_server import SimClient, SimServer


def friends() -> tuple[SimServer, SimClient, SimClient]:
    """Return a server of the flagship with two players of one party beside each other."""
    server = SimServer(shipped("gloam"), seed=2)
    anna, bert = server.join("Anna"), server.join("Bert")
    server.advance(200)
    join(server, anna, bert)
    return server, anna, bert


def brute(server: SimServer, near: SimClient) -> Creature:
    """Put a creature beside a player that fells what it strikes."""
    body = new_creature(server.campaign.creatures["rat"], new_id(99, 1))
    body.attack, body.hp, body.hp_max, body.contacts = 100_000, 500, 500, {}
    server.engine.loop.submit(1, Arrive(body, server.body(near).cell, (99, 1, 0)))
    server.settle()
    return server.dungeon.levels[1].creatures[body.number]


def is_down(server: SimServer, client: SimClient) -> bool:
    return isinstance(server.body(client).down, Down)


def fell(server: SimServer, victim: SimClient, other: SimClient) -> Creature:
    """Let a creature bring a player down; return it."""
    foe = brute(server, victim)
    until(lambda: is_down(server, victim) or is_down(server, other), lambda: both(server, victim, other))
    return foe


def both(server: SimServer, *clients: SimClient) -> None:
    """Let players wait a turn."""
    for client in clients:
        client.command(Wait())
    server.advance(SPACING_MS)


def items(server: SimServer) -> Counter[int]:
    """Return how often each item of the level is there."""
    level = server.dungeon.levels[1]
    carried = [item.number for body in level.creatures.values() for item in body.carried]
    return Counter([*carried, *(item.number for _, item in level.items_at())])


def count(server: SimServer, client: SimClient, kind: str) -> int:
    return sum(item.kind == kind for item in server.body(client).carried)


def handle(client: SimClient, name: str) -> int:
    return next(each.handle for each in client.view.creatures if each.name == name)


@pytest.mark.rule("F131")
@pytest.mark.parametrize("crashes_after", range(3))
def test_a_loan_survives_a_crash_and_ends_in_time(crashes_after: int) -> None:
    """Before the loan, in it, and in the moment of the leaving: each item is there once, and in the end with its owner."""
    server, anna, bert = friends()
    before = items(server)
    knife = server.body(anna).slots[0]
    assert knife is not None
    for step in range(3):
        if step == crashes_after:
            server.crash()
            server = server.again()
            anna, bert = server.join("Anna"), server.join("Bert")
            server.advance(200)
            assert items(server) == before
            check_invariants(server.dungeon.levels[1])
        if step == 0:
            turn(server, anna, Give(0, handle(anna, "Bert")))
            assert server.body(bert).carried[-1].number == knife.number
        if step == 1:
            bert.leave()
            server.advance(2_000)
    assert items(server)[knife.number] == 1
    assert knife.number in [item.number for item in server.body(anna).carried]


@pytest.mark.rule("F127")
def test_a_cut_is_no_escape_and_silence_no_prison() -> None:
    """The count of a downed player passes without their client; no key has to be pressed for it."""
    server, anna, bert = friends()
    fell(server, bert, anna)
    lying, standing = (bert, anna) if is_down(server, bert) else (anna, bert)
    number = server.body(lying).number
    assert any(each.marks & CreatureFlag.DOWN for each in standing.view.creatures)
    lying.cut()
    standing.cut()
    until(lambda: number not in server.dungeon.levels[1].creatures, lambda: server.advance(1_000), 60)
    assert server.dungeon.realm.lives.get(1 if lying is anna else 2) is None


@pytest.mark.rule("F128")
def test_a_cut_player_is_lifted_by_a_step() -> None:
    server, anna, bert = friends()
    fell(server, bert, anna)
    lying, standing = (bert, anna) if is_down(server, bert) else (anna, bert)
    potions = count(server, standing, "potion_healing")
    lying.cut()
    dx, dy = server.level_of(standing).grid.towards(server.body(standing).cell, server.body(lying).cell)
    turn(server, standing, Move(dx, dy))
    assert count(server, standing, "potion_healing") == potions - 1


@pytest.mark.rule("F128")
def test_an_impossible_drag_is_refused_at_the_door() -> None:
    _server, anna, _ = friends()
    number = anna.command(Drag(handle(anna, "Bert"), 1, 0))
    assert (number, "gone") in answers(anna)


CUTS = (
    "none",
    "lifter before",
    "lifter after",
    "downed before",
    "downed after",
    "both",
    "crash before",
    "crash after",
)


def cut_at(
    server: SimServer,
    moment: str,
    standing: SimClient,
    lying: SimClient,
    command: AnyCommand,
    ms: int = SPACING_MS,
) -> SimServer:
    """Let a player give a command, with a cut of one or both, or a crash, before or after it is carried out."""
    cut = {"lifter": [standing], "downed": [lying], "both": [standing, lying]}.get(
        moment.partition(" ")[0], []
    )
    if moment.endswith("before"):
        for client in cut if "lifter" not in moment else ():
            client.cut()
        standing.command(command)
        for client in cut:
            client.cut()
    else:
        standing.command(command)
        if not moment.startswith("crash"):
            server.settle()
    if moment == "crash before":
        server.crash()
        return server.again()
    server.advance(ms)
    if moment == "crash after":
        server.crash()
        return server.again()
    for client in cut:
        client.cut()
    return server


@pytest.mark.rule("F127", "F128")
@pytest.mark.parametrize("moment", CUTS)
def test_a_lift_at_every_cut_costs_one_potion(moment: str) -> None:
    """Cut before or after, or a crash: a lift costs one potion, nothing else is gone, and both play on."""
    server, anna, bert = friends()
    fell(server, bert, anna)
    lying, standing = (bert, anna) if is_down(server, bert) else (anna, bert)
    names = {anna: "Anna", bert: "Bert"}
    before, potions = items(server), potions_of(server)
    level = server.level_of(standing)
    dx, dy = level.grid.towards(server.body(standing).cell, server.body(lying).cell)
    server = cut_at(server, moment, standing, lying, Move(dx, dy))
    bodies = [server.join(name) for name in names.values()]
    server.advance(200)
    gone = before - items(server)
    assert sum(gone.values()) == potions - potions_of(server) <= 1
    assert max(items(server).values()) == 1
    assert items(server) - before == Counter()
    check_invariants(server.dungeon.levels[1])
    assert sorted(server.body(each).account for each in bodies) == [1, 2]


@pytest.mark.rule("F129", "F130")
@pytest.mark.parametrize("moment", CUTS)
def test_a_swap_at_every_cut_is_made_once_at_most(moment: str) -> None:
    """Two friends change places once, or not at all: never onto one cell, and never back and forth."""
    server, anna, bert = friends()
    server.put("rat", server.body(bert).cell)
    server.advance(SPACING_MS)
    places = [server.body(each).cell for each in (anna, bert)]
    dx, dy = server.level_of(anna).grid.towards(*places)
    server = cut_at(server, moment, anna, bert, Move(dx, dy), 2_500)  # the turn waits for the friend
    again = [server.join(name) for name in ("Anna", "Bert")]
    server.advance(200)
    now = [server.body(each).cell for each in again]
    assert now in (places, places[::-1])
    assert moment not in ("none", "crash after") or now == places[::-1]
    check_invariants(server.dungeon.levels[1])


def potions_of(server: SimServer) -> int:
    level = server.dungeon.levels[1]
    carried = [item.kind for body in level.creatures.values() for item in body.carried]
    return [*carried, *(item.kind for _, item in level.items_at())].count("potion_healing")
