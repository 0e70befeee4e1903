"""What a bot does about things: eats when hungry, takes up what is better, picks up what is of use. Pure."""

from collections.abc import Callable
from typing import Final

from gloam_server.rules import masks
from gloam_server.sessions.ways import first_step
from gloam_shared.commands import AnyCommand, Eat, PickUp, Wear, Wield
from gloam_shared.view import Carried, Fact, Hunger, Trait, View

FOODS_MAX: Final = 8
"""So much food is enough to carry."""

CARRIED_MAX: Final = 20
"""With so many things nothing more is picked up: two slots stay free."""

_FOOD: Final = "%"
_GEAR: Final = ")["


def see_to_oneself(view: View) -> AnyCommand | None:
    """Return what is to be done about things while nothing is after the bot; None when all is well."""
    return _eat(view) or _take_up(view) or _pick_up(view) or _fetch(view)


def _eat(view: View) -> Eat | None:
    if view.fact(Fact.HUNGER) not in (Hunger.HUNGRY, Hunger.STARVING):
        return None
    foods = [thing for thing in view.inventory if thing.traits & Trait.EDIBLE]
    in_use = Trait.WIELDED | Trait.WORN
    best = min(foods, key=lambda food: (food.traits & in_use != 0, food.slot), default=None)
    return None if best is None else Eat(best.slot)


def _take_up(view: View) -> Wield | Wear | None:
    """Wield what strikes harder, wear what guards better; nothing is taken from one use for the other."""
    weapon = _better(view, Trait.WIELDABLE, Trait.WIELDED, lambda thing: (thing.attack, thing.defence))
    if weapon is not None:
        return Wield(weapon.slot)
    armour = _better(view, Trait.WEARABLE, Trait.WORN, lambda thing: (thing.defence, thing.attack))
    return None if armour is None else Wear(armour.slot)


def _better(
    view: View, fits: Trait, used: Trait, worth: Callable[[Carried], tuple[int, int]]
) -> Carried | None:
    """Return the best thing for a use, if it is better than what is in that use now."""
    other_use = (Trait.WIELDED | Trait.WORN) & ~used
    things = [thing for thing in view.inventory if thing.traits & fits and not thing.traits & other_use]
    best = max(things, key=lambda thing: (*worth(thing), -thing.slot), default=None)
    now = next((worth(thing) for thing in things if thing.traits & used), (0, 0))
    return best if best is not None and worth(best) > now else None


def _pick_up(view: View) -> PickUp | None:
    wanted = _wanted_glyphs(view)
    handles = [thing.handle for thing in reversed(view.pile) if thing.glyph in wanted]
    return PickUp((handles[0],)) if handles else None


def _fetch(view: View) -> AnyCommand | None:
    """Step towards the nearest thing in sight that is of use."""
    wanted = _wanted_glyphs(view)
    cells = {item.cell for item in view.items if item.glyph in wanted} - {view.cell}
    return first_step(view, masks.of(cells)) if cells else None


def _wanted_glyphs(view: View) -> str:
    if len(view.inventory) >= CARRIED_MAX:
        return ""
    foods = sum(thing.glyph == _FOOD for thing in view.inventory)
    return _GEAR + _FOOD if foods < FOODS_MAX else _GEAR
