"""The daily check of a world's rows during play: in slices between batches, so that play never waits for it.

There is no timer: a check starts with the first batch of a day or of a run; each batch checks one more slice.
"""

import logging
from typing import Final

from twisted.python.failure import Failure

from gloam_server.engine.server_statistics import ServerStatistics
from gloam_server.storage.store import FAULTS_MAX, CheckCursor, CheckResult
from gloam_server.storage.writer import Writer
from gloam_server.world.transition.serialization import state_hash

_DAY_S: Final = 24 * 3_600
_log: Final = logging.getLogger(__name__)


class DailyCheck:
    """Checks all rows of a world in a file once a day. The result is in `measures.damage` until a later check."""

    def __init__(self, writer: Writer, measures: ServerStatistics) -> None:
        self._writer: Final = writer
        self._measures: Final = measures
        self._day: int | None = None
        self._cursor: CheckCursor | None = None
        self._found: list[str] = []
        self._is_asked = False

    def go_on(self, now_s: int) -> None:
        """Check the next slice, unless this day's check is complete or a slice is under way."""
        file = self._writer.store.file
        if self._is_asked or file is None:
            return
        if self._cursor is None:
            if self._day == now_s // _DAY_S:
                return
            self._day, self._found = now_s // _DAY_S, []
        self._is_asked = True
        looked = self._writer.call(file.look, self._cursor, state_hash)
        looked.addCallbacks(self._looked, self._failed)

    def _looked(self, look: CheckResult) -> None:
        self._is_asked = False
        for fault in look.faults[: FAULTS_MAX - len(self._found)]:
            _log.error(
                "the daily check: %s; restore the world from a backup, or start the server again", fault
            )
        self._found = [*self._found, *look.faults][:FAULTS_MAX]
        self._cursor = look.rest
        if look.rest is None or self._found:
            self._measures.damage = tuple(self._found)

    def _failed(self, failure: Failure) -> None:
        self._is_asked = False
        self._cursor = None
        _log.error("the daily check of the world ended: %s; play goes on", failure.getErrorMessage())
