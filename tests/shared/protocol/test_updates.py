"""Updates: any sequence of views that is written is read again, with and without references, over any number of cuts."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from gloam_shared.limits import REFERENCES_MAX
from gloam_shared.protocol.codec import decode_from_server, encode
from gloam_shared.protocol.messages.play import Update
from gloam_shared.protocol.updates import UpdateReader, UpdateWriter
from gloam_shared.view.changes import AnyChange, Creatures, Friends, Items, Party, Returned
from gloam_shared.view.place import Place
from gloam_shared.view.view import NOWHERE, Creature, Friend, Item, View
from support.protocol.strategies import views

HERE = Place(1, 20, 20, "a cave")
RAT = Creature(7, 21, 5, 5, 1, 4, "r", "brown", "rat")
POTION = Item(9, 30, 1, "!", "red", "red potion")


def over_the_wire(update: Update) -> Update:
    came = decode_from_server(encode(update))
    assert isinstance(came, Update)
    return came


def seen(creatures: tuple[Creature, ...] = (), items: tuple[Item, ...] = (), place: Place = HERE) -> View:
    """Return a view of a level with these in sight."""
    return replace(
        NOWHERE, place=place, terrain=bytes(400), sight=bytes(400), creatures=creatures, items=items
    )


def kinds(update: Update) -> list[type[AnyChange]]:
    return [type(change) for change in update.changes]


def shown(*course: View) -> list[Update]:
    """Return what is sent for one view after another."""
    writer = UpdateWriter(("references",))
    return [writer.write(view, 0, whole=not at) for at, view in enumerate(course)]


_moments = views(
    st.sampled_from([HERE, HERE, HERE, replace(HERE, depth=2)]).map(
        lambda place: replace(place, width=4, height=3)
    )
)


@pytest.mark.thorough
@given(
    st.lists(
        st.tuples(
            _moments, st.integers(0, 9), st.sampled_from(["next", "next", "next", "whole", "late", "cut"])
        )
    ),
    st.sets(st.sampled_from(("references", "party", "surfaces", "packed-moves"))),
)
def test_whatever_views_are_written_are_read(
    course: list[tuple[View, int, str]], abilities: set[str]
) -> None:
    """A view that is late is passed over; after a cut both sides begin again."""

    def new() -> tuple[UpdateWriter, UpdateReader]:
        return UpdateWriter(abilities), UpdateReader()

    writer, reader = new()
    whole = True
    for view, done, event in course:
        if event == "cut":
            (writer, reader), whole = new(), True
        elif event == "late":
            continue
        update = over_the_wire(writer.write(view, done, whole=whole or event == "whole"))
        whole = False

        assert reader.read(update) == view == writer.sent_view
        assert reader.patch == writer.patch
        assert writer.done >= done
        assert update.done in (0, writer.done)


@pytest.mark.thorough
@given(st.lists(_moments, min_size=2))
def test_what_left_sight_is_remembered(course: list[View]) -> None:
    """Both sides remember what was in sight before a patch and is not after it, as the protocol says."""
    writer, reader = UpdateWriter(("references",)), UpdateReader()
    remembered: dict[int, Creature] = {}
    before = NOWHERE
    for at, view in enumerate(course):
        reader.read(over_the_wire(writer.write(view, 0, whole=not at)))
        if before.place != view.place:
            remembered.clear()
        else:
            sight = {creature.handle for creature in view.creatures}
            for handle in remembered.keys() & sight:
                del remembered[handle]
            remembered.update({each.handle: each for each in before.creatures if each.handle not in sight})
        before = view
        for side in (writer, reader):
            assert side._references is not None
            assert list(side._references._creatures.items()) == list(remembered.items())


@given(
    st.lists(
        st.tuples(
            st.booleans(),
            st.booleans(),
            st.integers(0, 399),
            st.integers(1, 5),
            st.sampled_from(["red", "brown"]),
        ),
        max_size=12,
    )
)
def test_comes_and_goes_read_however_changed(course: list[tuple[bool, bool, int, int, str]]) -> None:
    """A creature or pile that appears and leaves is read in any change."""
    writer, reader = UpdateWriter(("references",)), UpdateReader()
    for at, (rat, potion, cell, hp, colour) in enumerate(course):
        creatures = (replace(RAT, cell=cell, hp=hp, colour=colour),) if rat else ()
        view = seen(creatures, (replace(POTION, count=hp),) if potion else ())
        assert reader.read(over_the_wire(writer.write(view, 0, whole=not at))) == view


def test_comes_back_reported_reference() -> None:
    """An unchanged creature that returns is sent by reference."""
    updates = shown(seen((RAT,), (POTION,)), seen(), seen((replace(RAT, cell=22),), (POTION,)))
    assert updates[2].changes == (Returned((7, 22), (9,)),)


def test_comes_back_hurt_reported_reference() -> None:
    """A hurt creature that returns is sent by reference, with its health."""
    updates = shown(seen((RAT,)), seen(), seen((replace(RAT, hp=2, marks=20),)))
    assert updates[2].changes == (Returned((7, 21)), Creatures(hurt=(7, 2), marked=(7, 20)))


@pytest.mark.parametrize(
    "otherwise",
    [
        lambda: seen((replace(RAT, level=2),), (replace(POTION, count=2),)),
        lambda: seen((RAT,), (POTION,), replace(HERE, depth=2)),
    ],
)
def test_comes_back_otherwise_or_elsewhere_reported(otherwise: Callable[[], View]) -> None:
    """A creature that returns changed or elsewhere is sent as a whole."""
    updates = shown(seen((RAT,), (POTION,)), seen(), otherwise())
    assert Returned not in kinds(updates[2])
    assert {Creatures, Items} <= set(kinds(updates[2]))


def test_a_whole_view_forgets_what_was_out_of_sight() -> None:
    writer, reader = UpdateWriter(("references",)), UpdateReader()
    for view, whole in ((seen((RAT,)), True), (seen(), False), (seen(), True), (seen((RAT,)), False)):
        update = writer.write(view, 0, whole=whole)
        assert reader.read(update) == view
    assert kinds(update) == [Creatures]


def test_without_ability_nothing_reported_reference() -> None:
    """Without the ability the server sends nothing by reference."""
    writer = UpdateWriter()
    for view in (seen((RAT,), (POTION,)), seen(), seen((RAT,), (POTION,))):
        update = writer.write(view, 0)
    assert kinds(update) == [Creatures, Items]


@pytest.mark.parametrize(("between", "kind"), [(REFERENCES_MAX - 1, Returned), (REFERENCES_MAX, Creatures)])
def test_sight_newest_remembered(between: int, kind: type[AnyChange]) -> None:
    """bound: REFERENCES_MAX."""
    writer, reader = UpdateWriter(("references",)), UpdateReader()
    others = [replace(RAT, handle=1_000 + at) for at in range(between)]
    for view in (seen((RAT,)), *(seen((other,)) for other in others), seen(), seen((RAT,))):
        update = writer.write(view, 0)
        assert reader.read(over_the_wire(update)) == view
    assert kinds(update) == [kind]


@pytest.mark.parametrize("change", [Returned((5, 1)), Returned((), (5,)), Returned((5,))])
def test_a_reference_to_what_was_never_seen_is_refused(change: Returned) -> None:
    with pytest.raises(ValueError, match=r"a patch|zip"):
        UpdateReader().read(Update((change,)))


def test_a_done_number_is_sent_once() -> None:
    writer = UpdateWriter()
    done_numbers = [writer.write(seen(), done).done for done in (0, 4, 4, 3, 6)]
    assert done_numbers == [0, 4, 0, 0, 6]


_FRIENDS = st.dictionaries(
    st.sampled_from(["Ann", "Bert", "Cora", "Dora", "Emil", "Fay"]),
    st.tuples(st.integers(1, 3), st.integers(0, 4)),
)


@given(st.lists(_FRIENDS, max_size=8))
def test_parties_are_read_from_their_changes(course: list[dict[str, tuple[int, int]]]) -> None:
    """A party is read as it was written, and an update never holds both the party and its changes."""
    writer, reader = UpdateWriter(("party",)), UpdateReader()
    for at, players in enumerate(course):
        party = tuple(Friend(name, depth, 1, health, 0) for name, (depth, health) in sorted(players.items()))
        update = writer.write(replace(NOWHERE, party=party), 0, whole=not at)
        assert reader.read(over_the_wire(update)).party == party
        assert len(update.changes) <= 1


def test_one_of_many_friends_is_sent_alone() -> None:
    party = tuple(Friend(f"Friend{at:02}", 1, 1, 4, 0) for at in range(50))
    hurt = (*party[:20], replace(party[20], condition=1), *party[21:49])
    plain, able = UpdateWriter(), UpdateWriter(("party",))
    for writer in (plain, able):
        writer.write(replace(NOWHERE, party=party), 0, whole=True)
    assert plain.write(replace(NOWHERE, party=hurt), 0).changes == (Party(hurt),)
    assert able.write(replace(NOWHERE, party=hurt), 0).changes == (Friends(("Friend49",), (hurt[20],)),)
