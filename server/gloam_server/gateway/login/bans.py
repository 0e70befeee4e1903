"""Bans: the refusal of a banned device, and the texts about a ban's end, for the host and for the banned player."""

import hashlib
from collections.abc import Callable
from datetime import UTC, datetime

from gloam_server.gateway.login import login_refusals
from gloam_server.storage.accounts import FOR_GOOD
from gloam_server.storage.writer import Writer
from gloam_shared.protocol.messages.login import Bye


def describe_until(until_s: int) -> str:
    """Return how long a ban lasts, in words."""
    if until_s >= FOR_GOOD:
        return "for good"
    return f"until {datetime.fromtimestamp(until_s, UTC):%Y-%m-%d %H:%M} UTC"


def refusal(until_s: int) -> Bye:
    """Return the message to a banned player."""
    return Bye("banned", f"This name or device is banned here {describe_until(until_s)}.")


def find(writer: Writer, token: bytes, wall_s: int, answer: Callable[[Bye | None], None]) -> None:
    """Give `answer` the refusal of a device that a banned name knows; None if none does."""

    def found(until_s: int) -> None:
        answer(refusal(until_s) if until_s > wall_s else None)

    look = writer.directory.device_banned_until_s
    writer.call(look, hashlib.sha256(token).digest()).addCallbacks(
        found, lambda failure: answer(login_refusals.unreadable("a guest", failure))
    )
