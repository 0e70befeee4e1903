"""One player of the realm as the running server knows them: identity, connection, client view, turn timing."""

from dataclasses import dataclass, field
from typing import NamedTuple

from gloam_server.autopilot.plans import PointOfInterest, RunningPlan
from gloam_server.net.connection import Connection
from gloam_server.sessions.client_view import ClientView
from gloam_server.sessions.debounce import DebouncedFlag
from gloam_server.sessions.turn_timing import TurnClock
from gloam_server.views.inventory import InventoryCache
from gloam_shared.protocol.commands import AnyCommand, Climb, Plan
from gloam_shared.protocol.messages import ChatLine, Pace
from gloam_shared.view.view import Log


class PlayerCommand(NamedTuple):
    """A command and the number that its client gave it."""

    number: int
    command: AnyCommand


@dataclass(slots=True)
class ClientState:
    """What a player's client was sent, and what it is to be sent next."""

    view: ClientView | None = None
    """The newest view that was sent; None until the body stands in the dungeon."""
    log: Log = field(default_factory=Log)
    """The log lines of this life."""
    needs_update: bool = False
    """Whether the view is stale."""
    has_own_news: bool = False
    """Whether the player's own last turn is still to be shown: that waits for nothing."""
    pending_chat: list[ChatLine] = field(default_factory=list)
    """Lines to send after the next view: of a death, which the view's own log lines come before."""
    sent_pace: tuple[Pace, int] | None = None
    """The newest turn state that was sent, without its `ms`, and the moment at which its wait ends at the latest."""
    inventory: InventoryCache = field(default_factory=InventoryCache)
    """The inventory as the newest view was made from it."""

    def disconnect(self) -> None:
        """Forget what only this connection knew."""
        self.view = None
        self.sent_pace = None


@dataclass(slots=True)
class TurnState:
    """What a player wants to do, and how time stands for them."""

    clock: TurnClock = field(default_factory=lambda: TurnClock(connected=False))
    """Since when a command waits, when the last turn was, how many were missed."""
    pending_command: PlayerCommand | None = None
    """The newest command that waits for its turn."""
    arrival_order: int = 0
    """The place of the newest command in the order of arrival: players of one bubble act in this order."""
    running_plan: RunningPlan | None = None
    """A plan under way."""
    points_of_interest: frozenset[PointOfInterest] = frozenset()
    """What the player has had in sight, so that exploring does not stop for it again."""
    stepped: int | None = None
    """The number of a step after which items are picked up; None for none."""
    told_full: bool = False
    """Whether the player knows that the pack is full."""
    told_starving: bool = False
    """Whether the player knows that they starve without food."""
    pending_choices: list[int] = field(default_factory=list)
    """The numbers of level-up choices that no batch has taken up yet."""
    pending_consents: list[int] = field(default_factory=list)
    """The same of consents to duels."""
    answered: int = 0
    """Up to this number the commands of this life are answered without a turn."""
    turns_alone: int = 0
    """How many turns the body has taken without a connection."""
    safe_since_ms: int | None = None
    """Since when a player with a level-up choice to make is safe."""

    @property
    def plan_number(self) -> int | None:
        """The number of the plan that is under way, or waits to begin; None where there is none."""
        if self.pending_command is not None:
            number, command = self.pending_command
            return number if isinstance(command, Plan | Climb) else None
        return self.running_plan.number if self.running_plan is not None else None

    @property
    def wants_turn(self) -> bool:
        """Whether a command or a plan waits for a turn."""
        return self.pending_command is not None or self.running_plan is not None

    def done(self, commanded: int) -> int:
        """Return up to which number the commands are answered, when the body has done `commanded`.

        A level-up choice may be done while an older command still waits for its turn: that one is not answered yet.
        """
        done = max(commanded, self.answered)
        return done if self.pending_command is None else min(done, self.pending_command.number - 1)

    def answer(self, number: int) -> None:
        """Take a command for answered without a turn."""
        self.answered = max(self.answered, number)

    def drop_pending(self) -> None:
        """Forget what waits for a turn: the body is gone, or another connection speaks for the player."""
        self.pending_command = None
        self.running_plan = None
        self.stepped = None
        self.clock.waiting_since_ms = None

    def drop_all(self) -> list[int]:
        """Forget everything that was commanded, and take it for answered; return the numbers."""
        waiting = [*self.pending_choices, *self.pending_consents]
        waiting += [self.pending_command.number] if self.pending_command is not None else []
        waiting += [self.running_plan.number] if self.running_plan is not None else []
        self.answered = max(self.answered, *waiting, 0)
        self.drop_pending()
        return waiting


@dataclass(slots=True)
class Attendance:
    """Whether a player is here, as far as the connection and the messages tell."""

    heard_ms: int = 0
    """When the player's own newest message came."""
    present: DebouncedFlag = field(default_factory=DebouncedFlag)
    """Whether a connection of theirs is open."""
    away: DebouncedFlag = field(default_factory=DebouncedFlag)
    """Whether the player is away from an open connection."""
    shut_until_ms: int = 0
    """Until this moment the player is not let in again, after a flood of chat."""


@dataclass(slots=True)
class ResumeState:
    """By what a player comes back to this conversation after a cut."""

    token_hash: bytes = b""
    """The hash of the resume token."""
    unproved: bool = False
    """Whether the client has still to show that the token came."""


@dataclass(slots=True)
class Player:
    """One account that plays or has played since the server started."""

    account: int
    """The number of the account."""
    name: str
    """The account's name."""
    device: bytes = b""
    """The hash of the device token with which the player came in."""
    life: int = 0
    """The number of the life that the commands of `turns` belong to."""
    connection: Connection | None = None
    """The connection that speaks for the player now."""
    client: ClientState = field(default_factory=ClientState)
    """What the client was sent."""
    turns: TurnState = field(default_factory=TurnState)
    """What the player wants to do, and how time stands."""
    attendance: Attendance = field(default_factory=Attendance)
    """Whether the player is here."""
    resume: ResumeState = field(default_factory=ResumeState)
    """How the player comes back after a cut."""
