"""The journal budget: how much each player's actions may write to the journal, and what waits when it is spent.

A turn of a player may send a whole body to another level, so some messages of a few bytes write thousands. What a player
has written beyond the budget is a debt: their turns and messages wait until it is paid, and the others' do not.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final

from gloam_server.engine.game_clock import GameClock
from gloam_server.engine.messages import Say, Views
from gloam_server.engine.player import Player
from gloam_server.engine.players import Players
from gloam_server.world.model import inputs
from gloam_server.world.transition.dungeon import Applied, Dungeon
from gloam_shared import limits
from gloam_shared.level_numbers import PartitionId
from gloam_shared.protocol.messages.login import Error

ROW_BYTES: Final = 34
"""The bytes of a record in the file besides its input: its numbers, its checksum, its part of an index."""

_SHARES_MS: Final = 1_000
"""The interval at which the players are counted who share what all may write."""


def journal_size(applied: Iterable[Applied]) -> int:
    """Return the bytes that records take in the journal."""
    size = 0
    for each in applied:  # a comprehension is one more call, of every input
        size += len(each.body) + ROW_BYTES
    return size


class JournalBudget:
    """Charges players for the records of their inputs, and says who waits, until when."""

    def __init__(self, dungeon: Dungeon, players: Players, clock: GameClock, views: Views) -> None:
        self._dungeon = dungeon
        self._players = players
        self._clock = clock
        self._views = views
        self._per_min = limits.JOURNAL_PER_MIN
        self._counted_ms = 0
        self._payers: Sequence[Player] = ()
        self.in_debt: dict[int, Player] = {}
        """The players who wait, by account."""

    def begin(self, partition: PartitionId, input_: inputs.Input) -> None:
        """Note who pays for an input, before it is applied: afterwards a body may be gone."""
        if isinstance(input_, inputs.Turn):  # nearly all there is; the players of a level are known together
            here = self._players.on_level(self._dungeon.levels[partition])
            self._payers = [
                here[act.player] for act in input_.acts if act.command is not None and act.player in here
            ]
        elif not isinstance(
            input_, inputs.UnattendedTurn
        ):  # it follows a turn of players, who pay for it, too
            players = map(self._players.by_account, self._accounts(partition, input_))
            self._payers = [player for player in players if player is not None]

    def charge(self, applied: Iterable[Applied]) -> None:
        """Charge the players who pay for the records of the input that has begun, in equal parts."""
        if not self._payers:
            return
        size = 0
        for each in applied:  # for each input: a call of `journal_size` is saved
            size += len(each.body) + ROW_BYTES
        now_ms = self._clock.now_ms()
        per_min = self._per_min if now_ms - self._counted_ms < _SHARES_MS else self._share(now_ms)
        for player in self._payers:
            player.writing.spend(size // len(self._payers), per_min, now_ms)
            if player.writing.left < 0:
                self._note_debt(player, player.writing.wait_ms(per_min))

    def wait_ms(self, player: Player) -> int:
        """Return how long a player's actions wait; 0 for not at all."""
        if player.account not in self.in_debt:
            return 0
        now_ms = self._clock.now_ms()
        per_min = self._share(now_ms)
        player.writing.spend(0, per_min, now_ms)
        wait_ms = player.writing.wait_ms(per_min)
        if not wait_ms:
            del self.in_debt[player.account]
        return wait_ms

    def group_wait_ms(self, numbers: Iterable[int], players: Mapping[int, Player]) -> int:
        """Return how long the turn of a group waits: as long as all its players with a command are in debt."""
        return min(
            (
                self.wait_ms(players[number])
                for number in numbers
                if players[number].turns.clock.waiting_since_ms is not None
            ),
            default=0,
        )

    def when_paid(self, player: Player, call: Callable[[], None]) -> bool:
        """Call a function now, or when the player's debt is paid and what waits before it is done.

        Return False if too much waits: it is not called.
        """
        waiting = player.writing.waiting
        if not waiting and not self.wait_ms(player):
            call()
            return True
        if len(waiting) >= limits.JOURNAL_WAITING_MAX:
            return False
        waiting.append(call)
        if len(waiting) == 1:
            self._look_later(player)
        return True

    def _look_later(self, player: Player) -> None:
        self._clock.reactor.callLater(self.wait_ms(player) / 1_000, self._release, player)

    def _release(self, player: Player) -> None:
        """Do what waits, until the player is in debt again."""
        waiting = player.writing.waiting
        while waiting and not self.wait_ms(player):
            waiting.popleft()()
        if waiting:
            self._look_later(player)

    def _note_debt(self, player: Player, wait_ms: int) -> None:
        """Let a player wait, and say so once: the next sentence is sent after the half of the burst was there again."""
        self.in_debt[player.account] = player
        if not player.writing.told and player.connection:
            player.writing.told = True
            words = (
                "You act faster than the server may write for one player: what you do now waits, "
                f"up to {-(-wait_ms // 1_000)} s each time."
            )
            self._views.take(Say(player.connection, Error("slow", words)))

    def _accounts(self, partition: PartitionId, input_: inputs.Input) -> list[int]:
        """Return the accounts of the players who want an input."""
        match input_:
            case inputs.FreeAction(number) | inputs.Leave(number) | inputs.TakeKit(number):
                body = self._dungeon.levels[partition].creatures.get(number)
                return [body.account] if body is not None else []
            case (
                inputs.EnterPlay()
                | inputs.RestoreLife()
                | inputs.JoinParty()
                | inputs.LeaveParty()
                | inputs.LeadParty()
                | inputs.ChooseInParty()
            ):
                return [input_.account]
            case _:
                return []

    def _share(self, now_ms: int) -> int:
        """Return how many bytes a minute each player may write: less if many share what all may write."""
        if now_ms - self._counted_ms >= _SHARES_MS:
            self._counted_ms = now_ms
            share = limits.JOURNAL_ALL_PER_MIN // max(1, self._players.count_connected())
            self._per_min = max(limits.JOURNAL_PER_MIN_LEAST, min(limits.JOURNAL_PER_MIN, share))
        return self._per_min
