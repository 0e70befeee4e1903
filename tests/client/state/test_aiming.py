"""The targets that can be aimed at, as far as the player's own view tells."""

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
    """An area that reaches oneself is asked for and friends are named."""
    bert, cleo = (
        body(9, HERE + 5, CreatureFlag.PLAYER, "Bert"),
        body(10, HERE + 4, CreatureFlag.PLAYER, "Cleo"),
    )
    assert aiming.question(FIREBALL, START, HERE) == "Really target yourself?"
    assert aiming.question(FIREBALL, START, HERE + 2) == "Really include yourself?"
    assert aiming.question(FIREBALL, START, HERE + 4) == ""
    assert aiming.names(aiming.creatures_in_blast(FIREBALL, seen(bert, cleo), HERE + 4)) == "Bert and Cleo"
    assert aiming.question(FIREBALL, seen(bert, cleo), HERE + 3) == ""


BERT = body(9, HERE + 2, CreatureFlag.PLAYER, "Bert")
SLEEP = Aim("Cast sleep", "sleep", Cast("sleep"), "creature", 6)
DIG = Aim("Cast dig", "dig", Cast("dig"), "cell", 6, harms=False)
DRAFT = STONE._replace(harms=False)


@pytest.mark.parametrize("aim", [BOW, STONE, FIREBALL, SLEEP, DIG])
def test_harm_never_begins_at_a_friend(aim: Aim) -> None:
    """It begins at a foe, else where the last aim went, else on a free cell beside the player."""
    near, far = body(20, HERE + 1), body(21, HERE + 5)
    assert aiming.first_target(aim, seen(BERT, near, far), None) == near.cell
    assert aiming.first_target(aim, seen(BERT, far), None) == far.cell
    alone = aiming.first_target(aim, seen(BERT), None)
    assert START.place.grid.distance(HERE, alone) == 1
    assert seen(BERT).at(alone) is None
    last = Throw(0, HERE + 3)
    expected = HERE + 3 if aim.at == "cell" else alone
    assert aiming.first_target(aim, seen(BERT), last) == expected
    assert aiming.first_target(aim, seen(BERT), Throw(0, BERT.cell)) == alone
    assert aiming.first_target(aim, seen(BERT), Throw(0, 65_535)) == alone


def test_missiles_begin_at_a_foe_in_the_open() -> None:
    view = seen(body(20, HERE + 2), body(21, HERE - 4), view=walled(HERE + 1))
    assert aiming.first_target(BOW, view, None) == HERE - 4
    assert aiming.first_target(FIREBALL, view, None) == HERE + 2


def test_help_begins_at_a_friend_never_at_a_foe() -> None:
    rat, hurt = body(20, HERE + 1), replace(BERT, hp=1)
    mend = SLEEP._replace(harms=False)
    assert aiming.first_target(mend, seen(rat, hurt), None) == BERT.cell
    assert aiming.first_target(mend, seen(rat), None) == HERE
    assert aiming.first_target(DRAFT, seen(rat, hurt), None) == BERT.cell
    assert seen(rat).at(aiming.first_target(DRAFT, seen(rat), None)) is None


def test_harm_at_a_friend_is_asked_once_or_refused() -> None:
    """A use that the server refuses anyway is not asked: a shot, or magic against one creature."""
    view = seen(BERT)
    assert aiming.question(STONE, view, BERT.cell) == "Really target Bert?"
    assert aiming.question(FIREBALL, view, BERT.cell) == "Really target Bert?"
    assert aiming.question(DRAFT, view, BERT.cell) == ""
    assert aiming.question(DIG, view, BERT.cell) == ""
    assert aiming.aim_fault(BOW, view, BERT.cell) == "There's no one there to fire at."
    assert aiming.aim_fault(SLEEP, view, BERT.cell) == "You will not do that to a friend."
    foe = seen(replace(BERT, marks=CreatureFlag.PLAYER | CreatureFlag.HOSTILE))
    assert aiming.question(STONE, foe, BERT.cell) == aiming.aim_fault(BOW, foe, BERT.cell) == ""


def test_helps_aimed_worst_hurt_and_asks_nothing() -> None:
    """Magic that helps is aimed at the worst hurt of one's own and asks nothing."""
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
