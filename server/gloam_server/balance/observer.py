"""The results of one realm's lives, and the observer that collects them from all events. Integers only."""

from typing import Literal, TypeAlias

from msgspec import Struct, field

from gloam_server.world.engine.dungeon import Dungeon
from gloam_server.world.model.creature import Creature
from gloam_server.world.model.events import CreatureDied, DamageDealt, Event, ExperienceGained, LevelGained

End: TypeAlias = Literal["died", "won", "alive"]


class Life(Struct):
    """How one life went: the deepest level it saw, its own level, its actions, its kills, and its end.

    `cause` is who or what ended it; "" for a life that did not end by dying.
    """

    depth: int = 1
    level: int = 1
    turns: int = 0
    kills: int = 0
    end: End = "alive"
    cause: str = ""


class AttackCounts(Struct):
    """Attacks that hit, between a player and monsters of the same level.

    To kill: `dealt` attacks killed `felled` monsters that no player of another level attacked; survivors do not
    count. To die: `taken` attacks of monsters took `lost` thousandths of the whole health of the players that they
    hit. Attacks are melee hits, shots and throws that wound; misses and spells do not count.
    """

    dealt: int = 0
    felled: int = 0
    taken: int = 0
    lost: int = 0


class RunStats(Struct):
    """The results of one realm: its lives in the order of their players, and what monsters did there.

    `learned` are the levels that monsters gained by kills, `rise` is the most that one stood above the level it came
    with, `schooled` whether any monster had gained a level so when all was over. `met` are the kinds that players saw.
    """

    lives: list[Life] = field(default_factory=list)
    felled_by_players: int = 0
    felled_by_monsters: int = 0
    players_felled: int = 0
    learned: int = 0
    rise: int = 0
    blows: AttackCounts = field(default_factory=AttackCounts)
    met: list[str] = field(default_factory=list)
    refused: int = 0

    @property
    def schooled(self) -> bool:
        """Whether a monster gained a level by a kill."""
        return self.learned > 0


class Observer:
    """Follows the events of a dungeon and collects its results. It learns all creatures first, because the dead are gone."""

    def __init__(self, dungeon: Dungeon, tale: RunStats) -> None:
        self._dungeon = dungeon
        self._tale = tale
        self._known: dict[int, _Known] = {}
        self._minted: dict[int, int] = {}
        self._changed: set[int] | None = None
        self._taught: set[int] = set()
        self.killers: dict[int, str] = {}

    def record_levels(self) -> None:
        """Learn the new creatures; called before each input."""
        levels = self._dungeon.levels
        for place in levels if self._changed is None else sorted(self._changed):
            level = levels[place]
            if self._minted.get(place) != level.state.minted:
                self._minted[place] = level.state.minted
                for body in level.creatures.values():
                    self.learn(body)

    def record_changes(self, places: set[int]) -> None:
        """Note which levels the last input reached: only there creatures can have come into being."""
        self._changed = places

    def learn(self, body: Creature) -> None:
        """Learn who a creature is; the first time tells at which level it came."""
        known = self._known.get(body.number)
        if known is None:
            known = self._known[body.number] = _Known(body.kind, body.level, bool(body.account))
        known.level, known.hp_max = body.level, body.hp_max

    def record_event(self, event: Event) -> None:
        """Take down what an event means for the statistics."""
        match event:
            case CreatureDied():
                self._kill(event)
            case ExperienceGained():
                self._learn_by(event)
            case LevelGained():
                self._advance(event)
            case DamageDealt(source="attack"):
                self._blow(event)
            case _:
                pass

    def _kill(self, death: CreatureDied) -> None:
        killer, victim = self._known.get(death.killer), self._known.get(death.victim)
        if killer is None or victim is None:
            return
        tale = self._tale
        if victim.player:
            tale.players_felled += 1
            self.killers[death.victim] = "another player" if killer.player else killer.kind
        elif killer.player:
            tale.felled_by_players += 1
            self._fell(victim)
        else:
            tale.felled_by_monsters += 1

    def _learn_by(self, gain: ExperienceGained) -> None:
        """Note whether a monster's newest experience is for a kill."""
        learner = self._known.get(gain.creature)
        if learner is None or learner.player:
            return
        if gain.victim in self._known:
            self._taught.add(gain.creature)
        else:
            self._taught.discard(gain.creature)

    def _advance(self, gain: LevelGained) -> None:
        learner = self._known.get(gain.creature)
        if learner is None:
            return
        if not learner.player and gain.creature in self._taught:
            self._tale.learned += gain.level - learner.level
            self._tale.rise = max(self._tale.rise, gain.level - learner.born_level)
        learner.level = gain.level

    def _blow(self, damage: DamageDealt) -> None:
        attacker, victim = self._known.get(damage.attacker), self._known.get(damage.victim)
        if attacker is None or victim is None or attacker.player == victim.player:
            return
        if attacker.player:
            victim.blows += 1
            victim.by_equals = victim.by_equals and attacker.level == victim.level
        elif attacker.level == victim.level:
            blows = self._tale.blows
            blows.taken += 1
            blows.lost += damage.amount * 1_000 // max(1, victim.hp_max)

    def _fell(self, monster: "_Known") -> None:
        """Count the blows that felled a monster, unless a player of another level struck it too."""
        if monster.blows and monster.by_equals:
            self._tale.blows.felled += 1
            self._tale.blows.dealt += monster.blows


class _Known(Struct):
    """A creature as it was when it was last looked at."""

    kind: str
    level: int
    player: bool
    hp_max: int = 0
    born_level: int = 0
    blows: int = 0
    by_equals: bool = True

    def __post_init__(self) -> None:
        self.born_level = self.level
