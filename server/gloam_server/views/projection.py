"""project(level, viewer) -> View: exactly what one body may know. Pure."""

from collections.abc import Mapping
from typing import Final

from gloam_server.views.level_records import LevelRecords
from gloam_server.views.view_cache import ViewCache
from gloam_server.world.effects.map_memory import remembered_terrain
from gloam_server.world.model.creature import Creature
from gloam_server.world.model.level import Level
from gloam_shared.kept import CHECKS, verify
from gloam_shared.view.view import CreatureFlag, Friend, Log, View

_VIEWERS_KEPT: Final = 1_024


def project(
    level: Level,
    viewer: Creature,
    *,
    marks: Mapping[int, CreatureFlag],
    party: tuple[Friend, ...],
    log: Log,
    records: LevelRecords | None = None,
    kept: ViewCache | None = None,
) -> View:
    """Return what `viewer` knows now.

    `marks` are the players' marks from the connections, by number: cut off, away. `party` are the realm's players.
    Neither of the others changes the result, as the check mode holds: `records` belong to the level, refreshed with the
    marks of all, and `kept` to this viewer.
    """
    own_mark = int(marks.get(viewer.number, 0))
    if records is None:
        records = LevelRecords(level)
        records.refresh(marks)
    if kept is None:
        return ViewCache().view(records, viewer, own_mark, party=party, log=log)
    view = kept.view(records, viewer, own_mark, party=party, log=log)
    if CHECKS.report is not None:
        view = verify(
            "the view of a player", view, lambda: project(level, viewer, marks=marks, party=party, log=log)
        )
    return view


class RecordsOfLevels:
    """The records of each level that has been looked at."""

    def __init__(self) -> None:
        self._records: dict[int, LevelRecords] = {}

    def of(self, level: Level, marks: Mapping[int, CreatureFlag]) -> LevelRecords:
        """Return the records of the present state of a level."""
        records = self._records.get(level.partition)
        if records is None or records.level is not level:  # a fault may have replaced the level
            records = self._records[level.partition] = LevelRecords(level)
        records.refresh(marks)
        return records


class PlanViews:
    """The views that plans look at: without marks, party and log."""

    def __init__(self) -> None:
        self._records = RecordsOfLevels()
        self._kept: dict[int, ViewCache] = {}

    def of(self, level: Level, viewer: Creature) -> View:
        """Return the present view of a player."""
        if len(self._kept) >= _VIEWERS_KEPT:
            self._kept.clear()
        kept = self._kept.setdefault(viewer.account, ViewCache())
        records = self._records.of(level, {})
        return project(level, viewer, marks={}, party=(), log=Log(), records=records, kept=kept)


def remembered_map(level: Level, number: int) -> bytes:
    """Return the terrain that a life remembers of a level: empty if it never was there."""
    return bytes(remembered_terrain(level, number))
