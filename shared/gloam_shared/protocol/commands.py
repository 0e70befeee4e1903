"""The commands of the game, the same for players and monsters.

On the wire each is a positional array that begins with its tag. Actions (`Move`, `PickUp`, ...) cost a turn; `Choose`,
`Duel` and the commands of a trade cost no time; plans (`Explore`, `Travel`, `Run`, `Rest`, `Fight`) are carried out by the server, a step at
a time.
"""

from typing import Annotated, Final, Literal, TypeAlias

from msgspec import Meta, Struct

Offset = Annotated[int, Meta(ge=-1, le=1)]
Cell = Annotated[int, Meta(ge=0, le=65_535)]
Handle = Annotated[int, Meta(ge=0, le=65_535)]
Slot = Annotated[int, Meta(ge=0, le=25)]
Count = Annotated[int, Meta(ge=0, le=99)]


class Command(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """The base of all commands: frozen, a positional array on the wire."""


class Move(Command, frozen=True, tag=1):
    """Step by (dx, dy), each -1, 0 or 1. Into a foe it becomes an attack, into a friend a swap.

    Into rock it digs if the campaign allows it and `digs` is true: a client sends false for a held key.
    With `pick_up` the next action picks up useful items where the step led, while no dangerous foe is in view.
    """

    dx: Offset
    dy: Offset
    digs: bool = True
    pick_up: bool = False


class Wait(Command, frozen=True, tag=2):
    """Let one action pass."""


class Climb(Command, frozen=True, tag=3):
    """Take the stairs underfoot; a session that knows stairs elsewhere travels there instead, with this `pick_up`."""

    down: bool
    pick_up: bool = False


class PickUp(Command, frozen=True, tag=4):
    """Pick up items underfoot by their handles; no handles means all of them."""

    handles: Annotated[tuple[Handle, ...], Meta(max_length=26)] = ()


class Drop(Command, frozen=True, tag=5):
    """Drop all items in a slot."""

    slot: Slot


class Eat(Command, frozen=True, tag=6):
    """Eat one bite of the item in a slot."""

    slot: Slot


class Wield(Command, frozen=True, tag=7):
    """Wield the item in a slot, or stop wielding."""

    slot: Slot | None = None


class Wear(Command, frozen=True, tag=8):
    """Put on the item in a slot, or take off what is worn."""

    slot: Slot | None = None


class Quaff(Command, frozen=True, tag=9):
    """Drink the item in a slot."""

    slot: Slot


class Read(Command, frozen=True, tag=11):
    """Read the item in a slot, aimed at a cell if it needs an aim."""

    slot: Slot
    cell: Cell | None = None


class Throw(Command, frozen=True, tag=12):
    """Throw the item in a slot at a cell."""

    slot: Slot
    cell: Cell


class Fire(Command, frozen=True, tag=13):
    """Shoot at the creature on a cell, with the wielded weapon."""

    cell: Cell


class Cast(Command, frozen=True, tag=14):
    """Cast a spell that the view offers, by its key, aimed at a cell if it needs an aim."""

    spell: Annotated[str, Meta(max_length=32)]
    cell: Cell | None = None


class Give(Command, frozen=True, tag=15):
    """Give the item in a slot to an adjacent creature, by its handle; a player may have to agree first (`asked`)."""

    slot: Slot
    handle: Handle


class Close(Command, frozen=True, tag=16):
    """Close the door at (dx, dy); walking into a door opens it."""

    dx: Offset
    dy: Offset


class Use(Command, frozen=True, tag=17):
    """Use the prize in a slot: to end this life in victory, or, if `again`, to enter the next round."""

    slot: Slot
    again: bool = False


class Dig(Command, frozen=True, tag=19):
    """Dig into the rock at (dx, dy), each -1, 0 or 1, without a step."""

    dx: Offset
    dy: Offset


class Shout(Command, frozen=True, tag=25):
    """Shout: sleepers within earshot wake, and players within it learn where the shout came from."""


class Zap(Command, frozen=True, tag=26):
    """Zap the wand in a slot, aimed at a cell if it needs an aim."""

    slot: Slot
    cell: Cell | None = None


class PutOn(Command, frozen=True, tag=27):
    """Put on the ring in a slot, or take off the ring."""

    slot: Slot | None = None


class Drag(Command, frozen=True, tag=43):
    """Step by (dx, dy) and pull the downed player beside, by their handle, to the cell that this leaves."""

    handle: Handle
    dx: Offset
    dy: Offset


class Choose(Command, frozen=True, tag=10):
    """Take one of the level-up options that the view offers, by its index in that list. Costs no time."""

    option: Annotated[int, Meta(ge=0, le=15)]


class ChooseFor(Choose, frozen=True, tag=35):
    """Take an option of the choice for `level`, as the view says; refused for any other choice. Costs no time.

    So a choice that is sent twice, or late, takes nothing of the next one.
    """

    level: Annotated[int, Meta(ge=0, le=1_000)] = 0


class Duel(Command, frozen=True, tag=18):
    """Agree to a duel with another player, by their handle, or take it back. It begins when both have agreed. Costs no time."""

    handle: Handle
    agree: bool = True


class OfferTrade(Command, frozen=True, tag=30):
    """Say what the player gives in a trade with an adjacent player: all of it, each time. Begins the trade if there is none.

    `pairs` alternate between a slot and how many items of it, one or more. A changed offer clears both confirmations.
    Costs no time.
    """

    handle: Handle
    pairs: Annotated[tuple[Count, ...], Meta(max_length=52)] = ()


class ConfirmTrade(Command, frozen=True, tag=31):
    """Confirm exactly the offer with this revision; when both have confirmed it, the items change hands. Costs no time."""

    handle: Handle
    revision: Annotated[int, Meta(ge=0, le=2**31 - 1)]


class EndTrade(Command, frozen=True, tag=32):
    """End the player's trade, or turn a request down. Costs no time."""


class Explore(Command, frozen=True, tag=20):
    """Walk to the nearest unknown corner, again and again.

    With `pick_up` it also walks to useful items in view and to `cells`, where the player remembers such items; it picks
    them up, and stops for no other items.
    """

    pick_up: bool = False
    cells: Annotated[tuple[Cell, ...], Meta(max_length=32)] = ()


class Travel(Command, frozen=True, tag=21):
    """Walk to a known cell. With `pick_up` it picks up useful items on its way."""

    cell: Cell
    pick_up: bool = False


class Run(Command, frozen=True, tag=22):
    """Run by (dx, dy): along a corridor and round its corners, or straight on, until the ground changes.

    With `pick_up` it picks up useful items underfoot, and the run ends there.
    """

    dx: Offset
    dy: Offset
    pick_up: bool = False


class Rest(Command, frozen=True, tag=23):
    """Wait until health and mana are full, or until waiting gains nothing more."""


class Fight(Command, frozen=True, tag=24):
    """Attack or approach the nearest enemy, once; refused below half health while foes may take half of the remaining health."""


class Stop(Command, frozen=True, tag=29):
    """End the current plan, if there is one."""


Plan: TypeAlias = Explore | Travel | Run | Rest | Fight
ActionCommand: TypeAlias = (
    Move | Wait | Climb | PickUp | Drop | Eat | Wield | Wear
    | Quaff | Read | Throw | Fire | Cast | Give | Close | Use | Dig | Shout | Zap | PutOn | Drag
)  # fmt: skip
OptionalCommand: TypeAlias = Literal["shout"]
"""The words for the commands that a campaign switches on."""
NEEDS_ABILITY: Final[dict[type[Command], Literal[OptionalCommand, "trade", "cards", "rescue"]]] = {
    Shout: "shout",
    OfferTrade: "trade",
    ConfirmTrade: "trade",
    EndTrade: "trade",
    ChooseFor: "cards",
    Drag: "rescue",
}
"""The ability that a server has if it knows a command, the oldest first; commands that are not here are as old as the
protocol's version."""
TradeCommand: TypeAlias = OfferTrade | ConfirmTrade | EndTrade
FreeCommand: TypeAlias = Choose | ChooseFor | Duel | TradeCommand
AnyCommand: TypeAlias = (
    Move | Wait | Climb | PickUp | Drop | Eat | Wield | Wear
    | Quaff | Read | Throw | Fire | Cast | Give | Close | Use | Dig | Shout | Zap | PutOn | Drag
    | Choose | ChooseFor | Duel | OfferTrade | ConfirmTrade | EndTrade | Explore | Travel | Run | Rest | Fight | Stop
)  # fmt: skip
