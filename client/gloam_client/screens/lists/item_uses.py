"""What can be done with the things that one carries: with which of them, how it is asked, and what it orders.

The server decides; what plainly has no object is told here.
"""

from collections.abc import Callable
from typing import Final, NamedTuple

from gloam_client.screens.common.command_effects import note, order
from gloam_client.screens.common.pick import Pick, Way
from gloam_client.screens.map.target import aimed
from gloam_client.state.aiming import Aim
from gloam_client.state.client_effects import Order
from gloam_client.state.model import Model, Push, Reaction
from gloam_shared import limits
from gloam_shared.geometry import chebyshev
from gloam_shared.narration.rendering import with_definite_article
from gloam_shared.protocol.commands import (
    AnyCommand,
    Drop,
    Eat,
    Fire,
    Give,
    Quaff,
    Read,
    Throw,
    Use,
    Wear,
    Wield,
)
from gloam_shared.text import clean
from gloam_shared.view.view import Creature, CreatureFlag, InventoryItem, ItemFlag, Stat

NO_BOW: Final = "You don't have a ranged weapon equipped."
_NO_FRIEND: Final = "No player stands beside you to take it."


class UseOf(NamedTuple):
    """One use: how it is asked, whether a thing is fit for it, what is done with that, and what is told for none."""

    caption: str
    fits: Callable[[InventoryItem], bool]
    act: Callable[[Model, InventoryItem], Reaction]
    none: str


def fire(model: Model) -> Reaction:
    """Return the cursor for a shot with what one wields (rule TG.28)."""
    reach = model.fact(Stat.REACH)
    if reach <= 0:
        return note(NO_BOW)
    return aimed(model, Aim("Fire at", "", Fire(0), "creature", reach))


def beside(model: Model) -> list[Creature]:
    """Return the players who stand beside one's own body and are no foes."""
    view = model.view
    return [
        one
        for one in view.creatures
        if one.marks & CreatureFlag.PLAYER
        and not one.marks & (CreatureFlag.SELF | CreatureFlag.HOSTILE)
        and chebyshev(view.cell, one.cell, view.place.width) == 1
    ]


def _has(*traits: ItemFlag) -> Callable[[InventoryItem], bool]:
    return lambda thing: any(thing.traits & trait for trait in traits)


def _ordered(command: Callable[[InventoryItem], AnyCommand]) -> Callable[[Model, InventoryItem], Reaction]:
    return lambda model, thing: order(model, command(thing))


def _can_wield(thing: InventoryItem) -> bool:
    return bool(thing.traits & ItemFlag.WIELDABLE and not thing.traits & ItemFlag.WIELDED)


def _can_take_up(thing: InventoryItem) -> bool:
    return _can_wield(thing) or bool(thing.traits & ItemFlag.WEARABLE and not thing.traits & ItemFlag.WORN)


def _read(model: Model, thing: InventoryItem) -> Reaction:
    if thing.target == "self":
        return order(model, Read(thing.slot))
    title = f"Read {with_definite_article(clean(thing.name))}"
    if not thing.target:
        sight = model.fact(Stat.SIGHT)
        return aimed(model, Aim(f"{title}, whatever it does", thing.name, Read(thing.slot), "", sight))
    return aimed(
        model, Aim(title, thing.name, Read(thing.slot), thing.target, thing.range, thing.radius, thing.harms)
    )


def _throw(model: Model, thing: InventoryItem) -> Reaction:
    aim = Aim(
        f"Throw {with_definite_article(clean(thing.name))}",
        thing.name,
        Throw(thing.slot, 0),
        "cell",
        limits.THROW_CELLS,
    )
    return aimed(model, aim)


def _give(model: Model, thing: InventoryItem) -> Reaction:
    friends = beside(model)
    if not friends:
        return note(_NO_FRIEND)
    if len(friends) == 1:
        return order(model, Give(thing.slot, friends[0].handle))
    ways = tuple(Way(clean(one.name), (Order(Give(thing.slot, one.handle)),)) for one in friends)
    return Reaction(Push(Pick(f"Give {with_definite_article(clean(thing.name))} to which player?", ways)))


def _use(model: Model, thing: InventoryItem) -> Reaction:
    ways = [
        Way("not now"),
        Way("end this life in glory", order(model, Use(thing.slot)).intents),
    ]
    if thing.traits & ItemFlag.AGAIN:
        ways.append(Way("go on into the next round", order(model, Use(thing.slot, again=True)).intents))
    return Reaction(
        Push(Pick(f"Use {with_definite_article(clean(thing.name))}: there is no way back", tuple(ways)))
    )


USES: Final = {
    "drop": UseOf(
        "Choose the item you wish to drop",
        lambda _: True,
        _ordered(lambda thing: Drop(thing.slot)),
        "You have nothing to drop!",
    ),
    "eat": UseOf(
        "Choose the item you wish to eat",
        _has(ItemFlag.EDIBLE),
        _ordered(lambda thing: Eat(thing.slot)),
        "You have nothing to eat.",
    ),
    "wield": UseOf(
        "Choose the item you wish to wield or wear",
        _can_take_up,
        _ordered(lambda thing: Wield(thing.slot) if _can_wield(thing) else Wear(thing.slot)),
        "You have nothing else to wield or wear.",
    ),
    "take off": UseOf(
        "Choose the item you wish to take off",
        _has(ItemFlag.WIELDED, ItemFlag.WORN),
        _ordered(lambda thing: Wield() if thing.traits & ItemFlag.WIELDED else Wear()),
        "You are neither wielding nor wearing anything.",
    ),
    "quaff": UseOf(
        "Choose the item you wish to quaff",
        _has(ItemFlag.QUAFFABLE),
        _ordered(lambda thing: Quaff(thing.slot)),
        "You have nothing to quaff.",
    ),
    "read": UseOf(
        "Choose the item you wish to read", _has(ItemFlag.READABLE), _read, "You have nothing to read."
    ),
    "throw": UseOf("Choose the item you wish to throw", lambda _: True, _throw, "You have nothing to throw."),
    "give": UseOf(
        "Choose the item you wish to give",
        lambda thing: not thing.traits & ItemFlag.BOUND,
        _give,
        "All that you carry is bound to you.",
    ),
    "use": UseOf(
        "Choose the item you wish to use", _has(ItemFlag.USABLE), _use, "You have nothing to use that way."
    ),
}
"""By their intents of play."""
