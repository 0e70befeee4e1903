"""The options of a load test, as the command line, the benchmark and the fleet's process share them."""

import json
from dataclasses import asdict, dataclass
from typing import Final, Self

from gloam_shared import limits

WIDE: Final = "wide"
"""The campaign of a wide cave without monsters, which the load test makes itself."""

FIGHT: Final = "fight"
"""The campaign of one hall with monsters that hunt and do not die, which the load test makes itself."""


@dataclass(frozen=True, slots=True)
class LoadOptions:
    """The behavior of a fleet, and its duration.

    `rate` is in commands a second of each client. A client thinks `think_s` after an answer before its next command.
    `mode` is "walk", "stand" or "full". `spread` lets full clients go down by the stairs. `warm_s` passes between the
    last join and the measured `seconds`. While the others are measured, `newcomers` join and only stand. With `tls`,
    the connections are encrypted. `views` is the number of view processes. With `deflate`, light clients offer that ability; full clients always do. `beside` more
    clients are there from the beginning, stand or explore (`beside_mode`), and are not measured. The last three are of
    the mode "echo", which only the ceilings use: the sizes of frames, and the updates for each command.
    """

    clients: int = 50
    join_rate: float = 50.0
    rate: float = 2.0
    think_s: float = 0.0
    mode: str = "walk"
    spread: bool = False
    campaign: str = WIDE
    seconds: float = 20.0
    warm_s: float = 5.0
    newcomers: int = 0
    beside: int = 0
    beside_mode: str = "stand"
    pin: bool = False
    connect: str = ""
    tls: bool = False
    deflate: bool = False
    seed: int = 3
    views: int = 0
    prefix: str = "Bench"
    command_bytes: int = 16
    update_bytes: int = 64
    updates_each: int = 1

    @property
    def everybody(self) -> int:
        """The number of all clients, also of those beside and of newcomers."""
        return self.clients + self.beside + self.newcomers

    def dump(self) -> str:
        """Return the options as text for another process."""
        return json.dumps(asdict(self))

    @classmethod
    def load(cls, text: str) -> Self:
        """Return the options that `dump` wrote."""
        return cls(**json.loads(text))


def client_name(options: LoadOptions, at: int) -> str:
    """Return the name of a client by its number."""
    return f"{options.prefix}{at}"


def client_token(name: str) -> bytes:
    """Return the secret of a client's device."""
    return name.encode().ljust(limits.TOKEN_SIZE, b".")
