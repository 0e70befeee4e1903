"""Victory over the wire: it ends that life in glory, the realm goes on, and heirs arrive."""

import pytest

from gloam_server.world.model.creature import Item
from gloam_server.world.population.new_levels import difficulty_offset
from gloam_shared.appearance import Terrain
from gloam_shared.geometry import DIRECTIONS
from gloam_shared.level_numbers import level_number
from gloam_shared.protocol.commands import Climb, Move, Use
from gloam_shared.protocol.messages.chat import ChatLine
from gloam_shared.protocol.messages.lives import Died
from support.content.campaigns import arena_with, prize
from support.server.parties import SPACING_MS, turn
from support.server.sim_server import SimClient, SimServer

SLAY = '[victory]\nrule = "slay"\ncreature = "boss"\nwords = "All is well."'
BOSS = """
[boss]
name = "boss"
glyph = "Z"
colour = "red"
hp = 6
attack = 1
tasks = ["wander"]
boss = true
spawns = false
"""


def give(server: SimServer, client: SimClient, kind: str) -> Item:
    body, level = server.body(client), server.level_of(client)
    found = server.campaign.items[kind]
    item = Item(level.new_id(), kind, found.name, found.colour, found.bites)
    body.slots[body.slots.index(None)] = item
    return item


def lying(server: SimServer, kind: str) -> int:
    return sum(item.kind == kind for level in server.dungeon.levels.values() for _, item in level.items_at())


@pytest.mark.by_hand
@pytest.mark.rule("TG.30")
def test_two_brings_bear_and_other_plays() -> None:
    """One of two brings the bear out and the other plays on."""
    server = SimServer(prize("escape"))
    ann, bert = server.join("Ann"), server.join("Bert")
    sword = give(server, ann, "sword")
    give(server, ann, "bear")
    before = lying(server, "bear")
    server.level_of(ann).terrain[server.body(ann).cell] = Terrain.EXIT
    turn(server, ann, Climb(down=False))
    [died] = ann.of_kind(Died)
    assert (died.won, died.by) == (True, "bringing out the teddy bear")
    assert died.life[-1] == "Won by bringing out the teddy bear. The bear is home."
    assert died.keepsakes == ("sword",)
    assert ChatLine("", "Ann has won by bringing out the teddy bear!") in bert.of_kind(ChatLine)
    assert lying(server, "bear") == before + 1
    turn(server, bert)
    ann.begin_again(0)
    server.advance(SPACING_MS)
    assert [item.number for item in server.body(ann).carried] == [sword.number]
    assert server.body(ann).family == "Ann II"
    assert server.dungeon.realm.chronicle[-1].won
    turn(server, bert)


@pytest.mark.by_hand
@pytest.mark.rule("TG.30")
def test_the_exit_without_the_bear_asks_once_more() -> None:
    server = SimServer(prize("escape"))
    ann = server.join("Ann")
    server.level_of(ann).terrain[server.body(ann).cell] = Terrain.EXIT
    turn(server, ann, Climb(down=False))
    assert ann.of_kind(Died) == []
    assert ann.view.log.lines[-1].kind == "hesitates"
    turn(server, ann, Climb(down=False))
    assert [died.by for died in ann.of_kind(Died)] == ["cowardice"]
    ann.begin_again()
    server.advance(SPACING_MS)
    assert server.body(ann).hp == 40


@pytest.mark.rule("RG.30")
def test_the_winner_sees_the_victory() -> None:
    server = SimServer(prize("use"))
    ann = server.join("Ann")
    give(server, ann, "bear")
    turn(server, ann, Use(0))
    [died] = ann.of_kind(Died)
    assert died.won
    assert "perfectly natural causes" in died.life[-1]


@pytest.mark.rule("JG.24")
def test_the_boss_rises_with_the_next_life() -> None:
    """The player who slays the boss wins, and with the next life it rises again."""
    server = SimServer(arena_with(outline=SLAY, creatures=BOSS))
    ann, bert = server.join("Ann"), server.join("Bert")
    boss = server.put("boss", server.body(ann).cell)
    boss.hp = 1
    boss.hurt_by[server.body(bert).number] = 3
    for _ in range(200):
        if ann.of_kind(Died):
            break
        level = server.level_of(ann)
        cells = {level.grid.step(server.body(ann).cell, *way): way for way in DIRECTIONS}
        command = Move(*cells[boss.cell]) if boss.cell in cells else Move(*DIRECTIONS[0])
        turn(server, ann, command)
        turn(server, bert)
        boss.hp = min(boss.hp, 1)
    assert [died.won for client in (ann, bert) for died in client.of_kind(Died)] == [True, True]
    assert not any(body.kind == "boss" for body in server.dungeon.levels[1].creatures.values())
    for client in (ann, bert):
        client.begin_again()
        server.advance(SPACING_MS)
    bosses = [body for body in server.dungeon.levels[1].creatures.values() if body.kind == "boss"]
    assert len(bosses) == 1
    assert bosses[0].number != boss.number


def advanced(*names: str) -> tuple[SimServer, list[SimClient]]:
    """Return a realm whose first player has just gone on into the second round."""
    server = SimServer(prize("use", again=True))
    players = [server.join(name) for name in names]
    give(server, players[0], "bear")
    give(server, players[0], "sword")
    turn(server, players[0], Use(0, again=True))
    return server, players


@pytest.mark.rule("RG.32")
def test_a_winner_starts_in_the_next_round() -> None:
    """A winner stands where the next round begins, and others stay."""
    server, (ann, bert) = advanced("Ann", "Bert")
    assert server.level_of(ann).partition == level_number(2, 1)
    assert server.level_of(bert).partition == 1
    assert ann.of_kind(Died) == []
    assert ann.view.place.name == "The Arena, level 1 of round 2"
    assert ann.view.cell == server.body(ann).cell
    assert [item.kind for item in server.body(ann).carried] == ["sword"]
    # The one that was never taken, the first round's own that lies there again, and the second round's.
    assert lying(server, "bear") == 3
    turn(server, ann)
    turn(server, bert)


@pytest.mark.rule("F54")
def test_all_who_won_the_first_round_share_the_second() -> None:
    server, (ann, bert) = advanced("Ann", "Bert")
    give(server, bert, "bear")
    turn(server, bert, Use(0, again=True))
    assert server.level_of(bert) is server.level_of(ann)
    assert sorted(server.dungeon.levels) == [1, 2, level_number(2, 1), level_number(2, 2)]


@pytest.mark.rule("RG.32")
def test_a_heir_begins_in_the_first_round() -> None:
    server, (ann,) = advanced("Ann")
    give(server, ann, "bear")
    turn(server, ann, Use(0))
    [died] = ann.of_kind(Died)
    assert (died.won, died.depth) == (True, 1)
    assert died.life[1].startswith("Won 1 round, went down to depth 1")
    ann.begin_again(0)
    server.advance(SPACING_MS)
    assert server.level_of(ann).partition == 1
    assert [item.kind for item in server.body(ann).carried] == ["sword"]


@pytest.mark.rule("F57")
def test_the_next_round_survives_the_plug_and_a_replay() -> None:
    server = SimServer(prize("use", again=True))
    ann = server.join("Ann")
    give(server, ann, "bear")
    server.stop()  # what a test put there is in a snapshot, not in the journal
    server = ann.server = server.again()
    server.clients.append(ann)
    ann.up = False
    ann.dial()
    server.advance(SPACING_MS)
    turn(server, ann, Use(0, again=True))
    turn(server, ann)
    expected = server.dungeon.state_hash()
    server.crash()
    again = server.again()
    assert again.dungeon.state_hash() == expected
    assert level_number(2, 1) in again.dungeon.levels


@pytest.mark.rule("RG.32")
def test_gear_grows_with_the_last_round() -> None:
    """Gear of the next round is better by the result of the last one."""
    server, _ = advanced("Ann")
    levels = server.dungeon.levels
    first = (
        max(level.state.difficulty for partition, level in levels.items() if partition < level_number(2, 1))
        - 100
    )
    second = (
        max(level.state.difficulty for partition, level in levels.items() if partition >= level_number(2, 1))
        - 100
    )
    assert difficulty_offset(levels.values()) == first + second > 0
