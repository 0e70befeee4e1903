"""Virtual time: asyncio's own loop, whose clock jumps to the next event, and the server's clock above it.

All callbacks due at one moment run in the order in which they were asked for: a seed decides everything.
"""

import asyncio
import selectors
from collections.abc import Callable, Mapping
from typing import Any

from twisted.internet.interfaces import IDelayedCall
from twisted.internet.task import Clock

BEGIN_S = 1_000.0
"""The time on the clocks when a run begins."""


class _Selector(selectors.BaseSelector):
    """Waits for no socket: it moves the time to where the next timer is due."""

    def __init__(self) -> None:
        self.now_s = BEGIN_S
        self.on_step: Callable[[], None] | None = None
        self._keys: dict[Any, selectors.SelectorKey] = {}

    def register(self, fileobj: Any, events: int, data: Any = None) -> selectors.SelectorKey:
        key = self._keys[fileobj] = selectors.SelectorKey(fileobj, 0, events, data)
        return key

    def unregister(self, fileobj: Any) -> selectors.SelectorKey:
        return self._keys.pop(fileobj)

    def get_map(self) -> Mapping[Any, selectors.SelectorKey]:
        return self._keys

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        if timeout is None:
            raise RuntimeError("nothing is ever going to happen any more")
        if timeout > 0:
            if self.on_step is not None:
                self.on_step()
            self.now_s += timeout
        return []


class VirtualLoop(asyncio.SelectorEventLoop):
    """An event loop in virtual time. `dial` answers who wants a connection; faults of callbacks are kept in `faults`."""

    def __init__(self) -> None:
        self.virtual = _Selector()
        super().__init__(self.virtual)
        self.faults: list[BaseException] = []
        self.dial: Callable[[Callable[[], Any]], Any] | None = None
        self.set_exception_handler(self._note_fault)

    def time(self) -> float:
        return self.virtual.now_s

    @property
    def now_ms(self) -> int:
        """The time in whole milliseconds."""
        return int(self.virtual.now_s * 1_000)

    async def create_connection(self, protocol_factory: Any, *_: Any, **__: Any) -> Any:
        """Open a line of the virtual network, for any address."""
        assert self.dial is not None
        return await self.dial(protocol_factory)

    def _note_fault(self, _: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        self.faults.append(context.get("exception") or RuntimeError(context["message"]))


class ProcessClock(Clock):
    """The clock of one server process. While it stalls nothing of it runs; once it is dead nothing ever does."""

    def __init__(self, loop: VirtualLoop) -> None:
        super().__init__()
        self.dead = False
        self._loop = loop
        self._stalled_until_s = 0.0

    def seconds(self) -> float:
        return self._loop.time()

    def callLater(  # noqa: N802  # Twisted's name
        self,
        delay: float,
        callable: Callable[..., object],  # noqa: A002  # as above
        *args: object,
        **kw: object,
    ) -> IDelayedCall:
        """Call after this many seconds, unless the process is dead by then."""
        call = super().callLater(delay, callable, *args, **kw)
        self._loop.call_later(delay, self._fire)
        return call

    def stall(self, seconds: float) -> None:
        """Let the process stand still, as a machine that is suspended; its clock goes on meanwhile."""
        self._stalled_until_s = max(self._stalled_until_s, self.seconds() + seconds)
        self._loop.call_later(seconds, self._fire)

    def kill(self) -> None:
        """Kill the process at any moment."""
        self.dead = True
        self.calls.clear()

    @property
    def stalled_s(self) -> float:
        """The remaining time of the process's suspension."""
        return max(0.0, self._stalled_until_s - self.seconds())

    def _fire(self) -> None:
        if self.dead:
            return
        if self.stalled_s:
            self._loop.call_later(self.stalled_s, self._fire)
            return
        self.advance(0)
        if self.calls and self.calls[0].getTime() - self.seconds() < 1e-6:  # rounded: a hair too early
            self._loop.call_later(1e-6, self._fire)
