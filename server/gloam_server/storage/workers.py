"""The workers of a cluster, which run a server for each realm that they get. The interface, which names no backend."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final, Protocol, TypeAlias

from msgspec import Struct

from gloam_server.storage.realms import Holder, Realms

ABSENT_S: Final = 2.0
"""The time after which a worker that says nothing counts as ended."""


class WorkerState(Struct, frozen=True, kw_only=True):
    """The state of a worker, as it tells the others.

    It has `realms`; the servers of `starts` do not listen yet. It may serve `only` these realms, all for (). A draining
    worker takes no more.
    """

    name: str
    most: int
    realms: tuple[str, ...] = ()
    starts: tuple[str, ...] = ()
    only: tuple[str, ...] = ()
    drains: bool = False

    def may_serve(self, realm: str) -> bool:
        """Return whether the host lets this worker serve a realm."""
        return not self.only or realm in self.only

    @property
    def room(self) -> int:
        """The number of realms that it may still take."""
        return 0 if self.drains else max(0, self.most - len(self.realms))


class Take(Struct, frozen=True, tag="take"):
    """Ask a worker to take a realm over from its holder. The answer tells the end of that."""

    realm: str


class Release(Struct, frozen=True, tag="release"):
    """Ask a worker to let another one have a realm, which waits for it."""

    realm: str


class Drain(Struct, frozen=True, tag="drain"):
    """Ask a worker to take no more realms."""


Request: TypeAlias = Take | Release | Drain


class Answer(Struct, frozen=True):
    """The answer to a request: "" if it was done, else a sentence that says why not."""

    refusal: str = ""


Respond: TypeAlias = Callable[[Answer], None]


@dataclass(frozen=True, slots=True)
class Placed:
    """The present placement: the servers that have realms open, and the workers that run, by their names."""

    holders: Mapping[str, Holder]
    workers: Mapping[str, WorkerState]


class Workers(Protocol):
    """The workers of a cluster. Calls block and raise StorageError."""

    def look(self) -> Placed:
        """Return the placement of all realms."""

    def join(self, state: WorkerState, heard: Callable[[Request, Respond], None]) -> None:
        """Begin as a worker. `heard` is called in another thread. Raises StorageError if one of that name runs."""

    def tell(self, state: WorkerState) -> None:
        """Tell this worker's state, again and again: it counts as ended after two seconds without."""

    def leave(self) -> None:
        """End as a worker."""

    def ask(self, worker: str, request: Request, wait_s: float) -> Answer:
        """Ask a worker, and wait for its answer. Raises StorageError if there is none."""


class Cluster(Realms, Protocol):
    """All realms of a cluster, and its workers."""

    @property
    def workers(self) -> Workers:
        """The workers."""
