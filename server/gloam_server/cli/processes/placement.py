"""The decision which realm a worker takes, and when: of several workers, the one with the fewest realms is first."""

from collections.abc import Collection, Mapping
from typing import Final
from zlib import crc32

from gloam_server.storage.realms import Holder
from gloam_server.storage.workers import Placed, WorkerState

STEP_S: Final = 0.15
"""The delay for each realm that a worker has: longer than the time until the others read that a realm is being taken."""

TIE_S: Final = 0.05
"""The longest delay that differs by name alone, for workers with equally many."""

FIRST_DELAY_S: Final = 1.0
LAST_DELAY_S: Final = 60.0
"""The least and the longest time until a realm whose server has failed is tried again by the same worker."""

PAUSE_S: Final = 3.0
"""The time for which a worker takes no realm after a fault of the store: a lease may have ended while its server runs."""


class Placement:
    """Chooses among the realms that no server has open."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._free_since: dict[str, float] = {}
        self._failures: dict[str, int] = {}
        self._not_before: dict[str, float] = {}
        self._paused_until_s = float("-inf")

    def choose(self, free: Collection[str], state: WorkerState, now_s: float) -> str | None:
        """Return the realm to take now, if any; one at a time, because the next one takes longer then."""
        if now_s < self._paused_until_s:
            self._free_since = {}
            return None
        self._free_since = {realm: self._free_since.get(realm, now_s) for realm in free}
        if not state.room:
            return None
        due = {realm: self._due_s(realm, len(state.realms)) for realm in free}
        return min(
            (realm for realm in due if due[realm] <= now_s), key=lambda each: (due[each], each), default=None
        )

    def failed(self, realm: str, now_s: float) -> None:
        """Leave a realm to others for a time that grows with each failure of its server here."""
        failures = self._failures[realm] = self._failures.get(realm, 0) + 1
        self._not_before[realm] = now_s + min(FIRST_DELAY_S * 2 ** (failures - 1), LAST_DELAY_S)

    def served(self, realm: str) -> None:
        """Forget the failures of a realm whose server listens."""
        self._failures.pop(realm, None)
        self._not_before.pop(realm, None)

    def pause(self, now_s: float) -> None:
        """Take nothing for a moment: after a fault of the store servers that run must first renew their leases."""
        self._paused_until_s = now_s + PAUSE_S

    def _due_s(self, realm: str, load: int) -> float:
        tie = crc32(f"{self._name} {realm}".encode()) / 2**32 * TIE_S
        return max(self._free_since[realm] + STEP_S * load + tie, self._not_before.get(realm, 0.0))


def free_realms(ports: Mapping[str, int], placed: Placed) -> set[str]:
    """Return the realms that no server has open, and no worker starts one for."""
    started = {realm for worker in placed.workers.values() for realm in worker.starts}
    return ports.keys() - placed.holders.keys() - started


def worker_of(holder: Holder | None, placed: Placed) -> str:
    """Return the running worker that has a realm open, "" for a server by itself."""
    return holder.worker if holder is not None and holder.worker in placed.workers else ""
