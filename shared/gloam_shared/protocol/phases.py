"""The messages that a server may send in each phase of a conversation, and the phase that each message leads to."""

from typing import Final

_ANY_TIME: Final = (
    "ResumeToken",
    "PasswordStatus",
    "Notice",
    "ChatLine",
    "Spoken",
    "Shunned",
    "MapPinged",
    "Heartbeat",
    "Answer",
    "MapMemory",
    "Chronicle",
    "History",
    "Watchers",
    "Ladder",
    "PartyInvite",
    "PartyState",
    "Error",
)
"""Messages that may arrive at any time after a login, in any order."""


def _phase(name: str, leads_to: dict[str, str], *stay: str) -> dict[str, str]:
    """Return a phase: the messages that lead to another phase, and those that do not."""
    return dict.fromkeys(stay, name) | leads_to | {"Bye": "closed"}


PHASES: Final[dict[str, dict[str, str]]] = {
    "connected": _phase("connected", {"Welcome": "greeted", "Status": "closed", "Ladder": "closed"}, "Error"),
    "greeted": _phase(
        "greeted", {"Joined": "playing", "Watchable": "watching", "ReplayPart": "fetching"}, *_ANY_TIME
    ),
    "fetching": _phase("fetching", {}, "ReplayPart", "Error"),
    "playing": _phase("playing", {"Died": "dead"}, "Joined", "Update", "Pace", "TradeState", *_ANY_TIME),
    "dead": _phase("dead", {"Joined": "playing"}, "Recap", *_ANY_TIME),
    "watching": _phase("watching", {}, "Watchable", "Watching", "Update", *_ANY_TIME),
    "closed": {},
}
"""Phase -> message -> the next phase. The first phase is "connected"; other messages are not sent."""
