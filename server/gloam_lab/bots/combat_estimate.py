"""A bot's estimate of a fight, from the levels, health, attack and defense in its view. Pure."""

from typing import Final

from gloam_lab.bots import flags
from gloam_lab.bots.in_sight import in_sight
from gloam_server.rules.dice import stream
from gloam_shared.view.choices import GainKind
from gloam_shared.view.view import Creature, Stat, View

_FRIENDS_NEAR: Final = 3

_POWER_PERCENT: Final = 17
"""The bound of what the power of a card is taken to be worth, in percent of health."""


def foes_of(view: View) -> list[Creature]:
    """Return the relevant foes: those that hold the bot or hunt a friend nearby."""
    grid, own = view.place.grid, view.cell
    seen = in_sight(view.creatures)
    if not seen.enemies:
        return list(seen.holders)
    friends = [friend.cell for friend in seen.friends if grid.distance(own, friend.cell) <= 6]
    return [
        creature
        for creature in view.creatures
        if creature.marks & flags.HOLDS_YOU
        or (
            creature.marks & flags.HOSTILE
            and creature.attack
            and not creature.marks & (flags.ASLEEP | flags.PLAYER)
            and any(grid.distance(creature.cell, cell) <= 2 for cell in friends)
        )
    ]


def friends_of(view: View) -> tuple[Creature, ...]:
    """Return the friendly players in sight."""
    return in_sight(view.creatures).friends


def expected_damage(attack: int, defence: int) -> int:
    """Return the estimated damage of one attack, in hundredths of a point; attack and defense in hundredths, too.

    The estimate lies between the campaigns' formulas, rather too high than too low.
    """
    return max(100, attack // 4, (attack - defence) * 8 // 10) if attack > 0 else 0


def fight_risk(view: View, foes: list[Creature]) -> int:
    """Return the share of its present health, in percent, that the bot would lose until all these foes are dead."""
    grid, own = view.place.grid, view.cell
    helpers = sum(grid.distance(own, friend.cell) <= _FRIENDS_NEAR for friend in friends_of(view))
    attack, defence = view.fact(Stat.ATTACK) * 100, view.fact(Stat.DEFENCE) * 100
    bouts = []
    for foe in foes:
        blow = max(1, expected_damage(attack, foe.defence * 100) * (1 + helpers))
        bouts.append((-(-foe.hp * 110 // blow), expected_damage(_attack_of(view, foe), defence)))
    bouts.sort(key=lambda bout: bout[0] * 1_000 // max(1, bout[1]))
    pressed = sum(hurt for _, hurt in bouts)
    lost = 0
    for blows, hurt in bouts:
        lost += blows * pressed
        pressed -= hurt
    return lost // max(1, view.fact(Stat.HP) * (1 + helpers))


def health(creature: Creature) -> int:
    """Return health in percent."""
    return 100 * creature.hp // max(1, creature.hp_max)


def own_health(view: View) -> int:
    """Return the bot's health in percent."""
    return 100 * view.fact(Stat.HP) // max(1, view.fact(Stat.HP_MAX))


def best_choice(view: View, foe: tuple[int, int, int] | None) -> int:
    """Return which of the level-up options helps most against foes like the last; without one, attack and health in turns."""
    if foe is None or foe[0] <= 0:
        wanted = GainKind.ATTACK if view.fact(Stat.LEVEL) % 2 else GainKind.HEALTH
        return next((at for at, gain in enumerate(view.gains) if gain.kind == wanted), 0)
    return max(range(len(view.gains)), key=lambda at: (_gain_value(view, foe, at), -at), default=0)


def mana_choice(view: View) -> int | None:
    """Return the level-up option that adds mana, at every other level of a bot that can cast at foes; None for none."""
    if view.fact(Stat.LEVEL) % 2 or not any(spell.harms and spell.target != "self" for spell in view.spells):
        return None
    return next((at for at, gain in enumerate(view.gains) if gain.kind == GainKind.MANA), None)


def _gain_value(view: View, foe: tuple[int, int, int], at: int) -> int:
    """Return how many attacks the bot survives for each that it needs, with what an option brings.

    A card whose power has no number counts as a gain of health between nothing and a sixth, drawn by its place and the
    experience: the estimate does not know powers, and one life has more use for one of them than another.
    """
    gain = view.gains[at]
    gained = {gain.kind: gain.amount, **dict(zip(gain.also[::2], gain.also[1::2], strict=True))}
    attack = view.fact(Stat.ATTACK) * 100 + gained.get(GainKind.ATTACK, 0)
    defence = view.fact(Stat.DEFENCE) * 100 + gained.get(GainKind.DEFENCE, 0)
    hp = view.fact(Stat.HP_MAX) * 100 + gained.get(GainKind.HEALTH, 0)
    if not gain.amount:
        drawn = stream("power", view.fact(Stat.EXPERIENCE), view.fact(Stat.LEVEL), at, size=1)
        hp += hp * (drawn[0] % _POWER_PERCENT) // 100
    return (
        100
        * hp
        * expected_damage(attack, foe[1] * 100)
        // (expected_damage(foe[0] * 100, defence) * max(1, foe[2]))
    )


def _attack_of(view: View, foe: Creature) -> int:
    """Return a foe's attack in hundredths; an unknown one is taken to be like the bot's own."""
    if foe.attack or not foe.marks & flags.HOLDS_YOU:
        return foe.attack * 100
    return view.fact(Stat.ATTACK) * 100
