"""A worker: it runs a server process for each realm that it gets, and tells all other workers what it has.

It opens no world and has no players: little of it can fail. Its processes end with it.
"""

import logging
import os
import signal
import socket
import time
from collections.abc import Mapping
from dataclasses import dataclass
from multiprocessing.connection import wait
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Final

from gloam_server.cli.processes.placement import Placement, free_realms, worker_of
from gloam_server.cli.processes.realm_children import RealmChild, RealmChildren
from gloam_server.cli.processes.realm_start import TAKEN, Entry, RealmStart, Step
from gloam_server.cli.processes.serving import STOPPING
from gloam_server.storage.errors import StorageError
from gloam_server.storage.realms import RealmState
from gloam_server.storage.workers import Answer, Cluster, Drain, Release, Request, Respond, Take, WorkerState

LOOK_S: Final = 0.1
"""The time between two looks for realms that are free."""

_TELL_S: Final = 0.5
_LIST_S: Final = 3.0
"""The time between two looks for realms that were made or retired."""

_SLOW_S: Final = 1.0
"""A look that takes longer counts as a fault of the store."""

_RELEASE_S: Final = 1.5
_DONE: Final = Answer()
_log: Final = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class WorkerOptions:
    """The options of a worker.

    `only` are the realms that it may serve, () for all; each has a folder of its name in `data`. `settings` hold for all of them.
    """

    name: str
    data: Path
    most: int
    only: tuple[str, ...]
    settings: Mapping[str, object]


class Worker:
    """Runs until a signal stops it."""

    def __init__(self, options: WorkerOptions, cluster: Cluster, processes: RealmChildren) -> None:
        self._options: Final = options
        self._cluster: Final = cluster
        self._processes: Final = processes
        self._placement: Final = Placement(options.name)
        self._requests: Final[SimpleQueue[tuple[Request, Respond]]] = SimpleQueue()
        self._wakes, self._wake = socket.socketpair()
        self._children: dict[str, RealmChild] = {}
        self._ports: dict[str, int] = {}
        self._drains = False
        self._stopping = False
        self._listed_s = self._told_s = float("-inf")
        self._fault = ""

    def run(self) -> None:
        """Join, serve realms, and leave when all processes have ended. Raises StorageError if it cannot join."""
        for each in (self._wakes, self._wake):
            each.settimeout(0)
        self._cluster.workers.join(self._state(), self._hear)
        _log.info("worker %s: up to %d realms", self._options.name, self._options.most)
        self._hear_signals()
        while not self._stopping or self._children:
            lines = {child.line: child for child in self._children.values()}
            heard = wait([self._wakes, *lines], LOOK_S)
            if self._wakes in heard:
                self._take_signals(self._wakes.recv(4_096))
            self._guarded([child for line, child in lines.items() if line in heard])
        for number in STOPPING:  # a second one, while Python takes itself down, would change the exit code
            signal.signal(number, signal.SIG_IGN)
        self._cluster.workers.leave()

    def _hear(self, request: Request, respond: Respond) -> None:
        self._requests.put((request, respond))
        self._wake.send(b"\0")

    def _hear_signals(self) -> None:
        numbers = (*STOPPING, signal.SIGHUP)
        signal.set_wakeup_fd(self._wake.fileno(), warn_on_full_buffer=False)
        for number in numbers:
            signal.signal(number, _ignore)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, numbers)

    def _take_signals(self, numbers: bytes) -> None:
        """Stop all processes, also when the terminal is closed, or let them read their certificates again."""
        for number in numbers:
            stops = number in STOPPING or (number == signal.SIGHUP and os.isatty(0))
            if stops and not self._stopping:
                self._stopping = True
                for child in self._children.values():
                    child.stop()
            elif number == signal.SIGHUP and not stops:
                for child in self._children.values():
                    child.signal(signal.SIGHUP)

    def _guarded(self, spoken: list[RealmChild]) -> None:
        """Take what processes and others say, tell the others, and take a realm; while the store does not answer, the realms here play on."""
        try:
            for child in spoken:
                self._take_steps(child)
            self._take_requests()
            now_s = time.monotonic()
            if now_s - self._told_s >= _TELL_S:
                self._tell()
            if not self._stopping:
                self._place(now_s)
            self._fault = ""
        except StorageError as error:
            self._placement.pause(time.monotonic())
            if str(error) != self._fault:
                self._fault = str(error)
                _log.error("%s", error)

    def _place(self, now_s: float) -> None:
        self._list(now_s, _LIST_S)
        placed = self._cluster.workers.look()
        if time.monotonic() - now_s > _SLOW_S:
            self._placement.pause(time.monotonic())
        realm = self._placement.choose(free_realms(self._ports, placed), self._state(), now_s)
        if realm is not None and realm not in self._children:
            self._start(realm, Entry.TAKES)

    def _list(self, now_s: float, every_s: float) -> None:
        if now_s - self._listed_s < every_s:
            return
        self._listed_s = now_s
        state = self._state()
        self._ports = {
            each.name: each.port
            for each in self._cluster.reports()
            if each.port is not None
            and each.identity is not None
            and each.state is RealmState.KEPT
            and state.may_serve(each.name)
        }

    def _start(self, realm: str, entry: Entry, respond: Respond | None = None) -> None:
        options = self._options
        start = RealmStart(
            realm,
            self._cluster.address(realm),
            options.data / realm,
            self._ports[realm],
            options.settings,
            options.name,
            entry,
        )
        self._children[realm] = self._processes.start(start, respond)
        self._tell()

    def _tell(self) -> None:
        self._told_s = time.monotonic()
        self._cluster.workers.tell(self._state())

    def _state(self) -> WorkerState:
        kept = sorted(realm for realm, child in self._children.items() if not child.stops)
        return WorkerState(
            name=self._options.name,
            most=self._options.most,
            realms=tuple(kept),
            starts=tuple(realm for realm in kept if not self._children[realm].listens),
            only=self._options.only,
            drains=self._drains or self._stopping,
        )

    def _take_steps(self, child: RealmChild) -> None:
        for step in child.steps():
            match step:
                case Step.HAS_READ if child.respond is not None:
                    self._ask_for_release(child.realm)
                case Step.LISTENS:
                    child.listens = True
                    self._placement.served(child.realm)
                    self._tell()
                    _answer(child, _DONE)
                case None:
                    self._ended(child)

    def _ended(self, child: RealmChild) -> None:
        del self._children[child.realm]
        code = child.code()
        if code == TAKEN:
            _answer(child, Answer(f"The realm {child.realm} was not released in time; try it again."))
        elif not child.stops:
            _log.error("the server of the realm %s has ended with code %d", child.realm, code)
            self._placement.failed(child.realm, time.monotonic())
        name = self._options.name
        _answer(child, Answer(f"The realm {child.realm} did not start at {name}; see that worker's log."))

    def _ask_for_release(self, realm: str) -> None:
        placed = self._cluster.workers.look()
        holder = worker_of(placed.holders.get(realm), placed)
        if holder and holder != self._options.name:
            answer = self._cluster.workers.ask(holder, Release(realm), _RELEASE_S)
            if answer.refusal:
                _log.error("%s", answer.refusal)

    def _take_requests(self) -> None:
        while True:
            try:
                request, respond = self._requests.get_nowait()
            except Empty:
                return
            match request:
                case Take(realm):
                    self._move_here(realm, respond)
                case Release(realm):
                    respond(self._release(realm))
                case Drain():
                    self._drains = True
                    self._tell()
                    respond(_DONE)

    def _move_here(self, realm: str, respond: Respond) -> None:
        self._list(time.monotonic(), 0)
        refusal = self._refusal(realm)
        if refusal:
            respond(Answer(refusal))
        else:
            self._start(realm, Entry.FOLLOWS, respond)

    def _refusal(self, realm: str) -> str:
        """Return why this worker cannot take a realm over, "" if it can."""
        name, placed = self._options.name, self._cluster.workers.look()
        holder = placed.holders.get(realm)
        if realm in self._children:
            return f"The worker {name} has the realm {realm} already; name another one."
        if realm not in self._ports:
            return f"The worker {name} may not serve the realm {realm}; see its option --realms, and `gloam-server realms list`."
        if self._drains or self._stopping:
            return f"The worker {name} takes no more realms; name another one, or start it again."
        if not self._state().room:
            return f"The worker {name} has its {self._options.most} realms; start it with a larger --most, or name another one."
        if holder is not None and not worker_of(holder, placed):
            return (
                f"The realm {realm} is open in {holder.name}, which is no worker; stop that server instead."
            )
        return ""

    def _release(self, realm: str) -> Answer:
        child = self._children.get(realm)
        if child is None or not child.listens:
            return Answer(f"The worker {self._options.name} does not serve the realm {realm}; try it again.")
        child.stop()
        return _DONE


def _answer(child: RealmChild, answer: Answer) -> None:
    """Answer the request by which a realm is moved here, once."""
    if child.respond is not None:
        child.respond(answer)
        child.respond = None


def _ignore(_: int, __: object) -> None:
    """Leave a signal to the loop, which its number wakes."""
