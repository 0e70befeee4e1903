"""The turn side's half of a player: identity, connection as a plain fact, commands and turn timing.

The other half is the view side's `ClientState`; the account's number joins them.
"""

from collections import deque
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from gloam_server.autopilot.landmarks import PointOfInterest
from gloam_server.autopilot.plans import RunningPlan
from gloam_server.engine.timing.turn_timing import TurnClock
from gloam_server.sessions.token_bucket import WritingAllowance
from gloam_server.storage.chat_store import IgnoredPlayer
from gloam_shared import limits
from gloam_shared.protocol.commands import AnyCommand, Climb, Plan
from gloam_shared.protocol.messages.chat import Spoken
from gloam_shared.protocol.messages.lives import WhoBeside
from gloam_shared.protocol.messages.play import Pace

DEBOUNCE_MS: Final = 5_000
"""The time that a change must last before it is reported."""


@dataclass(slots=True)
class DebouncedFlag:
    """A flag that others see. `now` is its value, `reported` the reported value."""

    now: bool = False
    reported: bool = False
    since_ms: int = 0

    def set(self, *, now: bool, at_ms: int) -> None:
        """Set the present value."""
        if now != self.now:
            self.now, self.since_ms = now, at_ms

    def due_ms(self) -> int | None:
        """Return when a change is to be reported; None if the present value is reported."""
        return None if self.reported == self.now else self.since_ms + DEBOUNCE_MS

    def settle_now(self) -> bool:
        """Mark the change as reported now; return whether there was one."""
        is_due = self.reported != self.now
        self.reported = self.now
        return is_due

    def settle(self, now_ms: int) -> None:
        """Mark the change as reported if it has lasted long enough."""
        due_ms = self.due_ms()
        if due_ms is not None and due_ms <= now_ms:
            self.reported = self.now


@dataclass(slots=True)
class ChatAudience:
    """One player's side of what others say and ask."""

    known: bool = False
    """Whether the ignored players are read; until then the player hears only themselves."""
    ignored: dict[int, IgnoredPlayer] = field(default_factory=dict)
    """The players that this one ignores or blocks, by account, the newest last."""
    lines: deque[Spoken] = field(default_factory=lambda: deque(maxlen=limits.REPORT_LINES))
    """The last lines that were sent to the player, for a report."""
    heard: int = 0
    """The number of the newest words for which the player was there."""

    takes_gifts_of: set[int] = field(default_factory=set)
    """The accounts whose gifts the player agreed to, since the start."""

    def hears(self, account: int) -> bool:
        """Return whether words of another account reach the player."""
        return self.known and account not in self.ignored

    def blocks(self, account: int) -> bool:
        """Return whether nothing of another account reaches the player: no ping, invitation, duel, trade or watcher."""
        ignored = self.ignored.get(account)
        return ignored is not None and ignored.blocked


class PlayerCommand(NamedTuple):
    """A command and its number from the client."""

    number: int
    command: AnyCommand


@dataclass(slots=True)
class TurnState:
    """A player's commands and plan, and their turn timing."""

    clock: TurnClock = field(default_factory=lambda: TurnClock(connected=False))
    """The turn timing: the start of the wait, the last turn, the missed turns."""
    pending_command: PlayerCommand | None = None
    """The newest command that waits for its turn."""
    arrival_order: int = 0
    """The place of the newest command in the order of arrival: players of one turn group act in this order."""
    running_plan: RunningPlan | None = None
    """A plan under way."""
    points_of_interest: set[PointOfInterest] = field(default_factory=set)
    """The sights that the player has had, so that exploring does not stop for them again. Grows with a life."""
    stepped: int | None = None
    """The number of the step command after which items are picked up; None without one."""
    notified_full: bool = False
    """Whether the player was notified that the inventory is full."""
    notified_starving: bool = False
    """Whether the player was notified that they starve without food."""
    warned_of_fight: bool = False
    """Whether the player knows that leaving is better than the present fight."""
    pending_choices: list[int] = field(default_factory=list)
    """The numbers of level-up choices that are in no batch yet."""
    pending_consents: list[int] = field(default_factory=list)
    """The numbers of consents to duels and of commands of trades that are in no batch yet."""
    answered: int = 0
    """Up to this number the commands of this life are answered without a turn."""
    received: int = 0
    """The number of the newest command of this life that was accepted."""
    turns_alone: int = 0
    """The number of turns of the body without a connection."""
    sent_pace: tuple[Pace, int] | None = None
    """The newest turn state that was sent, without its `ms`, and the latest end of its wait."""
    pace_sent_ms: int = -1_000_000
    """The time at which it was sent."""
    sent_overtaken: int = 0
    """The overtaken command that the view side knows of; 0 for none."""
    safe_since_ms: int | None = None
    """The time since which a player with a level-up choice to make is safe."""

    @property
    def plan_number(self) -> int | None:
        """The number of the plan that is under way or waits; None without one."""
        if self.pending_command is not None:
            number, command = self.pending_command
            return number if isinstance(command, Plan | Climb) else None
        return self.running_plan.number if self.running_plan is not None else None

    @property
    def wants_turn(self) -> bool:
        """Whether a command or a plan waits for a turn."""
        return self.pending_command is not None or self.running_plan is not None

    @property
    def overtaken(self) -> int:
        """The number of the waiting command if a newer one was accepted, such as a level-up choice; else 0.

        The newer one may be carried out before it, and then the older one is not answered yet.
        """
        waiting = self.pending_command
        return waiting.number if waiting is not None and waiting.number < self.received else 0

    def answer(self, number: int) -> None:
        """Mark a command as answered without a turn."""
        self.answered = max(self.answered, number)

    def begin_life(self) -> None:
        """Forget the numbers of the commands of the life before."""
        self.answered = self.received = 0

    def end_life(self) -> None:
        """Drop all commands of a life that is over, and its sights; each command counts as answered, also one of the turn that ended it."""
        self.drop_pending()
        self.answer(self.received)
        self.points_of_interest.clear()
        self.sent_pace = None

    def drop_pending(self) -> None:
        """Drop the waiting command and plan: the body is gone, or the player has another connection."""
        self.pending_command = None
        self.running_plan = None
        self.stepped = None
        self.clock.waiting_since_ms = None

    def drop_all(self) -> list[int]:
        """Drop all commands and mark them as answered; return their numbers."""
        waiting = [*self.pending_choices, *self.pending_consents]
        waiting += [self.pending_command.number] if self.pending_command is not None else []
        waiting += [self.running_plan.number] if self.running_plan is not None else []
        self.answered = max(self.answered, *waiting, 0)
        self.drop_pending()
        return waiting


@dataclass(slots=True)
class Attendance:
    """A player's attendance, as known from the connection and the messages."""

    heard_ms: int = 0
    """The time at which the player's newest message arrived."""
    present: DebouncedFlag = field(default_factory=DebouncedFlag)
    """Whether they have an open connection."""
    away: DebouncedFlag = field(default_factory=DebouncedFlag)
    """Whether the player is away from an open connection."""
    shut_until_ms: int = 0
    """The end of the ban on joining after a flood of chat."""


@dataclass(slots=True)
class ResumeState:
    """The data with which a player resumes after a cut."""

    token_hash: bytes = b""
    """The hash of the resume token."""
    unproved: bool = False
    """Whether the client has not yet confirmed the token."""
    resumed: bool = False
    """Whether the connection began with a resume token, so that its client has not shown the device's own token."""


@dataclass(slots=True)
class Player:
    """One account that plays or has played since the server started."""

    account: int
    """The number of the account."""
    name: str
    """The account's name."""
    device: bytes = b""
    """The hash of the device token from the player's login."""
    life: int = 0
    """The life to which the commands in `turns` belong."""
    connection: int = 0
    """The number of the player's present connection; 0 for none."""
    abilities: frozenset[str] = frozenset()
    """The abilities agreed on with its client."""
    attached: int = 0
    """The number of the body in which the client has joined; 0 before that. After a death it stays until the next life."""
    turns: TurnState = field(default_factory=TurnState)
    """The player's commands and turn timing."""
    attendance: Attendance = field(default_factory=Attendance)
    """The player's attendance."""
    audience: ChatAudience = field(default_factory=ChatAudience)
    """The players whose chat the player hears."""
    beside: WhoBeside = "party"
    """The players who may begin a life beside the player, as the player said after the login."""
    resume: ResumeState = field(default_factory=ResumeState)
    """The data for resuming after a cut."""
    writing: WritingAllowance = field(default_factory=WritingAllowance)
    """The bytes that the player's actions may still write to the journal, and what waits because they wrote too
    much."""
