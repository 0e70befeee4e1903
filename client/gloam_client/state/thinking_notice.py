"""Notifies the server that a player has a list or a line open in a fight, so that the turn waits longer. Pure.

While the level-up choice is open, also at ease: the server then makes no choice for the player.
"""

from typing import Final

from msgspec.structs import replace

from gloam_client.state.model import Model
from gloam_shared.protocol.messages.play import Pace

AGAIN_MS: Final = 8_000
"""The interval of repetition: a notice is valid for ten seconds on the server."""
IDLE_MS: Final = 60_000
"""The time after the last key from which a player no longer counts as reading."""
READS_MS: Final = 600_000
"""The same for the level-up choice."""
NEVER_SENT_MS: Final = -1_000_000
"""The time of the last notice if none was sent yet."""
_CHOICE: Final = "choose"
NOTHING_OPEN: Final = frozenset({"play", "title", "stopped", "dead", "leaving"})
"""The states in which the player reads and chooses nothing that a turn may wait for; each other screen counts as open."""


def take_pace(model: Model, pace: Pace) -> Model:
    """Return the model after the state of time; a turn that waits and knows of no choice is notified again."""
    must_notify = model.name in pace.for_names and model.name not in pace.choosing
    sent_ms = NEVER_SENT_MS if must_notify else model.keys.thinking_sent_ms
    return replace(model, pace_ms=model.now_ms, keys=replace(model.keys, thinking_sent_ms=sent_ms))


def thinking_due_ms(model: Model) -> int | None:
    """Return when to send the next notice that the player is reading; None if they are not."""
    chooses = bool(model.view.choices) and any(screen.state == _CHOICE for screen in model.screens)
    reads = chooses or (model.pace.held and model.top.state not in NOTHING_OPEN)
    if not reads or model.connection.state != "joined":
        return None
    due = model.keys.thinking_sent_ms + AGAIN_MS
    return (
        due if max(due, model.now_ms) - model.keys.pressed_ms < (READS_MS if chooses else IDLE_MS) else None
    )
