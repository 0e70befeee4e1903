"""The saved state of a level.

Its bytes are snapshots, so a change of names or order is a change of the layout.

Everything that is saved of a level is this one type, and `Level` holds one with the derived data: no field is copied
between two types, and no cache can reach the saved bytes. The encoder orders the maps by their keys in a shallow copy,
so that encoding changes nothing.
"""

from msgspec import UNSET, Struct, UnsetType, field

from gloam_server.world.model.creature import Creature, Item
from gloam_server.world.model.devices.device_state import Devices
from gloam_server.world.model.surfaces.surface_state import Surfaces
from gloam_shared.level_numbers import PartitionId


class TradeSide(Struct):
    """One side of a trade."""

    number: int
    """The player, by creature ID."""
    items: list[int] = field(default_factory=list)
    """The offered items, by ID, rising."""
    confirmed: bool = False
    """Whether the player has confirmed the present offer of both."""


class Trade(Struct):
    """A trade of two players beside each other."""

    first: TradeSide
    """The player who asked."""
    second: TradeSide
    """The player who was asked."""
    revision: int
    """The input of the level that changed the offer last."""
    answered: bool = False
    """Whether the second has answered."""


class LevelState(Struct, kw_only=True):
    """The saved part of a level: it changes only in `apply`, and is encoded as it is.

    The names of the fields and their order are the same in the bytes. Worlds of rules version 1 lack the fields
    with defaults; the content migration fills in the rest.
    """

    partition: PartitionId = field(name="place")
    """The number of the level, from 1, through all rounds."""
    kind: str = ""
    """The key of its kind of level."""
    width: int
    """In cells."""
    height: int
    """In cells."""
    terrain: bytearray
    """One byte for each cell: `appearance.Terrain`."""
    sequence: int = 0
    """The number of inputs applied."""
    minted: int = 0
    """The number of IDs that this level has given to creatures and items."""
    bodies: list[Creature] = field(default_factory=list, name="creatures")
    """All creatures on the level, ordered by ID."""
    piles: dict[int, list[Item]] = field(default_factory=dict)
    """The items on each cell, the top one last."""
    handles: dict[int, int] = field(default_factory=dict)
    """The handle of each creature and item, by ID."""
    memory: dict[int, bytearray] = field(default_factory=dict)
    """The map memory of each life: one byte of terrain for each cell, by creature ID."""
    wild_turns: dict[int, int] = field(default_factory=dict)
    """The number of turns of each player since the last turn of the unattended creatures, by creature ID."""
    wild_due: bool = False
    """Whether the unattended creatures take a turn next."""
    rules_version: int = 0
    """The version of the rules that the level follows."""
    libraries: str = ""
    """The versions of the libraries that the rules use."""
    heard: dict[int, tuple[int, int]] = field(default_factory=dict)
    """The last output taken from each other place, so that none is taken twice."""
    links: dict[int, int] = field(default_factory=dict)
    """The cell on the other level for each staircase, by its own cell; without an entry it is the same cell.

    Levels of different sizes lie below each other, so a cell alone does not name its counterpart.
    """
    arrival: int = -1
    """The cell where new lives of a round begin; -1 on all levels except its first."""
    difficulty: int = 100
    """The tracker's difficulty, in hundredths of a level."""
    share: int = -1
    """The number of creatures that were made with the level; -1 if not counted. Up to rules version 8 with its guests'
    creatures."""
    quiet: int = 0
    """The number of turns since the last respawn."""
    dark: bytes = b""
    """One byte for each cell, 1 for a cell without light; empty where every cell is lit."""
    traps: dict[int, str] = field(default_factory=dict)
    """The spells of traps, by cell. An undiscovered trap looks like the floor, a found one is `Terrain.TRAP`."""
    guests: list[int] = field(default_factory=list)
    """The accounts that have or had goods here, in their order."""
    claimed: bool = False
    """Whether a player has the goods that the level was made with."""
    goods: dict[int, tuple[int, int]] = field(default_factory=dict)
    """The goods of players: by account, the input of the level that laid them, and their number."""
    company: dict[int, int] = field(default_factory=dict)
    """The company of the level: by account, the turn in which each player arrived, or in which an absent one left."""
    away: dict[int, int] = field(default_factory=dict)
    """The players who left the level empty: by account, the turn in which each left."""
    withdrawn: int = 0
    """The number of creatures that left the level after those players, and return with them."""
    prize: int = -1
    """The first cell of the campaign's prize, also after a victory; -1 for any cell."""
    turns: int = 0
    """The number of turns of players."""
    charts: dict[int, bytearray] | UnsetType = UNSET
    """The chart of each party: what those saw here who share, one byte of terrain for each cell. Unset without any."""
    trades: list[Trade] | UnsetType = UNSET
    """The trades; not saved while there is none, so that a level without trades has the bytes that it always had."""
    turned_down: list[tuple[int, int]] | UnsetType = UNSET
    """Pairs of players, asker first, whose trade was ended while they stand beside each other."""
    supplied: dict[int, tuple[int, int]] | UnsetType = UNSET
    """The lives that brought goods last: by account, the creature ID and the turn. Unset where heirs bring none."""
    left: dict[int, int] | UnsetType = UNSET
    """The players who left last, and their own actions then, by creature ID. Unset where creatures do not heal."""
    roaming: bool | UnsetType = UNSET
    """Whether the campaign's boss has followed a player from here, and lives elsewhere; unset while it does not."""
    temper: str | UnsetType = UNSET
    """The key of its temper; unset where the campaign has none."""
    surfaces: Surfaces | UnsetType = UNSET
    """Its surfaces: fire, ice, webs and the like. Unset on a level that never had any."""
    devices: Devices | UnsetType = UNSET
    """Its devices: plates, levers, gates and the like. Unset on a level without any."""
    beacons: int | UnsetType = UNSET
    """The number of lit beacons of the realm; unset while none is lit."""
