"""The events of the view's log as readable lines of the client's log. Pure."""

from collections.abc import Sequence
from typing import Final, get_args

from msgspec.structs import replace

from gloam_client.state.model import LOG_MAX, Blow, Entry, Model
from gloam_shared.event_kinds import EventKind, StrikeKind
from gloam_shared.narration.rendering import (
    list_names,
    render_line,
    tone,
    with_article,
    with_definite_article,
)
from gloam_shared.text import clean
from gloam_shared.view.view import FloorItem, Log, LogLine

_BLOWS: Final[frozenset[EventKind]] = frozenset({*get_args(StrikeKind), "throws_at", "shoots", "spits"})
"""The events in which a subject strikes, throws at or shoots an object."""
_NAMED_MAX: Final = 4
"""The most objects underfoot that a line names."""
_MAGIC: Final[frozenset[EventKind]] = frozenset({"casts", "zaps", "reads"})
"""The events after which magic works."""


def fresh_lines(model: Model, log: Log) -> tuple[LogLine, ...]:
    """Return the lines of the server's log that the model does not have yet."""
    known = 0 if log.first + len(log.lines) < model.messages.next else model.messages.next
    return log.lines[max(known - log.first, 0) :]


def merge_log(model: Model, log: Log) -> Model:
    """Return the model with the new lines of the server's log; its fights have counted their turn already."""
    log_next = log.first + len(log.lines)
    if log_next == model.messages.next:
        return model
    fresh = fresh_lines(model, log)
    entries = [
        Entry(clean(_text(line, model.view.pile)), _tone(line), model.turn, blow, at=model.fights.turns)
        for line, blow in zip(fresh, blows_of(fresh), strict=True)
    ]
    new_entries = [entry for entry in entries if entry.text]
    kept = (*model.messages.entries, *new_entries)[-LOG_MAX:] if new_entries else model.messages.entries
    return replace(
        model,
        messages=replace(
            model.messages, entries=kept, next=log_next, fresh=model.messages.fresh + len(new_entries)
        ),
    )


def _text(line: LogLine, pile: tuple[FloorItem, ...]) -> str:
    """Return a line as a sentence; where several objects lie underfoot, it names the uppermost."""
    text = render_line(line)
    if line.kind != "finds_several" or line.amount != len(pile):
        return text
    names = [with_article(item.name) for item in reversed(pile)]
    more = [f"{len(names) - _NAMED_MAX} more"] if len(names) > _NAMED_MAX else []
    return f"{text.removesuffix('.')}: {list_names([*names[:_NAMED_MAX], *more])}."


def blows_of(lines: Sequence[LogLine]) -> list[Blow | None]:
    """Return for each line of a turn the player's blow in it, magic included; None for any other line.

    A line about magic names no author: the author cast, zapped or read before, or struck the blow beside the line.
    """
    found, author, struck = list[Blow | None](), "", ""
    for line in lines:
        if line.kind in _MAGIC:
            author, struck = line.subject, ""
        elif line.kind in _BLOWS:
            author, struck = line.subject, line.object
        elif line.kind == "springs":
            author = ""
        mine = line.kind == "blasted" and author == "you" and struck in ("", line.subject)
        found.append(_blow(line, by_magic=mine))
    return found


def _blow(line: LogLine, *, by_magic: bool) -> Blow | None:
    """Return the blow that a line tells of, if it is the player's; with `by_magic` their magic has done it."""
    if line.kind == "blasted" and line.subject == "you":
        return Blow(clean(with_definite_article(line.source)), mine=False, damage=line.amount)
    if by_magic:
        return Blow(clean(with_definite_article(line.subject)), mine=True, damage=line.amount)
    if line.kind not in _BLOWS or "you" not in (line.subject, line.object):
        return None
    mine = line.subject == "you"
    return Blow(clean(with_definite_article(line.object if mine else line.subject)), mine, line.amount)


def _tone(line: LogLine) -> str:
    if line.object == "you" and tone(line) == "fight":
        return "hurt"
    return tone(line)


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
