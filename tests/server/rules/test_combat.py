"""Combat: the damage of a blow."""

import pytest

from gloam_server.rules.combat import damage
from gloam_server.rules.dice import Dice


@pytest.mark.parametrize(("attack", "defence", "most"), [(10, 0, 10), (4, 0, 4), (10, 7, 3), (5, 4, 1)])
def test_jg5_damage_is_1_to_the_excess_of_attack_over_defence(attack: int, defence: int, most: int) -> None:
    dice = Dice(1, 1, 1)

    assert {damage(dice, 3, attack, defence) for _ in range(400)} == set(range(1, most + 1))


@pytest.mark.parametrize(("attack", "defence"), [(5, 5), (5, 9), (0, 0)])
def test_jg5_a_blow_never_misses_and_does_1_at_least(attack: int, defence: int) -> None:
    dice = Dice(1, 1, 1)

    assert {damage(dice, 3, attack, defence) for _ in range(50)} == {1}
