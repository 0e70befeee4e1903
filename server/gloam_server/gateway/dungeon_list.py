"""The dungeons of a host, before a login: read from the store, and kept for a moment."""

import logging
from collections.abc import Callable
from typing import Final, TypeAlias

from twisted.internet.defer import Deferred, maybeDeferred
from twisted.python.failure import Failure

from gloam_server.gateway.caller import Caller
from gloam_server.storage.host import HostRealms
from gloam_shared import limits
from gloam_shared.protocol.messages.dungeons import DungeonRow, Dungeons
from gloam_shared.text import clean

AskRealms: TypeAlias = Callable[[], Deferred[HostRealms]]
"""Reads the realms of the host, away from the game's thread."""

KEPT_MS: Final = 2_000
"""A crowd that asks costs the store one reading in this time."""
_log: Final = logging.getLogger(__name__)


class DungeonList:
    """Answers `AskDungeons`. While the store does not answer, the last list is shown; before there is one, an empty list."""

    def __init__(self, ask: AskRealms, now_ms: Callable[[], int]) -> None:
        self._ask = ask
        self._now_ms = now_ms
        self._known = Dungeons("")
        self._read_ms = -KEPT_MS
        self._waiting: list[Caller] = []

    def show(self, caller: Caller) -> None:
        """Send the list, now or as soon as it is read."""
        if self._now_ms() - self._read_ms < KEPT_MS:
            caller.send(self._known)
            return
        self._waiting.append(caller)
        if len(self._waiting) == 1:
            read = maybeDeferred(self._ask).addCallback(_message)
            read.addErrback(self._not_read).addCallback(self._answer)

    def _not_read(self, failure: Failure) -> Dungeons:
        _log.warning("the dungeons of this host cannot be listed: %s", failure.getErrorMessage())
        return self._known

    def _answer(self, found: Dungeons) -> None:
        self._known, self._read_ms = found, self._now_ms()
        waiting, self._waiting = self._waiting, []
        for caller in waiting:
            if caller.is_open:
                caller.send(found)


def _message(found: HostRealms) -> Dungeons:
    """Return the list for clients: the own realm is always in it."""
    own = next((each for each in found.realms if each.name == found.own), None)
    others = [each for each in found.realms if each is not own][: limits.DUNGEONS_MAX - (own is not None)]
    shown = sorted([*others, *([own] if own else [])], key=lambda each: each.name)
    rows = [
        DungeonRow(each.name, clean(each.title)[: limits.STRING_MAX], each.port or 0, each.is_served)
        for each in shown
    ]
    return Dungeons(found.own, tuple(rows))
