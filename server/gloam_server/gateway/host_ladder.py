"""The boards of all dungeons of a host, without a party's: ranked by the store, and kept for a moment."""

import logging
from collections.abc import Callable
from typing import Final, TypeAlias

from msgspec.structs import replace
from twisted.internet.defer import Deferred, maybeDeferred
from twisted.python.failure import Failure

from gloam_server.engine.ladder.ladder import row_of
from gloam_server.engine.ladder.ranking import NEEDED, ORDERED
from gloam_server.gateway.caller import Caller
from gloam_server.storage.host import BoardQuestion, HostBoard, HostLife
from gloam_shared import text
from gloam_shared.protocol.messages.records import AskLadder, Ladder, LadderRow

AskBoard: TypeAlias = Callable[[BoardQuestion], Deferred[HostBoard]]
"""Reads a board of the host, away from the game's thread."""

KEPT_MS: Final = 2_000
ASKED_MAX: Final = 16
"""The most boards that are read at the same time; who asks for a further one is shown the ladder of this dungeon."""
_log: Final = logging.getLogger(__name__)
_Key: TypeAlias = tuple[str, str, str]


class HostLadder:
    """Answers `AskLadder`. While the store does not answer, and where the host has no other such dungeon, the board is this dungeon's."""

    def __init__(self, ask: AskBoard, now_ms: Callable[[], int]) -> None:
        self._ask = ask
        self._now_ms = now_ms
        self._kept: dict[_Key, tuple[int, HostBoard]] = {}
        self._waiting: dict[_Key, list[Callable[[HostBoard | None], None]]] = {}

    def show(self, caller: Caller, ask: AskLadder, own: Ladder, after: Callable[[], None]) -> None:
        """Send a board, now or as soon as it is read, and call `after`; `own` is the board of this dungeon alone."""
        now_ms, key = self._now_ms(), (ask.span, ask.order, text.fold(ask.name))
        self._kept = {each: kept for each, kept in self._kept.items() if now_ms - kept[0] < KEPT_MS}

        def answer(found: HostBoard | None) -> None:
            if caller.is_open:
                caller.send(own if found is None else _merged(own, found))
                after()

        if key in self._kept:
            answer(self._kept[key][1])
        elif key in self._waiting:
            self._waiting[key].append(answer)
        elif len(self._waiting) >= ASKED_MAX:
            answer(None)
        else:
            self._waiting[key] = [answer]
            question = BoardQuestion(ORDERED[ask.order], NEEDED.get(ask.order), own.since_s, key[2])
            read = maybeDeferred(self._ask, question)
            read.addCallbacks(
                lambda found: self._take(key, found), lambda failure: self._not_read(key, failure)
            )

    def _take(self, key: _Key, found: HostBoard) -> None:
        self._kept[key] = self._now_ms(), found
        for answer in self._waiting.pop(key):
            answer(found)

    def _not_read(self, key: _Key, failure: Failure) -> None:
        _log.warning("the ladder of this host cannot be read: %s", failure.getErrorMessage())
        for answer in self._waiting.pop(key):
            answer(None)


def _merged(own: Ladder, found: HostBoard) -> Ladder:
    """Return a board of all dungeons; of this one alone where there is no other."""
    if len(found.dungeons) <= 1:
        return own
    rows = tuple(map(_row, found.best))
    mine = None if found.own is None else _row(found.own)
    return replace(own, lives=found.lives, rows=rows, own=mine, dungeons=tuple(found.dungeons))


def _row(life: HostLife) -> LadderRow:
    return row_of(life.rank, life.death, life.dungeon)
