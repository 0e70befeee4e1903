"""Over the whole server: things that two want, that are spent twice, and lives that hunger ends (rules A41-A45)."""

import pytest

from gloam_server.content.campaign import Campaign
from gloam_server.rules.dice import Dice
from gloam_server.world.items.floor_items import create_item, drop_item
from gloam_server.world.model.context import TurnContext
from gloam_shared.narration.rendering import render_line
from gloam_shared.protocol.commands import Drop, Eat, Move, PickUp, Wait, Wear
from gloam_shared.protocol.messages.lives import Died
from gloam_shared.protocol.messages.login import Error
from gloam_shared.protocol.messages.play import Answer
from gloam_shared.view.view import FloorItem, ItemFlag
from support.content.campaigns import arena
from support.server.sim_server import SimClient, SimServer


def lay_under(server: SimServer, client: SimClient, kind: str) -> int:
    """Let a thing lie where a player stands; return its handle."""
    level, body = server.level_of(client), server.body(client)
    context = TurnContext(level, Dice(server.dungeon.seed, level.partition, 1_000_000))
    item = create_item(context, level.campaign.items[kind], body.cell)
    drop_item(context, item, body.cell)
    return level.handles[item.number]


def step_aside(server: SimServer, client: SimClient) -> None:
    """Let a player's view become current by an action."""
    client.command(Wait())
    server.advance(60)


def answers(client: SimClient) -> list[tuple[str, str]]:
    return [(answer.code, answer.text) for answer in client.of_kind(Answer)]


def lines(client: SimClient) -> list[str]:
    return [render_line(line) for line in client.view.log.lines]


def test_lies_underfoot_comes_view_and_inventory() -> None:
    """An item underfoot enters the view and then the inventory."""
    server = SimServer()
    ann = server.join("Ann")
    handle = lay_under(server, ann, "apple")
    step_aside(server, ann)
    assert ann.view.pile == (FloorItem(handle, "%", "red", "apple", ItemFlag.EDIBLE),)
    ann.command(PickUp((handle,)))
    server.advance(60)
    assert [thing.name for thing in ann.view.pile] == []
    assert [(thing.slot, thing.name) for thing in ann.view.inventory] == [(0, "apple")]


@pytest.mark.rule("A43")
def test_one_of_two_gets_the_item_over_the_wire() -> None:
    """Of two players in one batch exactly one gets the item, and the other reads who has it."""
    server = SimServer()
    ann, bert = server.join("Ann"), server.join("Bert")
    handle = lay_under(server, ann, "apple")
    grid = server.level_of(ann).grid
    bert.command(Move(*grid.towards(server.body(bert).cell, server.body(ann).cell)))
    server.advance(60)
    for client in (ann, bert):
        client.command(PickUp((handle,)))
    server.advance(120)
    assert [len(server.body(client).carried) for client in (ann, bert)] == [0, 1]
    assert ("cannot", "There is nothing here to pick up.") in answers(ann)
    assert "Bert picks up an apple." in lines(ann)


@pytest.mark.rule("A45")
def test_bite_sent_twice_taken_once_over_cut() -> None:
    """A bite sent twice is taken once over a cut too."""
    server = SimServer()
    ann = server.join("Ann")
    lay_under(server, ann, "melon")
    ann.command(PickUp())
    server.advance(60)
    ann.command(Eat(0))
    ann.cut()
    ann.dial()
    server.advance(120)
    assert server.body(ann).carried[0].bites == 3


@pytest.mark.rule("A45", "F22")
def test_what_has_been_eaten_is_gone() -> None:
    server = SimServer()
    ann = server.join("Ann")
    lay_under(server, ann, "apple")
    for command in (PickUp(), Eat(0), Eat(0)):
        ann.command(command)
        server.advance(60)
    assert answers(ann)[-1] == ("gone", "You are not carrying anything!")


@pytest.mark.rule("A44")
def test_slots_out_of_range_are_refused_by_the_decoder() -> None:
    server = SimServer()
    ann = server.join("Ann")
    turns = server.body(ann).actions
    for slot in (-1, 26, 2**31):
        ann.command(Drop(slot))
        server.advance(60)
    assert [error.code for error in ann.of_kind(Error)] == ["range"] * 3
    assert server.body(ann).actions == turns


@pytest.mark.rule("A41", "F22")
def test_failed_commands_cost_nothing() -> None:
    server = SimServer(arena(hunger="starve_or_choke"))
    ann = server.join("Ann")
    before = (server.body(ann).food, server.body(ann).actions)
    for command in (PickUp(), PickUp((9,)), Drop(3), Eat(0), Wear(2), Wear(None)):
        ann.command(command)
        server.advance(60)
    assert (server.body(ann).food, server.body(ann).actions) == before
    assert all(code in ("cannot", "gone") for code, _ in answers(ann))


@pytest.mark.rule("JG.15")
def test_starvation_ends_a_life_and_the_next_is_fed() -> None:
    """A life that starves ends as by a blow, and the next begins fed."""
    campaign: Campaign = arena(hunger="starve_or_choke")
    server = SimServer(campaign)
    ann = server.join("Ann")
    lay_under(server, ann, "sword")
    ann.command(PickUp())
    server.advance(60)
    cell = server.body(ann).cell
    for _ in range(29):
        ann.command(Wait())
        server.advance(60)
    [death] = ann.of_kind(Died)
    assert (death.by, death.cell, death.turns) == ("starvation", cell, 30)
    level = server.dungeon.levels[1]
    assert [item.name for item in level.piles[cell]] == ["grave of Ann", "sword", "Ann corpse"]
    ann.begin_again()
    server.advance(60)
    assert server.body(ann).food == 30
    assert ann.view.inventory == ()


def test_gear_leaves_play_bearer_and_comes_back() -> None:
    """Gear leaves play with its bearer and returns."""
    server = SimServer()
    ann = server.join("Ann")
    lay_under(server, ann, "tunic")
    for command in (PickUp(), Wear(0)):
        ann.command(command)
        server.advance(60)
    worn = ann.view.inventory
    ann.leave()
    server.advance(60)
    assert list(server.dungeon.levels[1].items_at()) == []
    again = server.join("Ann")
    assert again.view.inventory == worn


def test_comes_back_onto_thing_not_find() -> None:
    """A player who returns onto a thing does not find it again."""
    server = SimServer()
    anna = server.join("Anna")
    lay_under(server, anna, "apple")
    step_aside(server, anna)
    anna.cut()
    server.advance(100)
    assert not server.dungeon.levels[1].players()
    anna.dial()
    server.advance(100)
    assert anna.view.pile
    assert "You see an apple." not in lines(anna)


def test_a_new_life_finds_what_lies_where_it_begins() -> None:
    server = SimServer()
    ann = server.join("Ann")
    lay_under(server, ann, "apple")
    ann.leave()
    server.advance(100)
    assert "You see an apple." in lines(server.join("Bert"))
