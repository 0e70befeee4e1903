"""Items that are worth it are picked up after steps by hand, runs and journeys; never beside danger.

A full pack is reported once.
"""

import pytest

from gloam_server.rules.dice import Dice
from gloam_server.views.pickup_advice import is_worth
from gloam_server.world.model.creature import Item
from gloam_shared.narration.rendering import render_line
from gloam_shared.protocol.commands import Drop, Explore, Move, Run, Stop, Travel, Wait
from gloam_shared.protocol.messages.play import Answer
from support.content.campaigns import arena, arena_with, shipped
from support.server.parties import SPACING_MS, actions, carrying, clear, heir_of, slain, turn, until
from support.server.sim_server import SimClient, SimServer

COINS = """
[coin]
name = "coin"
glyph = "$"
colour = "yellow"
pick_up = "always"
"""
NO_FOOD = "You are starving and have no food: find some before your turns run out."
PACK_FULL = "Your inventory is full: what is worth picking up stays where it lies."


def alone() -> tuple[SimServer, SimClient]:
    server = SimServer(arena_with(items=COINS))
    anna = server.join("Anna")
    server.advance(200)
    return server, anna


def lay(server: SimServer, client: SimClient, kind: str, cell: int) -> None:
    level, found = server.level_of(client), server.campaign.items[kind]
    item = Item(level.new_id(), kind, found.name, found.colour)
    level.put_item(item, cell, Dice(1, level.partition, item.number))


def beside(server: SimServer, client: SimClient) -> int:
    """Return a cell beside a player that is free."""
    return server.ground(client)[1]


def step_to(server: SimServer, client: SimClient, cell: int, *, pick_up: bool = True) -> Move:
    dx, dy = server.level_of(client).grid.towards(server.body(client).cell, cell)
    return Move(dx, dy, pick_up=pick_up)


def kinds(server: SimServer, client: SimClient) -> list[str]:
    return [item.kind for item in server.body(client).carried]


@pytest.mark.parametrize(("pick_up", "carried", "spent"), [(True, ["coin"], 2), (False, [], 1)])
def test_step_followed_pick_player_wants(pick_up: bool, carried: list[str], spent: int) -> None:
    """A step is followed by a pick up where the player wants it."""
    server, anna = alone()
    cell = beside(server, anna)
    for kind in ("rock", "coin", "apple"):
        lay(server, anna, kind, cell)
    before = actions(server, anna)
    anna.command(step_to(server, anna, cell, pick_up=pick_up))
    server.advance(500)
    assert kinds(server, anna) == carried
    assert actions(server, anna) - before == spent
    assert [thing.name for thing in anna.view.pile if thing.name != "coin"] == ["rock", "apple"]


def test_player_walks_at_once_leaves_nothing() -> None:
    """A player who walks on immediately leaves nothing behind."""
    server, anna = alone()
    start, cell = server.body(anna).cell, beside(server, anna)
    lay(server, anna, "coin", cell)
    there, back = step_to(server, anna, cell), server.level_of(anna).grid.towards(cell, start)
    anna.command(there)
    server.advance(10)
    anna.command(Move(*back, pick_up=True))
    server.advance(4 * SPACING_MS)
    assert (kinds(server, anna), server.body(anna).cell) == (["coin"], start)


def test_any_other_command_goes_before_the_pick_up() -> None:
    server, anna = alone()
    cell = beside(server, anna)
    lay(server, anna, "coin", cell)
    anna.command(step_to(server, anna, cell))
    server.advance(10)
    anna.command(Wait())
    server.advance(500)
    assert kinds(server, anna) == []


@pytest.mark.by_hand
@pytest.mark.parametrize(("kind", "carried"), [("statue", []), ("rat", ["coin"])])
def test_nothing_is_picked_up_beside_a_dangerous_foe(kind: str, carried: list[str]) -> None:
    server, anna = alone()
    cell = beside(server, anna)
    lay(server, anna, "coin", cell)
    foe = server.put(kind, server.ground(anna)[-1])
    server.level_of(anna).move(foe, next(there for there in server.ground(anna)[2:] if there != cell))
    anna.command(step_to(server, anna, cell))
    server.advance(4 * SPACING_MS)
    assert (kinds(server, anna), server.body(anna).cell) == (carried, cell)


@pytest.mark.parametrize("pick_up", [True, False])
def test_journey_picks_lies_way_and_end(pick_up: bool) -> None:
    """A journey picks up what lies on its way and at its end."""
    server, anna = alone()
    server.walk(anna, server.ground(anna)[-1])
    server.walk(anna, server.ground(anna)[-1])
    start = server.body(anna).cell
    anna.command(Travel(server.ground(anna)[8]))
    way = []
    for _ in range(300):
        way.append(server.body(anna).cell)
        server.advance(10)
    way = [cell for cell in dict.fromkeys(way) if cell != start]
    server.walk(anna, start)
    for cell in way:
        lay(server, anna, "coin", cell)
    anna.command(Travel(way[-1], pick_up=pick_up))
    server.advance(3_000)
    assert kinds(server, anna) == (["coin"] * len(way) if pick_up else [])
    assert (server.body(anna).cell, len(way) > 1) == (way[-1], True)


@pytest.mark.parametrize("pick_up", [True, False])
def test_a_run_picks_up_what_it_comes_upon(pick_up: bool) -> None:
    server, anna = alone()
    cell = beside(server, anna)
    lay(server, anna, "coin", cell)
    step = step_to(server, anna, cell)
    anna.command(Run(step.dx, step.dy, pick_up))
    server.advance(1_000)
    assert kinds(server, anna) == (["coin"] if pick_up else [])


def test_full_pack_reported_once() -> None:
    """The player reads once that the inventory is full, and exploring continues to its end."""
    server, anna = alone()
    carrying(server, anna, *["rock"] * 10)
    for cell in server.ground(anna)[1:40:3]:
        lay(server, anna, "coin", cell)
    first, second = server.ground(anna)[1], server.body(anna).cell
    for cell in (first, second, first):
        anna.command(step_to(server, anna, cell))
        server.advance(4 * SPACING_MS)
    ended: list[str] = []

    def explore() -> None:
        anna.command(Explore(pick_up=True, cells=(server.ground(anna)[-1],)))
        until(lambda: not anna.link.pace.plan, lambda: server.advance(50))
        ended.extend(each.code for each in anna.hear() if isinstance(each, Answer))

    until(lambda: "explored" in ended, explore)
    assert [render_line(line) for line in anna.view.log.lines].count(PACK_FULL) == 1
    assert "coin" not in kinds(server, anna)

    turn(server, anna, Drop(0))
    turn(server, anna, Explore(pick_up=True, cells=(first,)))
    until(lambda: not anna.link.pace.plan, lambda: server.advance(50))
    assert "coin" in kinds(server, anna)


def test_heir_picks_life_before_laid_down() -> None:
    """An heir picks up what the life before laid down."""
    server, anna = alone()
    carrying(server, anna, "coin")
    turn(server, anna, Drop(0))
    cell = server.body(anna).cell
    there = beside(server, anna)
    for goal in (there, cell):
        anna.command(step_to(server, anna, goal))
        server.advance(4 * SPACING_MS)
    assert kinds(server, anna) == []
    server.walk(anna, there)
    slain(server, anna)
    heir_of(server, anna)
    server.walk(anna, there)
    anna.command(step_to(server, anna, cell))
    server.advance(4 * SPACING_MS)
    assert kinds(server, anna) == ["coin"]


def test_starves_without_food_reported_once() -> None:
    """A starving player without food reads so once, and explores further."""
    server = SimServer(arena(hunger="starve_or_choke"))
    anna = server.join("Anna")
    server.advance(200)
    body = server.body(anna)

    def said() -> int:
        return [render_line(line) for line in anna.view.log.lines].count(NO_FOOD)

    for _ in range(3):
        body.food = 9
        turn(server, anna, Explore(pick_up=True))
        turn(server, anna, Stop())
    assert (said(), body.actions > 2) == (1, True)
    body.food = 150
    turn(server, anna, Explore(pick_up=True))
    turn(server, anna, Stop())
    body.food = 9
    turn(server, anna, Explore(pick_up=True))
    assert said() == 2


@pytest.mark.by_hand
def test_a_book_is_not_picked_up_twice() -> None:
    """A second copy teaches nothing; a better one makes the spells stronger."""
    server = SimServer(shipped("gloam"))
    anna = server.join("Anna")
    server.advance(200)
    clear(server, anna)
    worth = []
    for power in (1, 1, 3):
        level, body = server.level_of(anna), server.body(anna)
        found = server.campaign.items["book_fire"]
        book = Item(level.new_id(), found.key, found.name, found.colour, power=power)
        worth.append(is_worth(level, book, body))
        body.slots[body.slots.index(None)] = book
    assert worth == [True, False, True]
