"""The results of one realm's lives, and the observer that collects them from all events. Integers only."""

from typing import Literal, TypeAlias

from msgspec import Struct, field

from gloam_server.world.combat.attack import ATTACK_EVENTS
from gloam_server.world.engine.dungeon import Dungeon
from gloam_server.world.model.creature import Creature
from gloam_server.world.model.events import Event

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
        self._taught: set[int] = set()
        self.killers: dict[int, str] = {}

    def record_levels(self) -> None:
        """Learn the new creatures; called before each input."""
        for place, level in self._dungeon.levels.items():
            if self._minted.get(place) != level.minted:
                self._minted[place] = level.minted
                for body in level.creatures.values():
                    self.learn(body)

    def learn(self, body: Creature) -> None:
        """Learn who a creature is; the first time tells at which level it came."""
        known = self._known.get(body.number)
        if known is None:
            known = self._known[body.number] = _Known(body.kind, body.level, bool(body.account))
        known.level, known.hp_max = body.level, body.hp_max

    def record_event(self, event: Event) -> None:
        """Take down what an event tells."""
        actor, target = self._known.get(event.actor), self._known.get(event.target)
        if event.kind == "kills" and actor and target:
            self._kill(event, actor, target)
        elif event.kind == "gains" and actor and not actor.player:
            self._taught.add(event.actor) if target else self._taught.discard(event.actor)
        elif event.kind == "advances" and actor:
            self._advance(event, actor)
        elif event.kind in ATTACK_EVENTS and actor and target and event.amount:
            self._blow(event, actor, target)

    def _kill(self, event: Event, actor: "_Known", target: "_Known") -> None:
        tale = self._tale
        if target.player:
            tale.players_felled += 1
            self.killers[event.target] = "another player" if actor.player else actor.kind
        elif actor.player:
            tale.felled_by_players += 1
            self._fell(target)
        else:
            tale.felled_by_monsters += 1

    def _advance(self, event: Event, actor: "_Known") -> None:
        if not actor.player and event.actor in self._taught:
            self._tale.learned += event.amount - actor.level
            self._tale.rise = max(self._tale.rise, event.amount - actor.born_level)
        actor.level = event.amount

    def _blow(self, event: Event, actor: "_Known", target: "_Known") -> None:
        if actor.player == target.player:
            return
        if actor.player:
            target.blows += 1
            target.by_equals = target.by_equals and actor.level == target.level
        elif actor.level == target.level:
            blows = self._tale.blows
            blows.taken += 1
            blows.lost += event.amount * 1_000 // max(1, target.hp_max)

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
