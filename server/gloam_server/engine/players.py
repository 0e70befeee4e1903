"""The players of the realm as the sessions know them: who is connected, what they want, and how time stands for them."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from gloam_server.autopilot.plans import PointOfInterest, RunningPlan
from gloam_server.net.connection import Connection
from gloam_server.sessions.client_view import ClientView
from gloam_server.sessions.debounce import DebouncedFlag
from gloam_server.sessions.turn_timing import TurnClock
from gloam_server.views.inventory import InventoryCache
from gloam_server.world.engine.dungeon import Dungeon
from gloam_server.world.model.creature import Creature
from gloam_server.world.model.level import Level
from gloam_shared.protocol.commands import AnyCommand, Climb, Plan
from gloam_shared.protocol.messages import ChatLine, Pace
from gloam_shared.view.view import CreatureFlag, Friend, Log

AWAY_MS: Final = 60_000
"""Who is silent for so long is marked as away; it changes no rule of time."""


@dataclass(slots=True)
class Player:
    """One account that plays or has played since the server started.

    `device` is the hash of the token that he came with. `choosing` are the level-up choices that no beat has taken up yet,
    `dueling` the consents to duels.
    `wish` is the newest command that waits, `order` its place in the order of arrival, `course` a plan under way. `own` tells that his last turn is still to be shown to him.
    `noticed` is what he has had in sight, so that exploring does not stop for it again.
    `stepped` is the number of a step after which things are picked up, None for none; `told_full` tells that the player
    has heard of a full pack, `told_starving` that they have heard that they starve without food.
    Up to `answered` the commands of his life number `life` are answered. Until `shut_until_ms` he is not let in again.
    `sent_pace` is the newest `Pace` that was sent, without its `ms`, and the moment at which its wait ends at the latest.
    `resume` is the hash of the token that brings him back to this conversation, `proving` whether he has still to show
    that it came. `present` tells whether a line of theirs stands, `away` whether they are away from it.
    """

    account: int
    name: str
    device: bytes = b""
    connection: Connection | None = None
    client_view: ClientView | None = None
    clock: TurnClock = field(default_factory=lambda: TurnClock(connected=False))
    log: Log = field(default_factory=Log)
    pending_command: tuple[int, AnyCommand] | None = None
    arrival_order: int = 0
    running_plan: RunningPlan | None = None
    points_of_interest: frozenset[PointOfInterest] = frozenset()
    stepped: int | None = None
    told_full: bool = False
    told_starving: bool = False
    pending_choices: list[int] = field(default_factory=list)
    pending_consents: list[int] = field(default_factory=list)
    answered: int = 0
    turns_alone: int = 0
    has_own_news: bool = False
    needs_update: bool = False
    life: int = 0
    sent_pace: tuple[Pace, int] | None = None
    heard_ms: int = 0
    present: DebouncedFlag = field(default_factory=DebouncedFlag)
    away: DebouncedFlag = field(default_factory=DebouncedFlag)
    safe_since_ms: int | None = None
    resume: bytes = b""
    resume_unproved: bool = False
    shut_until_ms: int = 0
    inventory: InventoryCache = field(default_factory=InventoryCache)
    news: list[ChatLine] = field(default_factory=list)
    """What he is told after his next view: of a death, which the view's own lines come before."""

    def done(self, commanded: int) -> int:
        """Return up to which number his commands are answered, when his body has done `commanded`.

        A level-up choice may be done while an older command still waits for its turn: that one is not answered yet.
        """
        done = max(commanded, self.answered)
        return done if self.pending_command is None else min(done, self.pending_command[0] - 1)

    @property
    def plan_number(self) -> int | None:
        """The number of the plan that is under way, or waits to begin; None where there is none."""
        if self.pending_command is not None:
            return self.pending_command[0] if isinstance(self.pending_command[1], Plan | Climb) else None
        return self.running_plan.number if self.running_plan is not None else None

    def drop_connection(self) -> list[int]:
        """Forget what he wanted, and take all of it for answered; return the numbers."""
        waiting = [*self.pending_choices, *self.pending_consents]
        waiting += [self.pending_command[0]] if self.pending_command is not None else []
        waiting += [self.running_plan.number] if self.running_plan is not None else []
        self.answered = max(self.answered, *waiting, 0)
        self.drop_pending()
        return waiting

    def drop_pending(self) -> None:
        """Forget what he wanted: his body is gone, or another connection speaks for him."""
        self.pending_command = None
        self.running_plan = None
        self.stepped = None
        self.clock.waiting_since_ms = None


PlayerInPlay: TypeAlias = tuple[Player, Level, Creature]
"""A player in play, his level, and his body there."""


class Players:
    """All players, by account: those whose life goes on in the dungeon, and each who logged in since the start.

    Only `enlist` and `next_order` change it; all else asks.
    """

    def __init__(self, dungeon: Dungeon) -> None:
        self._dungeon = dungeon
        self._players = {account: Player(account, life.name) for account, life in dungeon.realm.lives.items()}
        self._orders = 0

    def by_account(self, account: int) -> Player | None:
        """Return a player who has been here since the server started."""
        return self._players.get(account)

    def names(self) -> list[str]:
        """Return the names of all who have been here since the server started."""
        return [player.name for player in self._players.values()]

    def get_or_add(self, account: int, name: str) -> Player:
        """Return the player of an account, new or known."""
        known = self._players.get(account)
        if known is None:
            known = self._players[account] = Player(account, name)
        return known

    def next_order(self) -> int:
        """Return the next place in the order in which commands come."""
        self._orders += 1
        return self._orders

    def in_play(self) -> Iterator[PlayerInPlay]:
        """Yield the players whose bodies stand in the dungeon, by level and number, but for levels that are closed."""
        for place, level in sorted(self._dungeon.levels.items()):
            if place in self._dungeon.closed:
                continue
            for body in level.players():
                yield self._players[body.account], level, body

    def in_dungeon(self, account: int) -> PlayerInPlay | None:
        """Return a player with the level and the body in which he stands, or None when he is not in play."""
        life = self._dungeon.realm.lives.get(account)
        if life is None or life.kept is not None:
            return None
        level = self._dungeon.levels[life.place]
        body = level.creatures.get(life.number)
        if body is None:
            return None
        return self._players[account], level, body

    def is_in_use(self, account: int) -> bool:
        """Return whether somebody plays under an account, or its body stands in the dungeon."""
        player = self._players.get(account)
        return (player is not None and player.connection is not None) or self.in_dungeon(account) is not None

    def on_level(self, level: Level) -> dict[int, Player]:
        """Return the players whose bodies stand on a level, by their bodies' numbers."""
        return {body.number: self._players[body.account] for body in level.players()}

    def connected(self) -> list[Player]:
        """Return the players with an open connection, by account."""
        return [player for _, player in sorted(self._players.items()) if player.connection is not None]

    def is_idle(self) -> bool:
        """Return whether nobody is connected and no body is in play: then no timer of the world runs."""
        return not self.connected() and next(self.in_play(), None) is None


def friend_of(standing: PlayerInPlay, marks: CreatureFlag) -> Friend:
    """Return a player in play as the party is told about them."""
    player, level, body = standing
    return Friend(player.name, level.place, body.level, -(-4 * body.hp // body.hp_max), int(marks))


def reported_marks(player: Player) -> CreatureFlag:
    """Return what others are told of a player that only the session knows."""
    if not player.present.reported:
        return CreatureFlag.CUT_OFF
    return CreatureFlag.AWAY if player.away.reported else _NO_MARK


def own_marks(player: Player) -> CreatureFlag:
    """Return the same as the player is told of themselves."""
    return CreatureFlag.AWAY if player.away.now else _NO_MARK


_NO_MARK: Final = CreatureFlag(0)
