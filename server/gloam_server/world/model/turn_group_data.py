"""A level divided for one turn, as data: `turn_groups` computes it, and the level keeps the newest."""

from dataclasses import dataclass


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

    def of(self, player: int) -> Bubble:
        """Return the bubble of a player on the level."""
        return next(bubble for bubble in self.bubbles if player in bubble.players)
