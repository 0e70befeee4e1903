"""The host of an open world that may have others beside it: the list of dungeons for players. The interface, which names no backend."""

from dataclasses import dataclass
from typing import Literal, NamedTuple, Protocol, TypeAlias

from gloam_server.storage.directory import Death

LifeCount: TypeAlias = Literal["deepest", "level", "kills", "wins", "beacons", "turns", "few turns"]
"""A count by which ended lives are ranked, the greater one first; of "few turns" the smaller one."""


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


class HostLife(NamedTuple):
    """An ended life of a dungeon of a host, with its rank."""

    rank: int
    dungeon: str
    death: Death


class HostBoard(NamedTuple):
    """The ended lives of all dungeons of a host that play one campaign: how many, the best, and the best one of a player."""

    dungeons: list[str]
    lives: int
    best: list[HostLife]
    own: HostLife | None


class BoardQuestion(NamedTuple):
    """The lives of a board: by which counts, with 1 or more of `needs`, since when, and whose own rank is wanted, as a folded name."""

    counts: tuple[LifeCount, ...]
    needs: LifeCount | None
    since_s: int
    folded: str


class Host(Protocol):
    """The host of an open world. Calls block and raise StorageError; any thread may make them."""

    def introduce(self, title: str) -> None:
        """Note the title of this world's campaign for the lists of all."""

    def realms(self) -> HostRealms:
        """Return the realms that players can reach."""

    def board(self, question: BoardQuestion) -> HostBoard:
        """Return the ended lives of the dungeons that players can reach, and whose campaign is this one's."""
