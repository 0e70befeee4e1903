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
from gloam_shared.narration.rendering import named
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
from gloam_shared.view.view import Carried, Creature, Fact, Mark, Trait

NO_BOW: Final = "You don't have a ranged weapon equipped."
_NO_FRIEND: Final = "No player stands beside you to take it."


class UseOf(NamedTuple):
    """One use: how it is asked, whether a thing is fit for it, what is done with that, and what is told for none."""

    caption: str
    fits: Callable[[Carried], bool]
    act: Callable[[Model, Carried], Reaction]
    none: str


def fire(model: Model) -> Reaction:
    """Return the cursor for a shot with what one wields (rule TG.28)."""
    reach = model.fact(Fact.REACH)
    if reach <= 0:
        return note(NO_BOW)
    return aimed(model, Aim("Fire at", "", Fire(0), "creature", reach))


def beside(model: Model) -> list[Creature]:
    """Return the players who stand beside one's own body and are no foes."""
    view = model.view
    return [
        one
        for one in view.creatures
        if one.marks & Mark.PLAYER
        and not one.marks & (Mark.SELF | Mark.HOSTILE)
        and chebyshev(view.cell, one.cell, view.place.width) == 1
    ]


def _has(*traits: Trait) -> Callable[[Carried], bool]:
    return lambda thing: any(thing.traits & trait for trait in traits)


def _ordered(command: Callable[[Carried], AnyCommand]) -> Callable[[Model, Carried], Reaction]:
    return lambda model, thing: order(model, command(thing))


def _can_wield(thing: Carried) -> bool:
    return bool(thing.traits & Trait.WIELDABLE and not thing.traits & Trait.WIELDED)


def _can_take_up(thing: Carried) -> bool:
    return _can_wield(thing) or bool(thing.traits & Trait.WEARABLE and not thing.traits & Trait.WORN)


def _read(model: Model, thing: Carried) -> Reaction:
    if thing.target == "self":
        return order(model, Read(thing.slot))
    title = f"Read {named(clean(thing.name))}"
    if not thing.target:
        sight = model.fact(Fact.SIGHT)
        return aimed(model, Aim(f"{title}, whatever it does", thing.name, Read(thing.slot), "", sight))
    return aimed(
        model, Aim(title, thing.name, Read(thing.slot), thing.target, thing.range, thing.radius, thing.harms)
    )


def _throw(model: Model, thing: Carried) -> Reaction:
    aim = Aim(
        f"Throw {named(clean(thing.name))}", thing.name, Throw(thing.slot, 0), "cell", limits.THROW_CELLS
    )
    return aimed(model, aim)


def _give(model: Model, thing: Carried) -> Reaction:
    friends = beside(model)
    if not friends:
        return note(_NO_FRIEND)
    if len(friends) == 1:
        return order(model, Give(thing.slot, friends[0].handle))
    ways = tuple(Way(clean(one.name), (Order(Give(thing.slot, one.handle)),)) for one in friends)
    return Reaction(Push(Pick(f"Give {named(clean(thing.name))} to which player?", ways)))


def _use(model: Model, thing: Carried) -> Reaction:
    ways = [
        Way("not now"),
        Way("end this life in glory", order(model, Use(thing.slot)).intents),
    ]
    if thing.traits & Trait.AGAIN:
        ways.append(Way("go on into the next round", order(model, Use(thing.slot, again=True)).intents))
    return Reaction(Push(Pick(f"Use {named(clean(thing.name))}: there is no way back", tuple(ways))))


USES: Final = {
    "drop": UseOf(
        "Choose the item you wish to drop",
        lambda _: True,
        _ordered(lambda thing: Drop(thing.slot)),
        "You have nothing to drop!",
    ),
    "eat": UseOf(
        "Choose the item you wish to eat",
        _has(Trait.EDIBLE),
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
        _has(Trait.WIELDED, Trait.WORN),
        _ordered(lambda thing: Wield() if thing.traits & Trait.WIELDED else Wear()),
        "You are neither wielding nor wearing anything.",
    ),
    "quaff": UseOf(
        "Choose the item you wish to quaff",
        _has(Trait.QUAFFABLE),
        _ordered(lambda thing: Quaff(thing.slot)),
        "You have nothing to quaff.",
    ),
    "read": UseOf(
        "Choose the item you wish to read", _has(Trait.READABLE), _read, "You have nothing to read."
    ),
    "throw": UseOf("Choose the item you wish to throw", lambda _: True, _throw, "You have nothing to throw."),
    "give": UseOf(
        "Choose the item you wish to give",
        lambda thing: not thing.traits & Trait.BOUND,
        _give,
        "All that you carry is bound to you.",
    ),
    "use": UseOf(
        "Choose the item you wish to use", _has(Trait.USABLE), _use, "You have nothing to use that way."
    ),
}
"""By their intents of play."""
