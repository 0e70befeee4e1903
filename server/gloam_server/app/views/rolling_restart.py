"""A rolling restart: all processes of a running server are replaced by new ones, of the code that is installed now.

The view processes go first, one after another: their players resume at the others, or at the new one. Then the standby, and at last
the turn process, which the new standby follows: connections stay. The supervisor goes on with its old code, since it opens no world.
"""

import logging
import os
import signal
from collections.abc import Callable, Sequence
from typing import Final

import msgspec
from twisted.internet.defer import Deferred

from gloam_server.app.views.own_code import own_code
from gloam_server.link.link_messages import Code
from gloam_server.net.reactor import ReactorClock
from gloam_server.ops.entrance import STANDBY, CannotRestart, ProcessState

_PAUSE_S: Final = 0.05
_READY_S: Final = 60
"""The longest time until a new process is ready."""
_LAST_S: Final = 0.2
"""The time in which the host's command reads its answer, before this process ends."""
_log: Final = logging.getLogger(__name__)


class RollingRestart:
    """Replaces the processes of a server: at most one restart at a time. `renew` gives later processes the installed code."""

    def __init__(
        self,
        reactor: ReactorClock,
        processes: Callable[[], Sequence[ProcessState]],
        renew: Callable[[], None],
        kill: Callable[[int, int], None] = os.kill,
    ) -> None:
        self._reactor = reactor
        self._processes = processes
        self._renew = renew
        self._kill = kill
        self._is_under_way = False

    def begin(self, installed: str) -> Deferred[None]:
        """Replace all processes. `installed` is the code of the host's command, and so of the new ones, as JSON.

        Fires when this process is about to end, or with CannotRestart; then the server goes on with the processes that it has.
        """
        return Deferred.fromCoroutine(self._replace_all(installed))

    async def _replace_all(self, installed: str) -> None:
        self._require_leave(installed)
        self._is_under_way = True
        self._renew()
        try:
            for name in (each.name for each in self._processes() if each.name != STANDBY):
                await self._replace(name, signal.SIGKILL)  # its players resume sooner than after a farewell
            await self._replace(STANDBY, signal.SIGTERM)
        finally:
            self._is_under_way = False
        self._reactor.callLater(_LAST_S, self._hand_over)

    def _hand_over(self) -> None:
        """End this process, unless the standby has died since: a killed one writes nothing more, and each answer is durable."""
        if self._has_standby():
            _log.info("rolling restart: the standby takes over")
            self._kill(os.getpid(), signal.SIGKILL)
        else:
            _log.error("rolling restart: the standby is gone, so the turn process stays")

    def _require_leave(self, installed: str) -> None:
        """Raise CannotRestart unless each process can be replaced without a stop of the server."""
        if self._is_under_way:
            raise CannotRestart("A rolling restart is under way; wait for its end.")
        own, new = own_code(), msgspec.json.decode(installed, type=Code)
        if not new.agrees_with(own):
            raise CannotRestart(
                f"The installed code does not agree with the running one ({own.differences(new)} differ); stop the server and start it again: "
                "players return by themselves."
            )
        if not self._has_standby():
            raise CannotRestart(
                "A rolling restart needs a standby that is ready: look at `gloam-server status`, or start the server with --standby."
            )

    async def _replace(self, name: str, number: signal.Signals) -> None:
        """End the process of a name, and wait until another one is ready in its place."""
        former = self._find(name)
        _log.info("rolling restart: %s is replaced", name)
        if former is not None and former.number:
            self._kill(former.number, number)
        until_s = self._reactor.seconds() + _READY_S
        while not self._is_another(name, former):
            if self._reactor.seconds() >= until_s:
                raise CannotRestart(
                    f"{name} was not ready again after {_READY_S} s; look at the log. The processes after it are the old ones."
                )
            await self._pause()

    def _has_standby(self) -> bool:
        return any(each.name == STANDBY and each.is_ready for each in self._processes())

    def _is_another(self, name: str, former: ProcessState | None) -> bool:
        """Return whether a process of this name is ready that is not the former one."""
        now = self._find(name)
        return now is not None and now.is_ready and (former is None or now.number != former.number)

    def _find(self, name: str) -> ProcessState | None:
        return next((each for each in self._processes() if each.name == name), None)

    def _pause(self) -> Deferred[None]:
        over: Deferred[None] = Deferred()
        self._reactor.callLater(_PAUSE_S, over.callback, None)
        return over
