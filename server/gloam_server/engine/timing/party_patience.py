"""The patience of a party: how long turns wait for its members where no one else plays with them (rule F93).

Each member asks for a patience, and the longest counts. The host's setting `party_patience_max_ms` bounds it. In a turn group
with a player of another party, or of none, the realm's patience holds: strangers cannot be made to wait.
"""

from collections.abc import Iterable
from typing import Final

from msgspec import UnsetType

from gloam_server.world.realm.parties import Parties

PARTY_PATIENCE_MAX_MS: Final = 12_000
"""The longest patience of a party, unless the host sets another."""
_FACTORS: Final = (1, 3, 6)
"""The factors on the realm's patience, by what the party asks for."""


def party_patience_ms(
    parties: Parties | UnsetType, accounts: Iterable[int], patience_ms: int, most_ms: int
) -> int:
    """Return how long a turn of these players waits for one of them; 0 unless all are in one party that asks for more.

    `patience_ms` is the realm's patience, and `most_ms` the bound.
    """
    if isinstance(parties, UnsetType):
        return 0
    numbers = {parties.number_of.get(account) for account in accounts}
    number = numbers.pop()
    if numbers or number is None:
        return 0
    asked = parties.parties[number].patience
    return min(patience_ms * _FACTORS[asked], most_ms) if asked else 0
