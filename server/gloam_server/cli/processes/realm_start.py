"""The start of a realm's process by a worker: its options, and what it tells. Imports little: a worker has no server in it."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Final

import msgspec

from gloam_server.app.config import Config, ConfigError, resolve
from gloam_server.storage.store import LeaseTerms

TAKEN: Final = 3
"""The exit code of a process whose realm another server has."""


class Entry(StrEnum):
    """The way into a realm: a free one is taken; one that is played is read first, and then its holder is asked to release it."""

    TAKES = "takes"
    FOLLOWS = "follows"


class Step(StrEnum):
    """The messages of a realm's process to its worker."""

    HAS_READ = "has read"
    LISTENS = "listens"


_WAIT_S: Final = {Entry.TAKES: 0.0, Entry.FOLLOWS: 10.0}
_GLANCE_S: Final = 0.005


@dataclass(frozen=True, slots=True)
class RealmStart:
    """The options of a realm's process. `settings` hold for all realms of its worker; the others are in `realm.toml` of its folder."""

    realm: str
    store: str
    data: Path
    port: int
    settings: Mapping[str, object]
    worker: str
    entry: Entry

    def config(self) -> Config:
        """Return the whole configuration. Raises ConfigError."""
        config = resolve(self.data, {**self.settings, "port": self.port}, private=False)
        if config.standby:
            raise ConfigError(
                f"{self.data / 'realm.toml'}: a worker's server needs no standby, because other workers take over; remove this."
            )
        terms = LeaseTerms(_WAIT_S[self.entry], _GLANCE_S, self.worker)
        return msgspec.structs.replace(config, store=self.store, terms=terms)
