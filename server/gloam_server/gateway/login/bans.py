"""The texts about a ban's end, for the host and for the banned player."""

from datetime import UTC, datetime

from gloam_server.storage.accounts import FOR_GOOD
from gloam_shared.protocol.messages.login import Bye


def describe_until(until_s: int) -> str:
    """Return how long a ban lasts, in words."""
    if until_s >= FOR_GOOD:
        return "for good"
    return f"until {datetime.fromtimestamp(until_s, UTC):%Y-%m-%d %H:%M} UTC"


def refusal(until_s: int) -> Bye:
    """Return the message to a banned player."""
    return Bye("banned", f"This name or device is banned here {describe_until(until_s)}.")
