"""Devices: the format of `devices.toml`. Plates, levers, altars, locks, gates and cages of drawn rooms. Data only."""

from typing import Annotated, Final, Literal, TypeAlias

from msgspec import Meta, Struct

from gloam_server.content.field_types import Glyph, Group, Key, Radius, Sentence, Short

Mechanism: TypeAlias = Literal["plate", "lever", "altar", "lock", "gate", "cage"]
"""The ways in which a device is worked, or what it does when others work it."""

WORKED_BY_OTHERS: Final[frozenset[Mechanism]] = frozenset({"gate", "cage"})
"""The mechanisms that open when others work them."""
IN_WALLS: Final[frozenset[Mechanism]] = frozenset({"lever", "lock"})
"""The mechanisms that stand in a wall: a body works them by walking into them."""

Force: TypeAlias = Annotated[int, Meta(ge=1, le=9)]


class DeviceKind(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A kind of device: how it is worked, what it needs, and how players see it.

    Players see `sign` where their client has only ASCII, else `unicode`, in `colour`, and read `words` when they look at it.
    The mechanism is one of: "plate": it is on while a player or a companion stands on it; "lever": a player who walks into it
    turns it on, and off again; "altar": it goes on, and stays on, when a player leaves an item on it that it `takes`, or of the
    `group`; the item is gone then; "lock": it goes on, and stays on, when a player who carries an item that it `takes` walks
    into it; the item is used up. These work the gates and cages whose letters their entry in the drawing names, each with its
    `force`. "gate" and "cage" open while devices of together the force that they need (`needs`) are on; with `stays` they
    never shut again. A shut gate is a wall that cannot be dug. The captive of a shut cage cannot be freed.

    When it is turned on it casts its `spell` at the player who works it, as a trap does, and wakes the sleepers within `wakes` cells.
    """

    key: Key
    name: Short
    words: Sentence
    mechanism: Mechanism
    sign: Glyph
    unicode: Glyph
    colour: str
    force: Force = 1
    needs: Force = 1
    stays: bool = False
    takes: str = ""
    group: Group = ""
    spell: str = ""
    wakes: Radius = 0

    @property
    def holds_on(self) -> bool:
        """Whether it stays on without a body: levers, altars and locks do, plates do not."""
        return self.mechanism in ("lever", "altar", "lock")
