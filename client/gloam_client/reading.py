"""While a player reads a list in a fight the server is told so, that his friends' turns keep waiting for him. Pure."""

from typing import Final

from gloam_client.model import Model

AGAIN_MS: Final = 8_000
"""The server believes it for ten seconds."""
IDLE_MS: Final = 60_000
"""Who pressed no key for so long does not read."""
_READ: Final = frozenset(
    "call choose confirm cursor direction examine find help history inventory menu options pick pile sheet spells story target things".split()
)


def due_ms(model: Model) -> int | None:
    """Return when the server is to be told (again) that the player reads; None when he does not."""
    reads = model.pace.held and model.top.state in _READ and model.wire.state == "joined"
    due = model.thought_ms + AGAIN_MS
    return due if reads and max(due, model.now_ms) - model.key_ms < IDLE_MS else None
