"""The kinds of lines by which the log is filtered: each is a group of tones. Pure."""

from collections.abc import Sequence
from typing import Final

from gloam_client.state.model import Entry

LOG_KINDS: Final[dict[str, frozenset[str]]] = {
    "all": frozenset(),
    "talk": frozenset({"chat", "party", "whisper", "emote"}),
    "party": frozenset({"party"}),
    "whispers": frozenset({"whisper"}),
    "fights": frozenset({"fight", "hurt"}),
    "news": frozenset({"urgent", "note"}),
    "rest": frozenset({"plain", "good", "quiet", "refused"}),
}
"""The tones of each kind, in the order of the key that changes it; "all" has every tone."""


def lines_of(entries: Sequence[Entry], kind: str) -> tuple[Entry, ...]:
    """Return the lines of one kind; all for a kind that there is not."""
    tones = LOG_KINDS.get(kind)
    return tuple(entries) if not tones else tuple(entry for entry in entries if entry.tone in tones)


def next_kind(kind: str) -> str:
    """Return the kind after this one, the first after the last."""
    kinds = list(LOG_KINDS)
    return kinds[(kinds.index(kind) + 1) % len(kinds)]
