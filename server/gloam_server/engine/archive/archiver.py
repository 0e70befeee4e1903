"""The archiver: takes lives out of memory whose players have not been seen for days, a few at a time.

There is no timer: a search begins with the first batch of a day or of a run, and lives go with batches of others.
"""

import logging
from typing import Final

from twisted.python.failure import Failure

from gloam_server.engine.game_clock import GameClock
from gloam_server.engine.messages import Forgotten, Views
from gloam_server.engine.players import Players
from gloam_server.storage.writer import Writer
from gloam_server.world.model.ids import REALM_PARTITION
from gloam_server.world.model.inputs import ArchiveLife, ForgetLife, Input
from gloam_server.world.realm.realm import may_archive, was_played
from gloam_server.world.transition.dungeon import Dungeon
from gloam_shared import limits

AFTER_DAYS: Final = 7
"""The number of days after its player was last seen when a life goes out of memory, unless the host sets another."""

AT_ONCE_MAX: Final = 4
"""The most lives that go with one batch: each writes some kilobytes."""

GAP_S: Final = 1
"""The time between two batches with which lives go."""

_DAY_S: Final = 24 * 3_600
_log: Final = logging.getLogger(__name__)


class Archiver:
    """Says which lives go out of memory with a batch. `after_days` is 0 for none."""

    def __init__(
        self,
        dungeon: Dungeon,
        players: Players,
        writer: Writer,
        clock: GameClock,
        views: Views,
        after_days: int,
    ) -> None:
        self._dungeon = dungeon
        self._players = players
        self._writer = writer
        self._clock = clock
        self._views = views
        self._after_days = after_days
        self._day: int | None = None
        self._searched = 0
        """The account after which the search continues."""
        self._is_asked = False
        self._found: list[int] = []
        self._next_s = 0.0

    def due(self) -> list[tuple[int, Input]]:
        """Return the inputs that let some lives go now; ask for further accounts when none are left."""
        now_s = self._clock.seconds()
        if not self._after_days or now_s < self._next_s:
            return []
        self._next_s = now_s + GAP_S
        if not self._found:
            self._search(self._clock.wall_s())
            return []
        accounts, self._found = self._found[:AT_ONCE_MAX], self._found[AT_ONCE_MAX:]
        return [(REALM_PARTITION, input_) for account in accounts for input_ in self._letting_go(account)]

    def _letting_go(self, account: int) -> list[Input]:
        """Return the input that takes a life out of memory, if its player is not here; an unplayed life is forgotten."""
        realm = self._dungeon.realm
        life = realm.lives.get(account)
        if life is None or life.kept is None or self._players.is_in_use(account):
            return []
        played = was_played(realm, account)
        if played and not may_archive(realm, account):
            return []
        self._players.forget(account)
        self._views.take(Forgotten(account))
        return [ArchiveLife(account) if played else ForgetLife(account)]

    def _search(self, wall_s: int) -> None:
        """Ask for some accounts that have not been seen, unless this day's search is complete or one is under way."""
        if self._is_asked or wall_s < limits.CLOCK_UNSET_S:
            return
        if not self._searched:
            if self._day == wall_s // _DAY_S:
                return
            self._day = wall_s // _DAY_S
        self._is_asked = True
        until_s = wall_s - self._after_days * _DAY_S
        asked = self._writer.call(self._writer.store.directory.unseen, until_s, self._searched)
        asked.addCallbacks(self._answered, self._failed)

    def _answered(self, accounts: list[int]) -> None:
        self._is_asked = False
        self._searched = accounts[-1] if accounts else 0
        lives = self._dungeon.realm.lives
        self._found = [account for account in accounts if account in lives]

    def _failed(self, failure: Failure) -> None:
        self._is_asked = False
        self._searched = 0
        _log.error("lives of absent players stay in memory: %s; play goes on", failure.getErrorMessage())
