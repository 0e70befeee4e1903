"""What can be aimed at, as far as the player's own view tells."""

import pytest
from msgspec.structs import replace

from gloam_client.state import aiming
from gloam_client.state.aiming import Aim
from gloam_shared.appearance import Terrain
from gloam_shared.protocol.commands import Cast, Fire, Throw
from gloam_shared.view.view import Creature, CreatureFlag, Stat, View
from support.client.fake_server import level_view

START = level_view()
HERE = START.cell
WIDTH = START.place.width
BOW = Aim("Fire at", "", Fire(0), "creature", 6)
STONE = Aim("Throw the stone", "stone", Throw(0, 0), "cell", 8)
FIREBALL = Aim("Cast fireball", "fireball", Cast("fireball"), "cell", 6, 2)


def body(handle: int, cell: int, marks: int = CreatureFlag.HOSTILE, name: str = "rat") -> Creature:
    return Creature(handle, cell, 3, 5, 1, marks, "r", "brown", name)


def seen(*creatures: Creature, view: View = START) -> View:
    return replace(view, creatures=(*view.creatures, *creatures))


def walled(*cells: int) -> View:
    ground = bytearray(START.terrain)
    for cell in cells:
        ground[cell] = Terrain.WALL
    return replace(START, terrain=bytes(ground))


@pytest.mark.rule("RG.26")
def test_targets_are_ordered_by_use() -> None:
    """Targets are the foes in range and sight, nearest first, then friends, then the player."""
    view = seen(
        body(20, HERE + 5),
        body(21, HERE - 2),
        body(22, HERE + 7),
        body(9, HERE + 1, CreatureFlag.PLAYER, "Bert"),
        body(23, HERE + 2 * WIDTH, CreatureFlag.HOSTILE),
    )
    assert aiming.targets(FIREBALL, view) == [HERE - 2, HERE + 2 * WIDTH, HERE + 5, HERE + 1, HERE]
    assert HERE not in aiming.targets(BOW, view)
    dark = replace(view, sight=bytes(len(view.sight)))
    assert aiming.targets(FIREBALL, dark) == []


def test_magic_harms_creature_not_aimed_friends() -> None:
    """Magic that harms one creature is not aimed at friends."""
    view = seen(body(9, HERE + 1, CreatureFlag.PLAYER, "Bert"))
    assert aiming.targets(Aim("Cast sleep", "sleep", Cast("sleep"), "creature", 6), view) == [HERE]
    assert HERE + 1 in aiming.targets(
        Aim("Cast mend", "mend", Cast("mend"), "creature", 6, harms=False), view
    )


@pytest.mark.rule("RG.26", "TG.28")
@pytest.mark.parametrize(
    ("aim", "cell", "expected"),
    [
        (FIREBALL, HERE + 6, ""),
        (FIREBALL, HERE + 7, "Out of range."),
        (FIREBALL, HERE + 15, "You do not see that place."),
        (FIREBALL, HERE, ""),
        (BOW, HERE + 1, "There's no one there to fire at."),
        (BOW, HERE, "There's no one there to fire at."),
        (
            Aim("Cast sleep", "sleep", Cast("sleep"), "creature", 6),
            HERE + 1,
            "You point and mumble at nothing.",
        ),
        (FIREBALL, HERE + 5 + 4 * WIDTH, ""),
        (FIREBALL, HERE + 6 + 3 * WIDTH, "Out of range."),
        (STONE, HERE + 6 + 4 * WIDTH, ""),
        (STONE, HERE, "You stand there yourself."),
        (STONE, HERE + 3, ""),
    ],
)
def test_what_cannot_be_aimed_at_is_reported_why(aim: Aim, cell: int, expected: str) -> None:
    assert expected == aiming.aim_fault(aim, START, cell)


@pytest.mark.rule("TG.28")
def test_missiles_want_a_way_that_no_wall_blocks() -> None:
    view = seen(body(20, HERE + 4), view=walled(HERE + 2))
    assert aiming.aim_fault(BOW, view, HERE + 4) == "There is something in the way."
    assert aiming.first_blocked_cell(view, HERE, HERE + 4) == HERE + 2
    assert aiming.aim_fault(BOW, seen(body(20, HERE + 4)), HERE + 4) == ""


def test_a_blast_stops_at_walls() -> None:
    view = walled(HERE + 4)
    assert HERE + 5 in aiming.cells_in_blast(FIREBALL, START, HERE + 3)
    assert HERE + 5 not in aiming.cells_in_blast(FIREBALL, view, HERE + 3)
    assert len(aiming.cells_in_blast(FIREBALL, START, HERE + 3)) == 21


@pytest.mark.rule("RG.26")
def test_reaches_oneself_asked_and_friends_named() -> None:
    """What reaches oneself is asked for and friends are named."""
    bert, cleo = (
        body(9, HERE + 5, CreatureFlag.PLAYER, "Bert"),
        body(10, HERE + 4, CreatureFlag.PLAYER, "Cleo"),
    )
    assert aiming.question(FIREBALL, START, HERE) == "Really target yourself?"
    assert aiming.question(FIREBALL, START, HERE + 2) == "Really include yourself?"
    assert aiming.question(FIREBALL, START, HERE + 4) == ""
    assert aiming.question(FIREBALL, seen(bert, cleo), HERE + 4) == ""
    assert aiming.names(aiming.creatures_in_blast(FIREBALL, seen(bert, cleo), HERE + 4)) == "Bert and Cleo"
    assert aiming.question(BOW, seen(bert), HERE + 5) == ""


def test_helps_aimed_worst_hurt_and_asks_nothing() -> None:
    """What helps is aimed at the worst hurt of one's own and asks nothing."""
    heal = Aim("Cast heal", "heal", Cast("heal"), "creature", 6, 2, harms=False)
    rat, bert, cleo = (
        replace(body(9, HERE + 1), hp=1),
        replace(body(10, HERE + 5, CreatureFlag.PLAYER, "Bert"), hp=2),
        body(11, HERE + 4, CreatureFlag.PLAYER, "Cleo"),
    )
    view = seen(rat, bert, cleo)
    assert aiming.targets(heal, view) == [bert.cell, cleo.cell, HERE, rat.cell]
    assert aiming.targets(heal._replace(harms=True), view)[0] == rat.cell
    dig = heal._replace(at="cell", radius=0)
    assert aiming.targets(dig, view)[0] == rat.cell
    assert aiming.question(dig, view, HERE) == "Really target yourself?"
    assert aiming.question(heal, view, HERE) == aiming.question(heal, view, HERE + 2) == ""


def test_what_is_no_longer_there_cannot_be_aimed() -> None:
    assert not aiming.aim_is_valid(BOW, START)
    sheet = list(START.sheet)
    sheet[Stat.REACH] = 6
    assert aiming.aim_is_valid(BOW, replace(START, sheet=tuple(sheet)))
    assert not aiming.aim_is_valid(STONE, START)
    assert not aiming.aim_is_valid(FIREBALL, START)
