"""The choices of players who may watch them, on the way to the disk: of each account one write, and then the newest."""

import logging
from typing import Final

from twisted.python.failure import Failure

from gloam_server.storage.writer import Writer
from gloam_shared.protocol.messages.watching import WhoWatches

_log: Final = logging.getLogger(__name__)


class WatchChoices:
    """Writes choices. A player who changes theirs quickly costs no more than one write at a time."""

    def __init__(self, writer: Writer) -> None:
        self._writer = writer
        self._newest: dict[int, WhoWatches] = {}

    def keep(self, account: int, who: WhoWatches) -> None:
        """Store the people who may watch a player."""
        under_way = account in self._newest
        self._newest[account] = who
        if not under_way:
            self._write(account)

    def _write(self, account: int) -> None:
        who = self._newest[account]
        written = self._writer.call(self._writer.directory.set_watchers, account, who)
        written.addBoth(self._written, account, who)

    def _written(self, result: Failure | None, account: int, who: WhoWatches) -> None:
        if isinstance(result, Failure):
            _log.warning("who may watch a player is not kept: %s", result.getErrorMessage())
        if self._newest[account] == who:
            del self._newest[account]
        else:
            self._write(account)
