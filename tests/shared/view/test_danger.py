"""How dangerous a creature is: in blows and in one word."""

import pytest

from gloam_shared.view.danger import attacks_to_kill, danger, mean_hundredths


@pytest.mark.rule("JG.5", "RG.7")
@pytest.mark.parametrize(
    ("damage", "attack", "defence", "mean"),
    [
        ("excess", 10, 0, 550),
        ("excess", 10, 8, 150),
        ("excess", 3, 9, 100),
        ("ratio", 8, 4, 360),
        ("ratio", 8, 8, 270),
        ("ratio", 4, 16, 100),
    ],
)
def test_a_mean_blow_is_that_of_the_campaigns_formula(
    damage: str, attack: int, defence: int, mean: int
) -> None:
    assert mean == mean_hundredths(damage, attack, defence)


def test_blows_rounded_and_no_attack_deals_none() -> None:
    """Blows are rounded up and who has no attack deals none."""
    assert attacks_to_kill("excess", 10, 0, 11) == 2
    assert attacks_to_kill("excess", 10, 0, 12) == 3
    assert attacks_to_kill("excess", 0, 0, 12) is None
    assert attacks_to_kill("ratio", 3, 3, 0) == 1


@pytest.mark.parametrize(
    ("mine", "its", "word"),
    [
        ((40, 10, 0), (10, 0, 0), "harmless"),
        ((40, 10, 0), (5, 2, 0), "easy"),
        ((30, 8, 4), (14, 8, 4), "even"),
        ((40, 10, 0), (40, 12, 2), "dangerous"),
        ((10, 5, 0), (30, 20, 4), "deadly"),
        ((40, 0, 0), (30, 20, 4), "deadly"),
    ],
)
def test_one_word_tells_who_would_win(
    mine: tuple[int, int, int], its: tuple[int, int, int], word: str
) -> None:
    assert word == danger("excess", mine, its).word


@pytest.mark.rule("R4")
def test_two_equals_of_ruggrogue_are_even() -> None:
    rating = danger("ratio", (30, 8, 4), (14, 8, 4))
    assert (rating.word, rating.its_blows, rating.your_blows) == ("even", 9, 4)
