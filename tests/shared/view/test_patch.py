"""The law of patches, and patches that do not fit."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from gloam_shared.protocol.codec import decode_from_server, encode
from gloam_shared.protocol.messages.play import Update
from gloam_shared.view.changes import (
    AnyChange,
    Creatures,
    Entered,
    Inventory,
    Items,
    Lines,
    Patch,
    Sheet,
    Step,
    Steps,
)
from gloam_shared.view.patch import apply, diff, looks_like
from gloam_shared.view.place import Place
from gloam_shared.view.view import NOWHERE, Creature, View
from support.protocol.strategies import from_server, views

_one_place = st.just(Place(1, 7, 5, "a cave"))


def over_the_wire(changes: Patch) -> Patch:
    update = decode_from_server(encode(Update(changes, 4)))
    assert isinstance(update, Update)
    return update.changes


@given(views(), views())
def test_the_law_for_any_two_views(old: View, new: View) -> None:
    assert apply(old, over_the_wire(diff(old, new))) == new


@given(views(_one_place), views(_one_place))
def test_the_law_on_one_level(old: View, new: View) -> None:
    assert apply(old, over_the_wire(diff(old, new))) == new


@given(views())
def test_a_whole_view_is_a_patch_from_nowhere_and_back(view: View) -> None:
    assert apply(NOWHERE, over_the_wire(diff(NOWHERE, view))) == view
    assert apply(view, over_the_wire(diff(view, NOWHERE))) == NOWHERE


@given(views())
def test_what_did_not_change_is_not_reported(view: View) -> None:
    assert diff(view, view) == ()


@given(views(_one_place), from_server())
def test_any_patch_is_applied_or_refused(view: View, message: object) -> None:
    if isinstance(message, Update):
        try:
            apply(view, message.changes)
        except ValueError:
            return


@pytest.mark.parametrize(
    "change",
    [
        Entered(Place(1, 2**31, 2**31, "")),
        Entered(Place(1, 257, 256, "")),
        Entered(Place(1, -1, -1, "")),
        Creatures(moved=(1, 5)),
        Creatures(hurt=(1, 5)),
        Creatures(moved=(1,)),
        Steps((5, 1)),
        Step(1),
        Sheet((-1, 1)),
        Sheet((1,)),
        Lines((), 3),
    ],
)
def test_a_change_that_does_not_fit_is_refused(change: AnyChange) -> None:
    with pytest.raises(ValueError, match="a patch"):
        apply(NOWHERE, (change,))


def test_what_is_gone_need_not_have_been_there() -> None:
    assert apply(NOWHERE, (Creatures(gone=(5,)), Items(gone=(5,)), Inventory(gone=(5,)))) == NOWHERE


def test_a_step_on_a_level_without_cells_is_refused() -> None:
    nowhere = replace(NOWHERE, creatures=(Creature(0, 0, 1, 1, 1, 0, "k", "brown", "a kobold"),))
    with pytest.raises(ValueError, match="over the edge"):
        apply(nowhere, (Steps((0, 1)),))


def test_a_move_around_the_edge_is_no_step() -> None:
    """The last cell of a row and the first of the next are one apart as numbers, and a whole row apart on the level."""
    ann = Creature(5, 6, 1, 1, 1, 0, "@", "white", "Ann")
    old = replace(
        NOWHERE, place=Place(1, 7, 5, "a cave"), terrain=bytes(35), sight=bytes(35), creatures=(ann,)
    )
    for cell, change in ((7, Creatures(moved=(5, 7))), (5, Steps((5, 6)))):
        new = replace(old, creatures=(replace(ann, cell=cell),))
        assert diff(old, new) == (change,)
        assert apply(old, (change,)) == new


def test_a_look_is_what_no_part_changes_alone() -> None:
    """A new field of `Creature` is part of its look, unless `Creatures` can change it alone."""
    changeable = {"cell", "hp", "marks", "colour"}
    creature = Creature(1, 2, 3, 4, 5, 6, "@", "white", "Ann", 7, 8, 9)
    for field in Creature.__struct_fields__:
        other = replace(creature, **{field: "x" if isinstance(getattr(creature, field), str) else 99})
        assert looks_like(creature, other) == (field in changeable), field
