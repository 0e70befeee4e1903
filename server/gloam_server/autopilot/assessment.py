"""Checks of a view before a plan continues: danger, food, and items worth picking up. Pure."""

from collections.abc import Set as AbstractSet
from typing import Final

from gloam_server.content.campaign_schema import Damage
from gloam_shared.narration.rendering import capital, with_article, with_definite_article
from gloam_shared.protocol.commands import Eat, PickUp
from gloam_shared.view.danger import could_take_half, danger_of_fight, danger_together
from gloam_shared.view.menace import Menace
from gloam_shared.view.view import Creature, CreatureFlag, Hunger, ItemFlag, Stat, View

_HOLDS_YOU: Final = int(CreatureFlag.HOLDS_YOU)
_EDIBLE: Final = int(ItemFlag.EDIBLE)
_WORTH: Final = int(ItemFlag.WORTH)
_NO_ROOM: Final = int(ItemFlag.NO_ROOM)
_HANDLES_MAX: Final = 26


def carries_food(view: View) -> bool:
    """Return whether the player carries food."""
    return any(item.traits & _EDIBLE and item.food > 0 for item in view.inventory)


def meal(view: View) -> Eat | None:
    """Return the command by which a starving player eats the least nourishing food that they carry; None for no meal.

    The least, because an excess is lost, hurts or kills, by the campaign's rule of hunger.
    """
    if view.fact(Stat.HUNGER) != Hunger.STARVING:
        return None
    food = [item for item in view.inventory if item.traits & _EDIBLE and item.food > 0]
    return Eat(min(food, key=lambda item: (item.food, item.slot)).slot) if food else None


def threat_of(view: View, damage: Damage) -> Creature | None:
    """Return the most dangerous holder, if all holders together may take half of the player's health."""
    holders = [creature for creature in view.creatures if creature.marks & _HOLDS_YOU]
    if not could_take_half(holders, view, damage):
        return None
    return min(holders, key=lambda each: (-danger_of_fight(each, view, damage).lost, each.handle))


def reason_of(threat: Creature, view: View, damage: Damage) -> str:
    """Return the reason for a threat: alone, or with others where all together are worse."""
    together = danger_together(view.creatures, view, damage)
    alone = could_take_half([threat], view, damage)
    if together == "deadly" or (together and alone):
        return f"Together, these foes are {_judged(together)}."
    if not alone:
        return "Together, these foes may take half of your health."
    return f"{capital(with_article(threat.name))} is {_judged(danger_of_fight(threat, view, damage).word)}."


def _judged(word: str) -> str:
    return "an even match" if word == "even" else word


def new_hunter(view: View, damage: Damage, known: AbstractSet[int]) -> Creature | None:
    """Return the most dangerous foe that hunts the player, and did not at the last look; None for none that can hurt."""
    fresh = [one for one in view.creatures if one.marks & _HOLDS_YOU and one.handle not in known]
    found = [(danger_of_fight(one, view, damage), one) for one in fresh]
    harmful = [(seen.lost, -one.handle, one) for seen, one in found if seen.word != "harmless"]
    return max(harmful)[-1] if harmful else None


def hunters_in(view: View) -> frozenset[int]:
    """Return the handles of the foes in view that hunt the player."""
    return frozenset(one.handle for one in view.creatures if one.marks & _HOLDS_YOU)


def stop_reason(foe: Creature, *, seen: bool) -> str:
    """Return the sentence by which a plan stops for a foe that begins to hunt the player, asleep or unaware if `seen` before."""
    name = capital(with_article(foe.name))
    return f"{name} has noticed you." if seen else f"{name} comes into view."


def in_reach(view: View) -> list[Creature]:
    """Return the awake foes whose blows, shots or spells reach the player from where they stand."""
    grid, own = view.place.grid, view.cell
    return [
        one
        for one in view.creatures
        if one.marks & _HOLDS_YOU and grid.distance(own, one.cell) <= _reach_of(one)
    ]


def harm_in(view: View) -> str:
    """Return a clause for a loss of health: it names the foe that caused it, if no other can have."""
    names = [one.name for one in in_reach(view)]
    match names:
        case []:
            return "you are hurt"
        case [name]:
            return f"{with_definite_article(name)} hurts you"
        case _:
            return "your foes hurt you"


def foes_in(view: View) -> frozenset[int]:
    """Return the handles of the foes in view."""
    return frozenset(each.handle for each in view.creatures if each.marks & CreatureFlag.HOSTILE)


def _reach_of(foe: Creature) -> int:
    """Return how many cells away a foe can hurt; 0 for one that cannot."""
    menace = foe.menace or Menace()
    afar = max(menace.reach, menace.spell_range if menace.magic else 0)
    return max(afar, 1) if foe.attack or menace.ranged or menace.magic else 0


def is_well(view: View) -> bool:
    """Return whether the player has all of their health."""
    return view.fact(Stat.HP) >= view.fact(Stat.HP_MAX)


def has_all_mana(view: View) -> bool:
    """Return whether the player has all of their mana."""
    return view.fact(Stat.MANA) >= view.fact(Stat.MANA_MAX)


def is_badly_hurt(view: View) -> bool:
    """Return whether the player has less than half of their health."""
    return view.fact(Stat.HP) * 2 < view.fact(Stat.HP_MAX)


def has_food(view: View) -> bool:
    """Return whether there is food in the inventory or underfoot."""
    return carries_food(view) or any(item.traits & _EDIBLE for item in view.pile)


def is_full(view: View) -> bool:
    """Return whether an item worth picking up is in view or underfoot, and there is no room for it."""
    left = _WORTH | _NO_ROOM
    traits = [*(item.traits for item in view.items), *(item.traits for item in view.pile)]
    return any(each & left == left for each in traits)


def worth_here(view: View) -> PickUp | None:
    """Return the command to pick up what is worth it underfoot, as far as there is room; None for nothing."""
    here = tuple(item.handle for item in view.pile if item.traits & (_WORTH | _NO_ROOM) == _WORTH)
    return PickUp(here[-_HANDLES_MAX:]) if here else None
