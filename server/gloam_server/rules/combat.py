"""Combat: what a blow does. Pure; it knows no creature, only numbers."""

from gloam_server.rules.dice import Dice


def damage(dice: Dice, attacker_number: int, attack: int, defence: int) -> int:
    """Return the damage of a blow: 1 to the attack's excess over the defence, never below 1 (rule JG.5).

    A blow never misses; one that cannot pierce the defence still does 1.
    """
    excess = max(1, attack - defence)
    return 1 + dice.roll("damage", attacker_number, excess)
