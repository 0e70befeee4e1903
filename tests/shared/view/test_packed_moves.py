"""Moves of a crowd, packed: what is sent, that it says the same, and what no server should send."""

import random  # noqa: TID251  # seeded

import pytest
from msgspec.structs import replace

from gloam_shared.protocol.codec import encode
from gloam_shared.protocol.messages.play import Update
from gloam_shared.protocol.updates import UpdateReader, UpdateWriter
from gloam_shared.view.changes import Creatures, Moves, Step, Steps
from gloam_shared.view.place import Place
from gloam_shared.view.view import NOWHERE, Creature, Stat, View

HERE = Place(1, 40, 30, "A hall")
OWN = 700


def crowd(cells: dict[int, int]) -> View:
    """Return a view of creatures by handle and cell; the viewer is one of them."""
    creatures = [
        Creature(each, cell, 9, 9, 1, 0, "@", "white", "Ann") for each, cell in sorted(cells.items())
    ]
    sheet = list(NOWHERE.sheet)
    sheet[Stat.HANDLE] = OWN
    blank = bytes(HERE.width * HERE.height)
    return replace(
        NOWHERE, place=HERE, terrain=blank, sight=blank, creatures=tuple(creatures), sheet=tuple(sheet)
    )


def sent(before: View, view: View, *abilities: str) -> Update:
    """Return the update between two views, which a client reads as the second."""
    writer, reader = UpdateWriter(("references", *abilities)), UpdateReader()
    reader.read(writer.write(before, 0, whole=True))
    update = writer.write(view, 0)
    assert reader.read(update) == view
    return update


def moved(by: int, count: int = 40) -> tuple[View, View]:
    """Return a crowd before and after each of it moves by up to `by` cells along each axis."""
    chance = random.Random(by)
    handles = chance.sample(range(1_000, 3_000), count)
    before = {
        OWN: 20 * 40 + 20,
        **{each: chance.randrange(8, 22) * 40 + chance.randrange(8, 32) for each in handles},
    }
    after = {
        each: cell + 40 * chance.randint(-by, by) + chance.randint(-by, by) if each != OWN else cell + 1
        for each, cell in before.items()
    }
    return crowd(before), crowd(after)


@pytest.mark.parametrize("by", [1, 2, 7])
def test_a_crowd_takes_half_the_bytes(by: int) -> None:
    """The viewer's own step stays a change of its own."""
    before, after = moved(by)
    update = sent(before, after, "packed-moves")
    assert {type(each) for each in update.changes} == {Step, Moves}
    assert len(encode(update)) < len(encode(sent(before, after))) / 2


def test_leaving_and_returning_takes_half_the_bytes() -> None:
    """Half of it leaves sight, and is back a step further on while the other half leaves."""
    before, after = moved(1)
    others = [each for each in after.creatures if each.handle != OWN]
    mine = next(each for each in after.creatures if each.handle == OWN)

    def with_own(creatures: list[Creature]) -> View:
        return replace(after, creatures=tuple(sorted([mine, *creatures], key=lambda each: each.handle)))

    def bytes_of(*abilities: str) -> int:
        writer, reader = UpdateWriter(("references", *abilities)), UpdateReader()
        reader.read(writer.write(before, 0, whole=True))
        sizes = []
        for view in (with_own(others[::2]), with_own(others[1::2]), with_own(others[::2])):
            update = writer.write(view, 0)
            assert reader.read(update) == view
            sizes.append(len(encode(update)))
        return sum(sizes)

    assert bytes_of("packed-moves") < bytes_of() / 2


@pytest.mark.parametrize("returned", [(OWN,), (9,), (-1,)])
def test_returns_of_what_did_not_leave(returned: tuple[int, ...]) -> None:
    reader = UpdateReader()
    reader.read(UpdateWriter().write(crowd({OWN: 0}), 0, whole=True))
    with pytest.raises(ValueError, match="did not leave the view"):
        reader.read(Update((Moves(b"", returned),)))


def test_who_moves_too_far_is_told_apart() -> None:
    before, after = moved(1)
    jumper = after.creatures[5]
    leap = tuple(replace(each, cell=29 * 40 + 39) if each is jumper else each for each in after.creatures)
    changes = sent(before, replace(after, creatures=leap), "packed-moves").changes
    assert Creatures(moved=(jumper.handle, 29 * 40 + 39)) in changes
    assert Moves in map(type, changes)


def test_few_moves_are_steps() -> None:
    """A handle and a step are shorter than a byte for each of the forty before it."""
    before, _ = moved(1)
    last = before.creatures[-1]
    after = replace(before, creatures=(*before.creatures[:-1], replace(last, cell=last.cell + 1)))
    assert list(map(type, sent(before, after, "packed-moves").changes)) == [Steps]


def test_changed_looks_and_arrivals_move_with_them() -> None:
    before, after = moved(1)
    newcomer = Creature(60_001, 45, 9, 9, 1, 0, "@", "white", "Bert")
    creatures = [
        replace(each, hp=3) if at % 3 else replace(each, level=2) for at, each in enumerate(after.creatures)
    ]
    sent(before, replace(after, creatures=(*creatures[2:], newcomer)), "packed-moves")


@pytest.mark.parametrize("offsets", [bytes(41) + b"\x71", b"\xff", b"\x01", b"\xe3"])
def test_moves_that_fit_no_view(offsets: bytes) -> None:
    """More of them than creatures, no move at all, and moves over each edge."""
    corners = crowd({OWN: 0, **{1_000 + each: 0 for each in range(20)}})
    reader = UpdateReader()
    reader.read(UpdateWriter().write(corners, 0, whole=True))
    with pytest.raises(ValueError, match="a patch moves"):
        reader.read(Update((Moves(offsets),)))
