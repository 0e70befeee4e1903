"""Keyed randomness: the same key gives the same roll, another key another, and no roll shifts a stranger's."""

from collections import Counter

import pytest

from gloam_server.rules.dice import Dice, stream


def rolls(dice: Dice, purpose: str = "damage", who: int = 7, count: int = 20) -> list[int]:
    return [dice.roll(purpose, who, 1_000_000) for _ in range(count)]


def test_the_same_key_gives_the_same_rolls_for_ever() -> None:
    dice = Dice(1, 2, 3)
    assert [dice.roll("damage", 7, 100) for _ in range(5)] == [58, 45, 82, 39, 0]
    assert stream("caves", 1, 2, size=4).hex() == "eb7305e7"


@pytest.mark.parametrize("other", [Dice(2, 2, 3), Dice(1, 3, 3), Dice(1, 2, 4)])
def test_seed_place_and_number_are_part_of_the_key(other: Dice) -> None:
    assert rolls(Dice(1, 2, 3)) != rolls(other)


def test_purpose_and_creature_are_part_of_the_key() -> None:
    assert rolls(Dice(1, 2, 3)) != rolls(Dice(1, 2, 3), purpose="spread")
    assert rolls(Dice(1, 2, 3)) != rolls(Dice(1, 2, 3), who=8)


def test_numbers_side_side_not_mistaken_other() -> None:
    """Numbers side by side are not mistaken for each other."""
    assert rolls(Dice(1, 23, 4)) != rolls(Dice(12, 3, 4))
    assert stream("caves", 1, 23, size=8) != stream("caves", 12, 3, size=8)


def test_roll_another_purpose() -> None:
    """A roll for another purpose or creature shifts nothing."""
    alone, among = Dice(1, 2, 3), Dice(1, 2, 3)
    mixed = []
    for _ in range(20):
        among.roll("wander", 7, 8)
        among.roll("damage", 8, 6)
        mixed.append(among.roll("damage", 7, 1_000_000))
    assert mixed == rolls(alone)


@pytest.mark.parametrize("sides", [1, 2, 3, 7, 100, 2**40])
def test_a_roll_stays_within_its_sides(sides: int) -> None:
    dice = Dice(5, 1, 1)
    assert all(0 <= dice.roll("x", 0, sides) < sides for _ in range(300))


def test_every_side_comes_up_about_equally_often() -> None:
    dice = Dice(5, 1, 1)
    counted = Counter(dice.roll("x", 0, 6) for _ in range(12_000))
    assert sorted(counted) == list(range(6))
    assert all(1_800 < times < 2_200 for times in counted.values())


@pytest.mark.parametrize("sides", [0, -1])
def test_a_die_without_sides_is_refused(sides: int) -> None:
    with pytest.raises(ValueError, match="'x' needs at least one side"):
        Dice(1, 1, 1).roll("x", 0, sides)


def test_chance_is_never_at_0_and_always_at_100() -> None:
    dice = Dice(5, 1, 1)
    assert not any(dice.chance("x", 0, 0) for _ in range(500))
    assert all(dice.chance("x", 0, 100) for _ in range(500))


def test_a_chance_of_2_comes_about_twice_in_a_hundred() -> None:
    dice = Dice(5, 1, 1)
    assert 150 < sum(dice.chance("spread", 0, 2) for _ in range(10_000)) < 250


def test_pick_takes_every_choice_and_refuses_none() -> None:
    dice = Dice(5, 1, 1)
    assert {dice.pick("x", 0, "abc") for _ in range(100)} == set("abc")
    with pytest.raises(ValueError, match="at least one side"):
        dice.pick("x", 0, ())


def test_weighted_choice_deck_often_weight() -> None:
    """A weighted choice equals a draw from a deck with each as often as its weight."""
    weights = {"a": 3, "b": 0, "c": 1, "d": 6}
    deck = "aaacdddddd"
    for seed in range(200):
        drawn = Dice(seed, 1, 1).weighted("x", 0, tuple(weights), weights.__getitem__)
        assert drawn == Dice(seed, 1, 1).pick("x", 0, deck)
    with pytest.raises(ValueError, match="at least one side"):
        Dice(5, 1, 1).weighted("x", 0, ("b",), weights.__getitem__)


def test_shuffled_keeps_everything() -> None:
    """Shuffled keeps everything and leaves what it was given."""
    cards = list(range(50))
    order = Dice(5, 1, 1).shuffle("x", 0, cards)
    assert sorted(order) == cards == list(range(50))
    assert order != cards


@pytest.mark.parametrize(("count", "drawn"), [(0, 0), (-1, 0), (3, 3), (10, 10), (99, 10)])
def test_draw_takes_at_most_and_nothing_twice(count: int, drawn: int) -> None:
    """A draw takes at most what is there and nothing twice."""
    hand = Dice(5, 1, 1).shuffle("x", 0, range(10), count)
    assert len(hand) == len(set(hand)) == drawn


def test_a_draw_is_the_beginning_of_the_whole_shuffle() -> None:
    assert Dice(5, 1, 1).shuffle("x", 0, range(30))[:4] == Dice(5, 1, 1).shuffle("x", 0, range(30), 4)


def test_every_order_comes_up_about_equally_often() -> None:
    dice = Dice(5, 1, 1)
    counted = Counter("".join(dice.shuffle("x", 0, "abc")) for _ in range(6_000))
    assert len(counted) == 6
    assert all(850 < times < 1_150 for times in counted.values())
