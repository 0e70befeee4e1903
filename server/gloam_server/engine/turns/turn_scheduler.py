"""The due turns and their inputs: turn timing decides, the players' commands fill them."""

from collections.abc import Iterable, Iterator
from heapq import merge
from typing import NamedTuple

from msgspec import UNSET

from gloam_server.autopilot import plans
from gloam_server.engine.journal_budget import JournalBudget
from gloam_server.engine.messages import Lines
from gloam_server.engine.player import Player
from gloam_server.engine.players import Players
from gloam_server.engine.timing.party_patience import party_patience_ms
from gloam_server.engine.timing.turn_timing import TurnStatus, turn_status, waited_since_ms
from gloam_server.engine.turns.level_status import KnownStatuses, LevelStatus
from gloam_server.engine.turns.plan_budget import PlanBudget
from gloam_server.engine.turns.plan_steps import PlanRefused, PlanSteps
from gloam_server.engine.turns.waiting_players import Waiting, WaitingPlayers
from gloam_server.world.actions import plan
from gloam_server.world.model.context import RuleFault
from gloam_server.world.model.creature import Creature
from gloam_server.world.model.inputs import PlayerAction, Turn
from gloam_server.world.model.level import Level
from gloam_server.world.model.outcome import Impossible, Outcome
from gloam_server.world.model.turn_group_data import Division, TurnGroup
from gloam_server.world.transition.dungeon import Dungeon
from gloam_server.world.transition.turn import can_act, players_who_can_act
from gloam_server.world.transition.turn_groups import turn_groups
from gloam_shared.level_numbers import PartitionId
from gloam_shared.protocol.answers import plan_end, refusal
from gloam_shared.protocol.codes import ReasonCode
from gloam_shared.protocol.commands import ActionCommand, Climb, Fight, Move, Plan
from gloam_shared.protocol.messages.play import Answer


class DueTurn(NamedTuple):
    """A due turn, and the data about its players to note once it is applied."""

    level: Level
    turn: Turn
    players: dict[int, Player]
    """The players of the turn group by their bodies' numbers."""
    actions: dict[int, PlayerAction]
    """The commands of the players who act."""
    courses: dict[int, plans.RunningPlan | None]
    """The plans that continue after the actions; a player who only picks up keeps their waiting command."""
    cells: dict[int, int]
    """Each player's cell before the turn."""
    waited_for: frozenset[int]
    """The players that the turn waited for until its time was over."""
    waited_since_ms: int | None
    """The time since which the turn waited for them, or None if none of them is late."""


class TurnScheduler:
    """Decides which turns run now, and with which actions. It applies nothing, and notes the result.

    One turn of a level at a time: a turn may change which enemies hold which players, so the turn groups are computed
    again before the next one. Turn groups with a command go before turn groups with plans only, because one step of a plan
    may cost more than a turn, and many exploring players would otherwise delay a player who presses a key.
    Among plans the longest waiting goes first, so that each gets its turn. An impossible command is refused
    without a turn, and the turn group is decided again without it.
    """

    def __init__(
        self,
        dungeon: Dungeon,
        players: Players,
        budget: JournalBudget,
        patience_ms: int,
        party_patience_max_ms: int = 0,
    ) -> None:
        self._budget = budget
        self._party_patience_max_ms = party_patience_max_ms
        self._dungeon = dungeon
        self._players = players
        self._patience_ms = patience_ms
        self._plan_budget = PlanBudget()
        self._refusals: list[tuple[Player, Answer]] = []
        self._steps = PlanSteps()
        self._acted: set[int] = set()
        self._waiting = WaitingPlayers()
        self._known = KnownStatuses(self._waiting, self._look)

    def begin_batch(self, now_ms: int) -> None:
        """Begin a batch, before all levels are examined."""
        self._plan_budget.begin(now_ms)
        self._waiting.begin_batch()

    def end_batch(self, took_ms: int, now_ms: int) -> None:
        """Note how long a batch took until it was published, which limits the plans of the next one."""
        self._plan_budget.end(took_ms, now_ms)

    def take_refusals(self) -> list[tuple[Player, Answer]]:
        """Return the answers to commands and plans that ended without a turn, each once."""
        refusals, self._refusals = self._refusals, []
        return refusals

    def take_results(self) -> tuple[set[int], list[Lines]]:
        """Return the numbers of the bodies in the turns of this batch, and the log lines of its plans, each once."""
        results = self._acted, self._steps.lines
        self._acted, self._steps.lines = set(), []
        return results

    def due(self, partition: PartitionId, now_ms: int) -> DueTurn | LevelStatus:
        """Return the next due turn of a level, or the level's status without one. Raises RuleFault."""
        if partition in self._dungeon.closed:
            return LevelStatus()
        level = self._dungeon.levels[partition]
        players = self._players.on_level(level)
        return self._known.get(level, players, self._dungeon.realm.sequence, now_ms)

    def _look(
        self, level: Level, players: dict[int, Player], waiting: Waiting, now_ms: int
    ) -> DueTurn | LevelStatus:
        """Return the next due turn of a level, or its status, also if one is known."""
        division = self.turn_groups(level)
        if waiting.planning:
            self._end_endangered_plans(level, division, players, waiting.planning)
            waiting = self._waiting.on_level(level.partition, players)
        level_status = LevelStatus(division)
        for group, planned in _by_urgency(division, players, waiting.numbers):
            status = self._judge(level, group, players, now_ms)
            later_ms = self._later_ms(group, players, now_ms, planned=planned) if status.due else None
            if later_ms is not None:
                status = TurnStatus(due=False, look_at_ms=later_ms, changes_at_ms=now_ms)
            elif status.due:
                if planned:
                    self._plan_budget.spend(now_ms)
                else:
                    self._plan_budget.give_way()
                due = self._fill(level, group, players, now_ms)
                if due is not None:
                    return due
                status = self._judge(level, group, players, now_ms)  # without the impossible command
            level_status.note(group, status)
        return level_status

    def _later_ms(
        self, group: TurnGroup, players: dict[int, Player], now_ms: int, *, planned: bool
    ) -> int | None:
        """Return until when a budget holds back a turn that is due, None for not at all; commands may follow."""
        debt_ms = self._budget.group_wait_ms(group.players, players) if self._budget.in_debt else 0
        if debt_ms:
            return now_ms + debt_ms
        if planned and not self._plan_budget.admits(now_ms):
            return self._plan_budget.look_at_ms(now_ms)
        return None

    def turn_ran(self, due: DueTurn, now_ms: int) -> None:
        """Note that a turn was applied: its commands are done, its players' timing restarts."""
        self._acted.update(due.players)
        for number, course in due.courses.items():
            player = due.players[number]
            player.turns.pending_command, player.turns.running_plan = None, course
            player.turns.stepped = _stepped(due.level, due.actions[number], due.cells[number])
        for number, player in due.players.items():
            waited_ms = due.waited_since_ms if number in due.waited_for else None
            self._waiting.note(number)
            self._note_turn(player, now_ms, acted=number in due.actions, waited_since_ms=waited_ms)

    def unattended_due(self, level: Level) -> bool:
        """Return whether the unattended creatures take a turn now."""
        return level.state.wild_due and bool(self.turn_groups(level).wild)

    def turn_groups(self, level: Level) -> Division:
        """Return a level's turn groups, computed once for each of its states. Raises RuleFault."""
        try:
            return turn_groups(level, level.state.sequence)
        except Exception as error:
            raise RuleFault(0, level.partition) from error

    def is_held(self, level: Level, body: Creature) -> bool:
        """Return whether anything holds a player on a level."""
        return self.turn_groups(level).of(body.number).held

    def end_plan(self, player: Player, text: str, reason: ReasonCode = "ended") -> None:
        """End a player's plan with its reason."""
        assert player.turns.plan_number is not None
        self._answer(player, plan_end(player.turns.plan_number, text, reason))

    def _end_endangered_plans(
        self, level: Level, division: Division, players: dict[int, Player], planning: list[int]
    ) -> None:
        """End the plans that danger interrupts, so that a friend's turn does not wait for them as commands.

        A fight is one command. `planning` are the players whose plans wait for the next step.
        """
        for number in planning:
            player = players[number]
            course = player.turns.running_plan
            if course is not None and (number in division.held_players or isinstance(course.plan, Fight)):
                following = self._steps.proceed(player, level, level.creatures[number], course)
                if isinstance(following, plans.PlanEnded):
                    self.end_plan(player, following.text, following.reason)
                    self._waiting.note(number)

    def _judge(self, level: Level, group: TurnGroup, players: dict[int, Player], now_ms: int) -> TurnStatus:
        clocks = {number: players[number].turns.clock for number in group.players}
        if not group.held:  # a turn in safety waits for no player
            return turn_status(group.players, clocks, frozenset[int]().__contains__, now_ms, held=False)
        return turn_status(
            group.players,
            clocks,
            _able_players(level, group).__contains__,
            now_ms,
            held=True,
            patience_ms=self._patience_ms,
            party_ms=party_patience_ms(
                self._dungeon.realm.parties,
                (players[number].account for number in group.players),
                self._patience_ms,
                self._party_patience_max_ms,
            ),
            down=[number for number in group.players if level.creatures[number].down is not UNSET],
            hurt=lambda number: _is_hurt(level.creatures[number]),
        )

    def _fill(
        self, level: Level, group: TurnGroup, players: dict[int, Player], now_ms: int
    ) -> DueTurn | None:
        """Return a turn group's turn; None if a command is impossible and the turn is not due without it."""
        actions: dict[int, PlayerAction] = {}
        courses: dict[int, plans.RunningPlan | None] = {}
        dropped = False
        able = _able_players(level, group)
        for number in sorted(group.players, key=lambda each: players[each].turns.arrival_order):
            body = level.creatures[number]
            player = players[number]
            if player.turns.clock.waiting_since_ms is None or number not in able:
                continue
            taking = self._steps.take_underfoot(player, level, body)
            if taking is not None:
                actions[number] = PlayerAction(number, *taking)
                continue
            following = self._next_action(player, level, body)
            if following is None:
                dropped = True
                self._waiting.note(number)
            else:
                actions[number], courses[number] = PlayerAction(number, *following[:2]), following[2]
        if dropped and not self._judge(level, group, players, now_ms).due:
            return None
        idle = [number for number in group.players if number not in actions]
        guards = tuple(PlayerAction(number, 0, None) for number in sorted(idle))
        waited_for = able.intersection(idle) if group.held else frozenset()
        return DueTurn(
            level,
            Turn((*actions.values(), *guards)),
            {number: players[number] for number in group.players},
            actions,
            courses,
            {number: level.creatures[number].cell for number in group.players},
            waited_for,
            waited_since_ms(players[number].turns.clock for number in group.players) if waited_for else None,
        )

    def _next_action(
        self, player: Player, level: Level, body: Creature
    ) -> tuple[int, ActionCommand, plans.RunningPlan | None] | None:
        """Return the command for a player's turn, and the rest of their plan.

        An impossible command is answered instead.
        """
        course = player.turns.running_plan
        if player.turns.pending_command is not None:
            number, command = player.turns.pending_command
            if isinstance(command, Plan | Climb):
                begun = self._steps.begin(player, level, body, number, command)
                if isinstance(begun, PlanRefused):
                    self._answer(player, refusal(number, begun.text, begun.reason))
                    return None
                if isinstance(begun, plans.PlanEnded):
                    self._answer(player, plan_end(number, begun.text, begun.reason))
                    return None
                command, course = begun
        elif course is not None:
            following = self._steps.proceed(player, level, body, course)
            if isinstance(following, plans.PlanEnded):
                self.end_plan(player, following.text, following.reason)
                return None
            command, course = following
            number = course.number
        else:
            player.turns.clock.waiting_since_ms = None
            return None
        assert isinstance(command, ActionCommand)
        outcome = _resolve(level, body, command)
        if not isinstance(outcome, Impossible):
            return number, command, course
        if course is not None:
            self._answer(player, Answer(number, "ended", outcome.text, outcome.reason))
        else:
            self._answer(player, refusal(number, outcome.text, outcome.reason))
        return None

    def _answer(self, player: Player, answer: Answer) -> None:
        player.turns.drop_pending()
        player.turns.answered = max(player.turns.answered, answer.number)
        self._refusals.append((player, answer))

    def _note_turn(self, player: Player, now_ms: int, *, acted: bool, waited_since_ms: int | None) -> None:
        clock = player.turns.clock
        clock.turn_ran(now_ms, acted=acted, waited_since_ms=waited_since_ms if clock.connected else None)
        if acted and (player.turns.pending_command, player.turns.running_plan, player.turns.stepped) != (
            None,
            None,
            None,
        ):
            clock.waiting_since_ms = now_ms
        if not player.connection:
            player.turns.turns_alone += 1


def _stepped(level: Level, act: PlayerAction, stood: int) -> int | None:
    """Return the number of a step onto items with the option to pick them up; None for any other action."""
    body = level.creatures.get(act.player)
    led_on = body is not None and body.cell != stood and bool(level.piles.get(body.cell))
    return act.number if led_on and isinstance(act.command, Move) and act.command.pick_up else None


def _by_urgency(
    division: Division, players: dict[int, Player], waiting: list[int]
) -> Iterator[tuple[TurnGroup, bool]]:
    """Yield a level's turn groups in which a turn may be due, each with whether only plans wait there.

    Those come last, the longest waiting first. Most players of a full hall want nothing at a given moment, and the
    first turn group is mostly due: so this finds one after another.
    """
    planned = []
    firsts: Iterable[int] = waiting  # each player in safety is a turn group
    if division.held:
        safe = (number for number in waiting if number not in division.held_players)
        firsts = merge([group.players[0] for group in division.held], safe)
    for at in firsts:
        group = division.of(at)
        since_ms = _plans_since_ms(group, players)
        if since_ms is None:
            yield group, False
        else:
            planned.append((since_ms, at, group))
    for _, _, group in sorted(planned, key=lambda each: each[:2]):
        yield group, True


def _plans_since_ms(group: TurnGroup, players: dict[int, Player]) -> int | None:
    """Return since when plans wait in a turn group with only plans; None for any other turn group."""
    oldest_ms = None
    for number in group.players:
        player = players[number]
        since_ms = player.turns.clock.waiting_since_ms
        if since_ms is None:
            continue
        if player.turns.plan_number is None:
            return None
        oldest_ms = since_ms if oldest_ms is None else min(oldest_ms, since_ms)
    return oldest_ms


def _is_hurt(body: Creature) -> bool:
    """Return whether a body is below half of its health, so that its player gets longer to choose."""
    return 2 * body.hp < body.hp_max


def _able_players(level: Level, group: TurnGroup) -> frozenset[int]:
    """Return the players of a turn group who can act in its next turn. Raises RuleFault, which names the player at fault."""
    try:
        return players_who_can_act(level, group)
    except Exception:  # noqa: BLE001  # asked again one by one
        return frozenset(number for number in group.players if _is_able(level, group, number))


def _is_able(level: Level, group: TurnGroup, number: int) -> bool:
    try:
        return can_act(level, group, level.creatures[number])
    except Exception as error:
        raise RuleFault(number, level.partition) from error


def _resolve(level: Level, body: Creature, command: ActionCommand) -> Outcome:
    try:
        return plan(level, body, command)
    except Exception as error:
        raise RuleFault(body.number, level.partition) from error
