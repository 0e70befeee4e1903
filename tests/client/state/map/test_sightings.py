"""Foes that enter view: each in one line, once, until it was out of sight for twenty views."""

from msgspec.structs import replace

from gloam_client.state.map import sightings
from gloam_shared.view.view import Creature, CreatureFlag, View
from support.client.fake_server import level_view

HERE = level_view()
KOBOLD = Creature(20, HERE.cell + 2, 6, 6, 3, CreatureFlag.HOSTILE, "k", "red", "kobold", 30, 0)


def with_foes(*foes: Creature, depth: int = 1) -> View:
    return replace(HERE, creatures=(*HERE.creatures, *foes), place=replace(HERE.place, depth=depth))


def news(before: sightings.Sightings, *views: View) -> tuple[sightings.Sightings, list[list[int]]]:
    collected = []
    for view in views:
        before, new = sightings.update_sightings(before, view)
        collected.append([one.handle for one in new])
    return before, collected


def test_a_foe_is_new_once() -> None:
    assert news(sightings.Sightings(), HERE, with_foes(KOBOLD), with_foes(KOBOLD))[1] == [[], [20], []]


def test_new_after_sight() -> None:
    """It is new again after it was out of sight for a while."""
    seen, _ = sightings.update_sightings(sightings.Sightings(), with_foes(KOBOLD))
    for gone, expected in ((sightings.FORGOTTEN_AFTER - 1, []), (sightings.FORGOTTEN_AFTER, [20])):
        away, _ = news(seen, *[HERE] * gone)
        assert [one.handle for one in sightings.update_sightings(away, with_foes(KOBOLD))[1]] == expected


def test_a_handle_of_another_level_is_another_creature() -> None:
    assert news(sightings.Sightings(), with_foes(KOBOLD), with_foes(KOBOLD, depth=2))[1] == [[20], [20]]


def test_friends_and_felt_not_announced() -> None:
    """Friends and what is only felt are not announced."""
    friend = replace(KOBOLD, handle=21, marks=int(CreatureFlag.PLAYER))
    unseen = replace(KOBOLD, handle=22)
    view = with_foes(friend, unseen)
    blind = replace(view, sight=bytes(len(view.sight)))
    assert sightings.update_sightings(sightings.Sightings(), blind)[1] == []
    assert [one.handle for one in sightings.update_sightings(sightings.Sightings(), view)[1]] == [22]


def test_no_more_than_so_many_are_kept_in_mind() -> None:
    crowd = [replace(KOBOLD, handle=handle) for handle in range(sightings.KEPT_MAX + 100)]
    assert (
        len(sightings.update_sightings(sightings.Sightings(), with_foes(*crowd))[0].last)
        == sightings.KEPT_MAX
    )


def test_the_line_tells_level_and_danger() -> None:
    assert sightings.announcement([KOBOLD], HERE, "excess") == "A kobold comes into view, level 3, dangerous."
    sleeper = replace(KOBOLD, name="imp", marks=CreatureFlag.HOSTILE | CreatureFlag.ASLEEP, attack=0)
    assert (
        sightings.announcement([sleeper], HERE, "excess")
        == "An imp comes into view, level 3, harmless, asleep."
    )


def test_several_come_line_and_alike_counted() -> None:
    """Several foes are in one line, and equal ones are counted."""
    wolf = replace(KOBOLD, name="wolf")
    assert (
        sightings.announcement([KOBOLD, KOBOLD], HERE, "excess")
        == "2 kobolds come into view, level 3, dangerous."
    )
    assert sightings.announcement([KOBOLD, wolf, KOBOLD, wolf], HERE, "excess") == (
        "2 kobolds (level 3, dangerous) and 2 wolves (level 3, dangerous) come into view."
    )
    many = [replace(KOBOLD, name=name) for name in ("ant", "bat", "cat", "dog", "eel", "fox", "fox")]
    assert sightings.announcement(many, HERE, "excess").endswith(
        "a dog (level 3, dangerous) and 3 more come into view."
    )


def test_a_grown_foe_is_announced_with_its_fame() -> None:
    """One deed and one trait, behind the levels that it has grown; what a server sends is made safe to show."""
    orc = replace(KOBOLD, name="orc", level=5, grown=2, fame=("killed Ann", "learned a throwing\x1b arm"))
    line = sightings.announcement([orc], with_foes(orc), "excess")
    assert line.startswith("An orc comes into view, level 5, ")
    assert line.endswith("grown by 2 levels, killed Ann, learned a throwing arm.")
