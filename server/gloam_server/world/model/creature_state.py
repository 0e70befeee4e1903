"""The AI state of a creature and the run statistics of a player, with named fields.

Worlds of rules version 7 and before had two maps of numbers instead, `traits` and `tally`. `ai_from_traits` and its
neighbors read them.
"""

from collections.abc import Mapping
from typing import Final, NamedTuple

from msgspec import UNSET, Struct, UnsetType, field

from gloam_shared.level_numbers import PartitionId

_CELLS: Final = 1 << 16
_SLEW: Final = "slew "
_SHRINE: Final = "shrine_"


class LevelCell(NamedTuple):
    """A cell with its level, for creatures that may leave that level."""

    partition: PartitionId
    cell: int


class Down(Struct, frozen=True):
    """A player who is down: the turns left, and who or what brought them down or struck them last (rule F127)."""

    turns: int
    by: int
    """The creature, by ID, 0 for none."""
    cause: str


class AiState(Struct, omit_defaults=True):
    """The state of a creature's tasks from one action to the next."""

    prey: int = 0
    """The creature that it hunts, 0 for none."""
    last_seen: LevelCell | None = None
    """The cell where it saw its prey last."""
    trail_steps: int = 0
    """The number of steps that it followed a prey out of sight."""
    home: LevelCell | None = None
    """The cell that it guards."""
    waited: int = 0
    """The number of actions that it waited for its pack, or behind its prey."""
    pack_ready: bool = False
    """Whether its pack was complete once, so that it hunts."""
    stepped_back: bool = False
    """Whether its last action was a step back to keep its distance."""
    loot: int = 0
    """The item that it stole, 0 for none."""
    limb_grown: bool = False
    """Whether it has grown its further limb."""
    hidden: bool = False
    """Whether it is hidden from all players."""
    scent_steps: int = 0
    """The number of steps that it followed a scent."""
    rallied: int = 0
    """The foe for which it called its kin last, 0 for none."""
    blocked: int = 0
    """The number of actions for which another creature has blocked its way."""
    movement: int = -1
    """The movement of its fight that witnesses have read of last, -1 for none."""
    split: bool = False
    """Whether it has split the hall."""
    dozes: bool = False
    """Whether it has slept since its level was made, until noise or a wound wakes it."""
    owes_blow: bool = False
    """True if it has neither attacked nor cast since it stepped back to keep its distance."""
    heard: int | None = None
    """The own action at which a player heard a sound out of sight last; None for never."""
    sighted: LevelCell | None = None
    """The cell in which players saw a named monster last; None before that."""
    greeted: list[int] = field(default_factory=list)
    """The newest players, by account, that a named monster has greeted."""
    leaves: bool = False
    """Whether players have read that it goes down, as it has outgrown its depth."""


class Hearing(Struct, omit_defaults=True):
    """The notice that creatures take of a player."""

    rested: int = 0
    """The turns that the player has waited while hurt, until they are whole."""
    drawn: int = 0
    """The number of creatures that heard it and went to look."""
    heard_at: int = -1_000
    """The player's own action at which something heard them last."""


class RunStatistics(Struct, omit_defaults=True):
    """The statistics of a player's run, for its summary (rule RG.30, F56)."""

    damage_dealt: int = 0
    """Points of damage to others."""
    damage_taken: int = 0
    """Points of damage from anything."""
    deepest: int = 0
    """The greatest depth."""
    wins: int = 0
    """The rounds that it won."""
    slain: dict[str, int] = field(default_factory=dict)
    """By kind of creature, the highest level at which the player killed one."""
    named_slain: list[str] = field(default_factory=list)
    """The newest named creatures that the player killed."""
    trophies: list[str] = field(default_factory=list)
    """The newest trophies that the player or an earlier life of theirs has won, by name."""
    beacons: list[str] | UnsetType = UNSET
    """The beacons that the player lit, by name, each once; unset without one."""
    wounds: dict[str, int] = field(default_factory=dict)
    """By name of a creature or cause, the health that it took since the player was last unhurt."""


def ai_from_traits(traits: Mapping[str, int]) -> AiState:
    """Return the AI state from the map of earlier worlds."""
    return AiState(
        prey=traits.get("prey", 0),
        last_seen=_unpack_cell(traits.get("saw")),
        trail_steps=traits.get("trail", 0),
        home=_unpack_cell(traits.get("home")),
        waited=traits.get("waited", 0),
        pack_ready="pack" in traits,
        stepped_back="stepped" in traits,
        loot=traits.get("loot", 0),
        limb_grown="limb" in traits,
        hidden="hidden" in traits,
    )


def shrines_from_traits(traits: Mapping[str, int]) -> list[LevelCell]:
    """Return the shrines that a player used, from the map of earlier worlds."""
    names = (name.removeprefix(_SHRINE) for name in sorted(traits) if name.startswith(_SHRINE))
    return [LevelCell(*(int(part) for part in name.split("_"))) for name in names]


def statistics_from_tally(tally: Mapping[str, int]) -> RunStatistics:
    """Return the run statistics from the map of earlier worlds."""
    return RunStatistics(
        damage_dealt=tally.get("dealt", 0),
        damage_taken=tally.get("taken", 0),
        deepest=tally.get("deepest", 0),
        wins=tally.get("wins", 0),
        slain={
            name.removeprefix(_SLEW): level for name, level in sorted(tally.items()) if name.startswith(_SLEW)
        },
    )


def _unpack_cell(packed: int | None) -> LevelCell | None:
    return None if packed is None else LevelCell(*divmod(packed, _CELLS))
