"""The uses of inventory items: the fitting items, the question and the command.

The server decides; this module refuses only uses without any fitting item.
"""

from collections.abc import Callable
from typing import Final, NamedTuple

from gloam_client.screens.common.command_effects import command_effect, early_notice, message
from gloam_client.screens.common.lettered_list import Pick, Way
from gloam_client.screens.map.target import aim_at
from gloam_client.state.aiming import Aim, aim_fault
from gloam_client.state.client_effects import SendCommand
from gloam_client.state.guidance.key_words import with_keys
from gloam_client.state.model import Model, Push, Update
from gloam_shared import limits
from gloam_shared.narration.rendering import with_definite_article
from gloam_shared.protocol.commands import (
    AnyCommand,
    Drop,
    Eat,
    Fire,
    Give,
    PutOn,
    Quaff,
    Read,
    Throw,
    Use,
    Wear,
    Wield,
    Zap,
)
from gloam_shared.protocol.messages.parties import LENDS
from gloam_shared.text import clean
from gloam_shared.view.view import Creature, CreatureFlag, InventoryItem, ItemFlag, Stat

NO_BOW: Final = "You don't have a ranged weapon equipped."
_NO_FRIEND: Final = "No player stands beside you to take it."
_PLAYER: Final = int(CreatureFlag.PLAYER)
_SELF_OR_HOSTILE: Final = int(CreatureFlag.SELF | CreatureFlag.HOSTILE)
"""Plain numbers: a flag itself is slow to compare, and these are compared in every frame."""


class ItemUse(NamedTuple):
    """One use: its question, the fitting items, its command, and the message without such an item."""

    caption: str
    fits: Callable[[Model, InventoryItem], bool]
    act: Callable[[Model, InventoryItem], Update]
    none: str


def fire(model: Model) -> Update:
    """Return the shot with the wielded weapon at the only foe that it can reach, else the cursor for one (rule TG.28)."""
    reach = model.fact(Stat.REACH)
    if reach <= 0:
        return (
            message(with_keys(model, f"{NO_BOW} {{wield}} wields one."))
            if model.in_dungeon
            else early_notice()
        )
    aim, view = shot(reach), model.view
    foes = [
        one.cell
        for one in view.creatures
        if one.marks & CreatureFlag.HOSTILE and not aim_fault(aim, view, one.cell)
    ]
    return command_effect(model, aim.at_cell(foes[0])) if len(foes) == 1 else aim_at(model, aim)


def shot(reach: int) -> Aim:
    """Return the aim of a shot with the wielded weapon, within reach."""
    return Aim("Fire at", "", Fire(0), "creature", reach)


def beside(model: Model) -> list[Creature]:
    """Return the adjacent players who are not foes."""
    view = model.view
    return [
        one
        for one in view.creatures
        if one.marks & _PLAYER
        and not one.marks & _SELF_OR_HOSTILE
        and view.place.grid.distance(view.cell, one.cell) == 1
    ]


def borrowers(model: Model) -> list[Creature]:
    """Return the adjacent members of the player's party, where members lend each other what is bound to them (rule F131)."""
    if LENDS not in model.world.abilities:
        return []
    return [one for one in beside(model) if model.company.party.member(one.name) is not None]


def _can_give(model: Model, item: InventoryItem) -> bool:
    return not item.traits & ItemFlag.BOUND or bool(borrowers(model))


def _with_any(*traits: ItemFlag) -> Callable[[Model, InventoryItem], bool]:
    return lambda _, item: any(item.traits & trait for trait in traits)


def _send_use(command: Callable[[InventoryItem], AnyCommand]) -> Callable[[Model, InventoryItem], Update]:
    return lambda model, item: command_effect(model, command(item))


def _can_wield(item: InventoryItem) -> bool:
    return bool(item.traits & ItemFlag.WIELDABLE and not item.traits & ItemFlag.WIELDED)


def _can_take_up(_: Model, item: InventoryItem) -> bool:
    return _can_wield(item) or bool(item.traits & ItemFlag.WEARABLE and not item.traits & ItemFlag.WORN)


def _taking_off(item: InventoryItem) -> AnyCommand:
    if item.traits & ItemFlag.WIELDED:
        return Wield()
    return Wear() if item.traits & ItemFlag.WORN else PutOn()


def _read(model: Model, item: InventoryItem) -> Update:
    return _aim(model, item, "Read", Read(item.slot))


def _zap(model: Model, item: InventoryItem) -> Update:
    return _aim(model, item, "Zap", Zap(item.slot))


def _aim(model: Model, item: InventoryItem, verb: str, command: Read | Zap) -> Update:
    """Return the cursor for an item that needs an aim, or may need one; any other is used immediately."""
    if item.target == "self":
        return command_effect(model, command)
    title = f"{verb} {with_definite_article(clean(item.name))}"
    if not item.target:
        sight = model.fact(Stat.SIGHT)
        return aim_at(model, Aim(f"{title}, whatever it does", item.name, command, "", sight))
    return aim_at(model, Aim(title, item.name, command, item.target, item.range, item.radius, item.harms))


def _throw(model: Model, item: InventoryItem) -> Update:
    aim = Aim(
        f"Throw {with_definite_article(clean(item.name))}",
        item.name,
        Throw(item.slot, 0),
        "cell",
        limits.THROW_CELLS,
        harms=item.harms or not item.traits & ItemFlag.QUAFFABLE,
    )
    return aim_at(model, aim)


def _give(model: Model, item: InventoryItem) -> Update:
    lends = bool(item.traits & ItemFlag.BOUND)
    friends = borrowers(model) if lends else beside(model)
    if not friends:
        return message(with_keys(model, f"{_NO_FRIEND} {{friend}} goes to one."))
    if len(friends) == 1:
        return command_effect(model, Give(item.slot, friends[0].handle))
    verb = "Lend" if lends else "Give"
    ways = tuple(Way(clean(one.name), (SendCommand(Give(item.slot, one.handle)),)) for one in friends)
    return Update(Push(Pick(f"{verb} {with_definite_article(clean(item.name))} to which player?", ways)))


def _use(model: Model, item: InventoryItem) -> Update:
    ways = [
        Way("not now"),
        Way("end this life in glory", command_effect(model, Use(item.slot)).intents),
    ]
    if item.traits & ItemFlag.AGAIN:
        ways.append(
            Way("go on into the next round", command_effect(model, Use(item.slot, again=True)).intents)
        )
    return Update(
        Push(Pick(f"Use {with_definite_article(clean(item.name))}: there is no way back", tuple(ways)))
    )


USES: Final = {
    "drop": ItemUse(
        "Choose the item you wish to drop",
        lambda *_: True,
        _send_use(lambda item: Drop(item.slot)),
        "You have nothing to drop!",
    ),
    "eat": ItemUse(
        "Choose the item you wish to eat",
        _with_any(ItemFlag.EDIBLE),
        _send_use(lambda item: Eat(item.slot)),
        "You have nothing to eat.",
    ),
    "wield": ItemUse(
        "Choose the item you wish to wield or wear",
        _can_take_up,
        _send_use(lambda item: Wield(item.slot) if _can_wield(item) else Wear(item.slot)),
        "You have nothing else to wield or wear.",
    ),
    "take off": ItemUse(
        "Choose the item you wish to take off",
        _with_any(ItemFlag.WIELDED, ItemFlag.WORN, ItemFlag.PUT_ON),
        _send_use(_taking_off),
        "You are neither wielding nor wearing anything.",
    ),
    "quaff": ItemUse(
        "Choose the item you wish to quaff",
        _with_any(ItemFlag.QUAFFABLE),
        _send_use(lambda item: Quaff(item.slot)),
        "You have nothing to quaff.",
    ),
    "read": ItemUse(
        "Choose the item you wish to read", _with_any(ItemFlag.READABLE), _read, "You have nothing to read."
    ),
    "zap": ItemUse(
        "Choose the wand you wish to zap", _with_any(ItemFlag.ZAPPABLE), _zap, "You have no wand to zap."
    ),
    "put on": ItemUse(
        "Choose the ring you wish to put on",
        lambda _, item: bool(item.traits & ItemFlag.RING and not item.traits & ItemFlag.PUT_ON),
        _send_use(lambda item: PutOn(item.slot)),
        "You have no other ring to put on.",
    ),
    "throw": ItemUse(
        "Choose the item you wish to throw", lambda *_: True, _throw, "You have nothing to throw."
    ),
    "give": ItemUse(
        "Choose the item you wish to give",
        _can_give,
        _give,
        "All that you carry is bound to you.",
    ),
    "use": ItemUse(
        "Choose the item you wish to use",
        _with_any(ItemFlag.USABLE),
        _use,
        "You have nothing to use that way.",
    ),
}
"""By their intents of play."""
