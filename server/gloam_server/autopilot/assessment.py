"""Checks of a view before a plan continues: danger, food, and items worth picking up. Pure."""

from typing import Final

from gloam_server.content.campaign_schema import Damage
from gloam_shared.narration.rendering import capital, with_article, with_definite_article
from gloam_shared.protocol.commands import Eat, PickUp
from gloam_shared.view.danger import could_take_half, danger_of_fight, dangers
from gloam_shared.view.menace import Menace
from gloam_shared.view.surfaces import SurfaceFlag, surface_at
from gloam_shared.view.view import Creature, CreatureFlag, Hunger, ItemFlag, Stat, View

_HOLDS_YOU: Final = int(CreatureFlag.HOLDS_YOU)
_EDIBLE: Final = int(ItemFlag.EDIBLE)
_WORTH: Final = int(ItemFlag.WORTH)
_NO_ROOM: Final = int(ItemFlag.NO_ROOM)
_HANDLES_MAX: Final = 26
_SPREADS: Final = int(SurfaceFlag.SPREADS)


def spreading_beside(view: View) -> str:
    """Return the name of a surface on the player's cell or beside it that harms and spreads, or harms there; "" for none."""
    if not view.surfaces:
        return ""
    here = surface_at(view.surface_looks, view.surfaces, view.cell)
    if here is not None and here.harm:
        return here.name
    around = view.place.grid.neighbors(view.cell)
    found = [surface_at(view.surface_looks, view.surfaces, cell) for cell in around]
    return next((look.name for look in found if look and look.harm and look.marks & _SPREADS), "")


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
    found = dangers(holders, view, damage)
    return min(holders, key=lambda each: (-found[each.handle].lost, each.handle))


def reason_of(threat: Creature, view: View, damage: Damage) -> str:
    """Return the reason for a threat: alone, or with others."""
    if not could_take_half([threat], view, damage):
        return "Together, these foes may take half of your health."
    word = danger_of_fight(threat, view, damage).word
    return f"{capital(with_article(threat.name))} is {'an even match' if word == 'even' else word}."


def stop_reason(threat: Creature, view: View, damage: Damage, *, seen: bool) -> str:
    """Return why a plan stops because of a threat: it enters view, or one `seen` before can take half by now."""
    if seen:
        return f"You stop. {reason_of(threat, view, damage)}"
    return f"{capital(with_article(threat.name))} comes into view."


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
