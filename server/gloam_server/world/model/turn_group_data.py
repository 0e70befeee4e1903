"""A level divided for one turn, as data: `turn_groups` computes it, and the level keeps the newest."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Bubble:
    """The members of a turn: players by number, the enemies that hold them, other creatures nearby.

    `held` means that something holds the bubble's players; it is true for all of them or none.
    """

    players: tuple[int, ...]
    held: bool
    creatures: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Division:
    """A level divided for one turn: its bubbles, by their lowest player, and the unattended creatures."""

    bubbles: tuple[Bubble, ...]
    wild: tuple[int, ...]
    _by_player: Mapping[int, Bubble] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Index the bubbles: many players ask for theirs in each turn."""
        index = {number: bubble for bubble in self.bubbles for number in bubble.players}
        object.__setattr__(self, "_by_player", index)

    def of(self, player: int) -> Bubble:
        """Return the bubble of a player on the level."""
        return self._by_player[player]

    def find(self, player: int) -> Bubble | None:
        """Return the bubble of a player; None if the player was not on the level."""
        return self._by_player.get(player)
