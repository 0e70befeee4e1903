"""Tells the server that a player has a list or a line open in a fight, so that the turn waits longer. Pure."""

from typing import Final

from gloam_client.state.model import Model
from gloam_shared.protocol.messages import Pace

AGAIN_MS: Final = 8_000
"""The server believes it for ten seconds."""
IDLE_MS: Final = 60_000
"""How long after the last key a player no longer counts as reading."""
NEVER_SENT_MS: Final = -1_000_000
"""When the server was last told, where it was not told yet."""
NOTHING_OPEN: Final = frozenset({"play", "title", "stopped", "dead", "leaving"})
"""The states in which the player reads and chooses nothing that a turn may wait for; each other screen counts as open."""


def thinking_told_ms(model: Model, pace: Pace) -> int:
    """Return when the server was last told, after a new `Pace`: a turn that waits, and knows of no choice, is not told yet."""
    untold = model.name in pace.for_names and model.name not in pace.choosing
    return NEVER_SENT_MS if untold else model.thinking_sent_ms


def thinking_due_ms(model: Model) -> int | None:
    """Return when to tell the server (again) that the player is reading; None if they are not."""
    reads = model.pace.held and model.top.state not in NOTHING_OPEN and model.connection.state == "joined"
    due = model.thinking_sent_ms + AGAIN_MS
    return due if reads and max(due, model.now_ms) - model.key_ms < IDLE_MS else None
