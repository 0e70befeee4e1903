"""Young lives: those that may still begin again beside a friend (rule F92)."""

from typing import Final

from msgspec import UNSET

from gloam_server.world.model.creature import Creature

YOUNG_ACTIONS: Final = 300
"""The number of a body's own actions up to which its life is young."""


def is_young(body: Creature) -> bool:
    """Return whether a player's life has hardly begun, so that it may still begin beside a friend."""
    return body.level == 1 and body.actions <= YOUNG_ACTIONS


def may_go_beside(body: Creature) -> bool:
    """Return whether a player's life may still go to a friend's side: it is young, and has not gone to one before."""
    return is_young(body) and body.joined is UNSET
