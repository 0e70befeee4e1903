"""The observer of a simulation: it collects the results of one realm from all events. Integers only."""

from typing import Final

from msgspec import Struct

from gloam_lab.balance.run_stats import RunStats, band_of
from gloam_server.world.model.creature import Creature
from gloam_server.world.model.events import (
    CreatureDied,
    DamageDealt,
    Event,
    ExperienceGained,
    LevelGained,
    Narration,
)
from gloam_server.world.transition.dungeon import Dungeon

_RECENT_TURNS: Final = 10
"""The own turns before a death in which damage belongs to its cause (rule F56)."""


class Killer(Struct, frozen=True):
    """The killer of a player: in words, by number, and with its gained levels."""

    name: str
    number: int = 0
    grown: int = 0


class Observer:
    """Follows the events of a dungeon and collects its results.

    It learns all creatures first, because the dead are gone.

    `killers` are the killers of players, by the number of the dead; `grown` the monsters above the level they were made
    with.
    """

    def __init__(self, dungeon: Dungeon, stats: RunStats) -> None:
        self._dungeon = dungeon
        self._stats = stats
        self._known: dict[int, _Known] = {}
        self._minted: dict[int, int] = {}
        self._changed: set[int] | None = None
        self._leaving: dict[int, bool] = {}
        """Whether a player saw it, of each monster that left its depth, by number."""
        self._taught: dict[int, bool] = {}
        self.killers: dict[int, Killer] = {}
        self.grown: dict[int, None] = {}

    def record_levels(self) -> None:
        """Learn the new creatures; called before each input."""
        levels = self._dungeon.levels
        for partition in levels if self._changed is None else sorted(self._changed):
            level = levels[partition]
            if self._minted.get(partition) != level.state.minted:
                self._minted[partition] = level.state.minted
                for body in level.creatures.values():
                    self.learn(body)

    def record_changes(self, partitions: set[int]) -> None:
        """Note which levels the last input reached: creatures can have appeared only there."""
        self._changed = partitions

    def learn(self, body: Creature) -> None:
        """Record a creature; the first time gives its starting level."""
        known = self._known.get(body.number)
        if known is None:
            known = _Known(
                body.kind, body.level, bool(body.account), born_level=body.level - body.levels_grown
            )
            self._known[body.number] = known
            if body.levels_grown:
                self.grown[body.number] = None
        known.level, known.hp_max = body.level, body.hp_max

    def record_event(self, event: Event) -> None:
        """Record an event in the statistics."""
        match event:
            case CreatureDied():
                self._kill(event)
            case ExperienceGained():
                self._learn_by(event)
            case LevelGained():
                self._advance(event)
            case Narration(kind="advances" | "hears"):
                self._read(event)
            case Narration(kind="outgrows" | "invades"):
                self._count_departure(event)
            case DamageDealt():
                self._hurt(event)
            case Narration(kind="tears_free"):
                self._hold(event.actor)
            case _:
                pass

    def _hurt(self, damage: DamageDealt) -> None:
        """Note when a surface hurt a creature, and count the blows."""
        victim = self._known.get(damage.victim)
        if victim is not None:
            victim.turn = damage.turn
            if damage.source == "surface":
                victim.on_ground = damage.turn
        if damage.source == "attack":
            self._blow(damage)

    def _hold(self, number: int) -> None:
        """Note when ground held a creature: it tore free in its newest turn, which may have been its last."""
        held = self._known.get(number)
        if held is not None:
            bodies = [level.creatures.get(number) for level in self._dungeon.levels.values()]
            held.on_ground = max([held.turn, *[body.actions for body in bodies if body is not None]])

    def _kill(self, death: CreatureDied) -> None:
        killer, victim = self._known.get(death.killer), self._known.get(death.victim)
        if victim is not None and victim.turn - victim.on_ground <= _RECENT_TURNS:
            self._stats.ground.players += victim.player
            self._stats.ground.foes += not victim.player
        if killer is None or victim is None:
            return
        stats = self._stats
        if victim.player:
            stats.players_felled += 1
            self.killers[death.victim] = (
                Killer("another player")
                if killer.player
                else Killer(killer.kind, death.killer, killer.level - killer.born_level)
            )
        elif killer.player:
            stats.felled_by_players += 1
            self._count_felling(victim)
        else:
            stats.felled_by_monsters += 1

    def _read(self, told: Narration) -> None:
        """Count the levels of monsters that players read of: each that sees it, or hears its cry."""
        actor, cry = self._known.get(told.actor), self._dungeon.campaign.sounds.growth
        if actor is None:
            return
        if told.kind == "advances" and not actor.player:
            self._stats.growth_read += len(told.witnesses)
        elif told.kind == "hears" and cry and told.source.startswith(f"{cry}:"):
            self._stats.growth_read += 1

    def _count_departure(self, told: Narration) -> None:
        """Count the monsters that leave their depth while anyone plays, and those that a player saw leave or arrive."""
        leaves = told.kind == "outgrows"
        if leaves and any(level.players() for level in self._dungeon.levels.values()):
            self._stats.left += 1
            self._leaving[told.actor] = False
        if told.witnesses and self._leaving.get(told.actor) is False:
            self._stats.leaving_read += 1
            self._leaving[told.actor] = True

    def _learn_by(self, gain: ExperienceGained) -> None:
        """Note whether a monster's newest experience is for a kill, and whether the victim was a player."""
        learner = self._known.get(gain.creature)
        if learner is None or learner.player:
            return
        victim = self._known.get(gain.victim)
        if victim is not None:
            self._taught[gain.creature] = victim.player
        else:
            self._taught.pop(gain.creature, None)

    def _advance(self, gain: LevelGained) -> None:
        learner = self._known.get(gain.creature)
        if learner is None:
            return
        if not learner.player:
            self._count_levels(gain, learner)
        learner.level = gain.level

    def _count_levels(self, gain: LevelGained, learner: "_Known") -> None:
        """Count the levels of a monster by their causes."""
        levels, by_player = gain.level - learner.level, self._taught.get(gain.creature)
        self.grown[gain.creature] = None
        if by_player is None:
            self._stats.learned_otherwise += levels
            return
        self._stats.learned += levels
        self._stats.learned_by_prey += 0 if by_player else levels
        self._stats.rise = max(self._stats.rise, gain.level - learner.born_level)

    def _blow(self, damage: DamageDealt) -> None:
        attacker, victim = self._known.get(damage.attacker), self._known.get(damage.victim)
        if attacker is None or victim is None or attacker.player == victim.player:
            return
        if attacker.player:
            victim.blows += 1
            victim.by_equals = victim.by_equals and attacker.level == victim.level
        elif attacker.level == victim.level:
            blows = self._stats.bands[band_of(victim.level)]
            blows.taken += 1
            blows.lost += damage.amount * 1_000 // max(1, victim.hp_max)

    def _count_felling(self, monster: "_Known") -> None:
        """Count the blows that felled a monster, unless a player of another level struck it too."""
        if monster.blows and monster.by_equals:
            blows = self._stats.bands[band_of(monster.level)]
            blows.felled += 1
            blows.dealt += monster.blows


class _Known(Struct):
    """A creature's state at the last look."""

    kind: str
    level: int
    player: bool
    hp_max: int = 0
    born_level: int = 0
    blows: int = 0
    by_equals: bool = True
    turn: int = 0
    """Its own turn at its newest damage."""
    on_ground: int = -_RECENT_TURNS - 1
    """Its own turn when a surface last took health from it, or held it."""
