"""A level of any size with any number of players and creatures, in one process and without a network."""

from collections.abc import Iterator
from itertools import cycle, islice
from typing import Final

import msgspec

from gloam_server.content.campaign import Campaign
from gloam_server.content.creatures import CreatureKind
from gloam_server.rules.dice import Dice
from gloam_server.views.level_records import LevelRecords
from gloam_server.views.projection import project
from gloam_server.views.view_cache import ViewCache
from gloam_server.world.model.creature import Creature, new_creature
from gloam_server.world.model.ids import new_id
from gloam_server.world.model.inputs import Arrive, PlayerAction, Turn
from gloam_server.world.transition.dungeon import Batch, Dungeon, new_dungeon
from gloam_shared.geometry import DIRECTIONS
from gloam_shared.protocol.commands import Move
from gloam_shared.search import reachable
from gloam_shared.view.view import Friend, Log, View
from support.content.campaigns import arena

WIDTH, HEIGHT = 150, 60
"""The size of the load test's cave."""

_CELLS_EACH: Final = 8
_ELSEWHERE: Final = 1_000
"""A place that there is not: the bodies come from there."""


def wide_arena(width: int = WIDTH, height: int = HEIGHT) -> Campaign:
    """Return the test campaign with levels of this size, without creatures of its own."""
    campaign = arena()
    levels = {
        key: msgspec.structs.replace(kind, width=width, height=height, creatures_max=10_000)
        for key, kind in campaign.levels.items()
    }
    return msgspec.structs.replace(campaign, levels=levels)


class Hall:
    """Level 1 of a dungeon. The creatures are all over it; the players are around the arrival cell, one on eight cells.

    So close are the clients of a load test after some seconds.
    """

    def __init__(
        self,
        players: int = 1,
        creatures: int = 0,
        *,
        width: int = WIDTH,
        height: int = HEIGHT,
        seed: int = 3,
        kind: str = "kobold",
    ) -> None:
        self.dungeon: Final[Dungeon] = new_dungeon(wide_arena(width, height), seed)
        self.level: Final = self.dungeon.levels[1]
        self._dice = Dice(seed, 1, 0)
        self._came = 0
        campaign = self.dungeon.campaign
        ground = [cell for cell in range(self.level.grid.size) if self.level.is_walkable(cell)]
        self.ground: Final = self._dice.shuffle("ground", 0, ground)
        around = reachable(self.level.state.arrival, self.level.is_walkable, self.level.grid)
        near = [cell for cell, _ in islice(around, players * _CELLS_EACH)]
        cells = iter(self._dice.shuffle("near", 0, near))
        for account in range(1, players + 1):
            self._arrive(campaign.player_kind, next(cells), f"Bench{account}", account)
        free = (cell for cell in self.ground if self.level.is_free(cell))
        for _ in range(creatures):
            self._arrive(campaign.creatures[kind], next(free))
        self.players: Final[tuple[Creature, ...]] = self.level.players()
        self._in_turn: Iterator[Creature] = cycle(self.players)
        self._records = LevelRecords(self.level)
        self._shown = {body.number: ViewCache() for body in self.players}
        self._party = tuple(Friend(body.name, 1, 1, 4, 0) for body in self.players)
        self.dungeon.take_batch()

    def next_player(self) -> Creature:
        """Return one player after another."""
        return next(self._in_turn)

    def step_of(self, body: Creature) -> Turn:
        """Return a turn in which a player takes a step to a free cell, or waits without one."""
        ways = [way for way in DIRECTIONS if self._is_free(body.cell, way)]
        command = Move(*self._dice.pick("way", body.number, ways)) if ways else None
        return Turn((PlayerAction(body.number, 0, command),))

    def apply(self, turn: Turn) -> None:
        """Apply a turn."""
        self.dungeon.apply_input(1, turn)

    def take(self) -> Batch:
        """Return the batch of what was applied."""
        return self.dungeon.take_batch()

    def view(self, body: Creature) -> View:
        """Return a player's view, as the server makes it."""
        self._records.refresh({})
        return project(
            self.level,
            body,
            marks={},
            party=self._party,
            log=Log(),
            records=self._records,
            kept=self._shown[body.number],
        )

    def _arrive(self, kind: CreatureKind, cell: int, name: str = "", account: int = 0) -> None:
        self._came += 1
        number = new_id(_ELSEWHERE, self._came)
        body = new_creature(kind, number, name=name, account=account, food=1_000_000)
        if account:
            body.hp = body.hp_max = 1_000_000
        self.dungeon.apply_input(1, Arrive(body, cell, (_ELSEWHERE, self._came, 0)))

    def _is_free(self, cell: int, way: tuple[int, int]) -> bool:
        there = self.level.grid.step(cell, *way)
        return there is not None and self.level.is_free(there)
