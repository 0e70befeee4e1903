"""How dangerous creatures look to the player, in attacks and in one word. Pure; an estimate.

The client shows it, and the server's plans use it. The server sends the campaign's formula of damage
(`Welcome.damage`); status effects, misses and unseen creatures do not count. Attacks have mean damage.
"""

from collections.abc import Iterable
from typing import Final, NamedTuple

from gloam_shared.view.view import Creature, Stat, View

_MISS_PARTS: Final = 9
"""The number of hits in ten attacks by the ratio formula (rule RG.7)."""
_NEVER: Final = 1_000


class Danger(NamedTuple):
    """How many mean attacks each side needs to kill the other; None if attacks do nothing. `word` combines both."""

    its_blows: int | None
    your_blows: int | None
    word: str


def danger(damage: str, mine: tuple[int, int, int], its: tuple[int, int, int]) -> Danger:
    """Return what a fight means; each side is (health, attack, defence).

    The foe is "harmless" if it cannot hurt; "deadly" if it kills within two attacks and first, or twice as fast as
    it dies; "dangerous" if it wins; "even" if it loses by less than three times (equal levels, rule R4); else "easy".
    """
    its_blows = attacks_to_kill(damage, its[1], mine[2], mine[0])
    your_blows = attacks_to_kill(damage, mine[1], its[2], its[0])
    return Danger(its_blows, your_blows, _word(its_blows, your_blows))


def danger_of_fight(creature: Creature, view: View, damage: str) -> Danger:
    """Return what a fight with a creature in view would mean for the player."""
    mine = (view.fact(Stat.HP), view.fact(Stat.ATTACK), view.fact(Stat.DEFENCE))
    return danger(damage, mine, (creature.hp, creature.attack, creature.defence))


def could_take_half(creatures: Iterable[Creature], view: View, damage: str) -> bool:
    """Return whether these creatures together may take half of the player's health before the player has killed them.

    Each creature attacks until it dies: one that dies after 2 attacks and kills after 8 takes a quarter.
    """
    lost = 0
    for creature in creatures:
        its_blows, your_blows, _ = danger_of_fight(creature, view, damage)
        if its_blows is not None:
            lost += 1_000 * (_NEVER if your_blows is None else your_blows) // its_blows
    return lost >= 500


def attacks_to_kill(damage: str, attack: int, defence: int, health: int) -> int | None:
    """Return how many mean attacks kill a body with `health`; None if they do nothing."""
    mean = mean_hundredths(damage, attack, defence)
    if attack <= 0 or mean <= 0:
        return None
    return -(-max(health, 1) * 100 // mean)


def mean_hundredths(damage: str, attack: int, defence: int) -> int:
    """Return the mean damage of an attack in hundredths.

    "excess" (rules JG.5, TG.19) is 1 to the attack's excess over the defence, at least 1. "ratio" (rule RG.7) is the
    excess where the attack is twice the defence, else a quarter to a half of the attack; one of ten misses.
    """
    if damage != "ratio":
        return 50 * (1 + max(1, attack - defence))
    if attack >= 2 * defence:
        hundredths = 100 * (attack - defence)
    else:
        hundredths = attack * (50 + min(50, 25 * attack // max(1, defence))) // 2
    return hundredths * _MISS_PARTS // 10


def _word(its_blows: int | None, your_blows: int | None) -> str:
    if its_blows is None:
        return "harmless"
    yours = _NEVER if your_blows is None else your_blows
    if its_blows * 2 <= yours or (its_blows <= 2 and its_blows < yours):
        return "deadly"
    if its_blows < yours:
        return "dangerous"
    return "even" if its_blows < yours * 3 else "easy"
