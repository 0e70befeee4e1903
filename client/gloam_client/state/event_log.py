"""The events of the view's log as readable lines of the client's log. Pure."""

from dataclasses import replace
from typing import Final, get_args

from gloam_client.state.model import LOG_MAX, Blow, Entry, Model
from gloam_shared.event_kinds import EventKind, StrikeKind
from gloam_shared.narration.rendering import render_line, tone, with_definite_article
from gloam_shared.text import clean
from gloam_shared.view.view import Log, LogLine

_BLOWS: Final[frozenset[EventKind]] = frozenset({*get_args(StrikeKind), "throws_at", "shoots", "spits"})
"""The events in which a subject strikes, throws at or shoots an object."""


def merge_log(model: Model, log: Log) -> Model:
    """Return the model with the new lines of the server's log."""
    end = log.first + len(log.lines)
    known = 0 if end < model.log_next else model.log_next
    fresh = log.lines[max(known - log.first, 0) :]
    entries = [Entry(clean(render_line(line)), _tone(line), model.turn, _blow(line)) for line in fresh]
    new_entries = [entry for entry in entries if entry.text]
    kept = (*model.log, *new_entries)[-LOG_MAX:] if new_entries else model.log
    return replace(model, log=kept, log_next=end, fresh=model.fresh + len(new_entries))


def _blow(line: LogLine) -> Blow | None:
    """Return the blow that an event of the player's is; what magic does to others has no known author."""
    if line.kind == "blasted" and line.subject == "you":
        return Blow(clean(with_definite_article(line.source)), mine=False, damage=line.amount)
    if line.kind not in _BLOWS or "you" not in (line.subject, line.object):
        return None
    mine = line.subject == "you"
    return Blow(clean(with_definite_article(line.object if mine else line.subject)), mine, line.amount)


def _tone(line: LogLine) -> str:
    if line.object == "you" and tone(line) == "fight":
        return "hurt"
    return tone(line)
