"""Laws of learning while bots play gloam: growth has its bounds, none too strong stays, and none is lost on the stairs."""

from collections import Counter

import pytest

from gloam_lab.balance.simulation import Simulation
from gloam_lab.invariants import check_invariants
from gloam_server.rules.dice import Dice
from gloam_server.world.ai.descent import has_outgrown
from gloam_server.world.growth.experience import gain_experience
from gloam_server.world.model.context import TurnContext
from gloam_server.world.model.ids import REALM_PARTITION
from gloam_server.world.model.level import Level
from gloam_server.world.transition.dungeon import Dungeon
from gloam_shared.appearance import Terrain
from support.content.campaigns import shipped, with_rules
from support.run.effort import effort

pytestmark = pytest.mark.unchecked

STAYS_MAX = 250
"""The most inputs of a level, without a player beside it, that a creature which has outgrown it is awake on its way."""
WAITS_MAX = 1_000
"""The same on the stairs or in a queue there: it leaves with a chance of one in a hundred each turn, 4 in 100,000 wait longer."""

TURNS = 2_000
LIVES = 3
"""The lives of the player, one after another: the first one may end too early to show anything."""

SEEDS = range(1, 1 + effort(2, 4))
GLOAM = with_rules(shipped("gloam"), "learning", trait_percent=100)
TEACHES_EVERY = 10
"""One creature of a level learns each time after this number of inputs, so that a short play shows what a long one does."""


def teach(level: Level) -> None:
    """Give one creature of a level, another each time, the experience of several levels."""
    dice = Dice(level.realm_seed, level.partition, level.sequence)
    monsters = [body for _, body in sorted(level.creatures.items()) if not body.account]
    if monsters and level.players():
        gain_experience(TurnContext(level, dice), dice.pick("taught", 0, monsters), 120)


class Watch:
    """Looks at a place after each input, and raises AssertionError where a law is broken."""

    def __init__(self) -> None:
        self.levels: dict[int, int] = {}
        self.stayed: Counter[tuple[int, int]] = Counter()
        self.waited: Counter[tuple[int, int]] = Counter()
        self.gained = 0
        self.moved = 0
        self.homes: dict[int, int] = {}

    def look(self, dungeon: Dungeon, partition: int) -> None:
        if partition == REALM_PARTITION:
            return
        if dungeon.levels[partition].sequence % TEACHES_EVERY == 0:
            teach(dungeon.levels[partition])
        for each in dungeon.levels.values():
            for number in each.creatures:
                self.moved += self.homes.get(number, each.partition) != each.partition
                self.homes[number] = each.partition
        level = dungeon.levels[partition]
        if level.sequence % TEACHES_EVERY == 0:
            check_invariants(level)
        learning, rise = level.campaign.learning, level.campaign.experience.monster_levels_max
        for body in level.creatures.values():
            if body.account:
                continue
            before = self.levels.setdefault(body.number, body.level)
            if body.level > before:
                self.gained += 1
                assert body.level <= min(body.born_level + rise, level.own_level + learning.above_depth_max)
            self.levels[body.number] = body.level
            if has_outgrown(level, body):
                assert level.players() or not body.victims, (
                    f"killer {body.number} of level {body.level} stays on depth {level.depth}"
                )
                waits = _waits_at_stairs(level, body.cell)
                stays = self.waited if waits else self.stayed
                stays[partition, body.number] += bool(level.players()) and not (
                    body.asleep or self._is_fighting(level, body.number)
                )
                assert stays[partition, body.number] <= (WAITS_MAX if waits else STAYS_MAX)

    @staticmethod
    def _is_fighting(level: Level, number: int) -> bool:
        body = level.creatures[number]
        return any(level.distance(body, player) <= 1 for player in level.players())


def _waits_at_stairs(level: Level, cell: int) -> bool:
    """Return whether a creature is on the stairs down, or beside them while another one waits there."""
    stairs = [
        each for each in (cell, *level.grid.neighbors(cell)) if level.terrain[each] == Terrain.STAIRS_DOWN
    ]
    return any(each == cell or each in level.occupied for each in stairs)


def everywhere(dungeon: Dungeon) -> list[int]:
    """Return the numbers of all creatures in the levels."""
    return [number for level in dungeon.levels.values() for number in level.creatures]


@pytest.mark.thorough
@pytest.mark.rule("F39", "F66")
@pytest.mark.parametrize("seed", SEEDS)
def test_growth_has_bounds_and_no_strong_killer_stays(seed: int) -> None:
    """Growth has its bounds, and no killer that is too strong stays where no player is."""
    watch = Watch()
    simulation = Simulation(GLOAM, seed, 1, TURNS, LIVES)
    simulation.after_input = watch.look
    simulation.play()
    found = everywhere(simulation.dungeon)
    assert len(found) == len(set(found)), "a creature is on two levels"
    assert watch.gained > 0
    assert watch.moved > 0
    for depth, highest in ((1, 2), (2, 3)):
        level = simulation.dungeon.levels[depth]
        if not level.players():
            killers = [body for body in level.creatures.values() if body.victims and not body.bond]
            assert all(body.level <= highest for body in killers)


@pytest.mark.thorough
@pytest.mark.rule("F07")
def test_the_same_seed_teaches_the_same() -> None:
    def played() -> bytes:
        simulation = Simulation(GLOAM, 3, 1, turns_max=40)
        simulation.play()
        return simulation.dungeon.state_hash()

    assert played() == played()
