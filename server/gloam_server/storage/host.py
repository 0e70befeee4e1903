"""The host of an open world that may have others beside it: the list of dungeons for players. The interface, which names no backend."""

from dataclasses import dataclass
from typing import NamedTuple, Protocol


@dataclass(frozen=True, slots=True)
class HostRealm:
    """A realm for players, with the title of its campaign; `port` is None where workers do not serve it."""

    name: str
    title: str
    port: int | None
    is_served: bool


class HostRealms(NamedTuple):
    """The realms of a host that players can reach, by name, and the name of the one that was asked, which is among them."""

    own: str
    realms: list[HostRealm]


class Host(Protocol):
    """The host of an open world. Calls block and raise StorageError; any thread may make them."""

    def introduce(self, title: str) -> None:
        """Note the title of this world's campaign for the lists of all."""

    def realms(self) -> HostRealms:
        """Return the realms that players can reach."""
