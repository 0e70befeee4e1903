"""The questions that need no login: the status, the ladder, the news, the dungeons of the host."""

from typing import Final

from msgspec.structs import replace

from gloam_server.engine.engine import Engine
from gloam_server.engine.health import problems
from gloam_server.gateway.caller import Caller
from gloam_server.gateway.dungeon_list import DungeonList
from gloam_server.gateway.host_ladder import HostLadder
from gloam_server.gateway.login.authentication import Authenticator
from gloam_server.gateway.parties.party_requests import PartyRequests
from gloam_server.sessions.token_bucket import TokenBucket
from gloam_shared import limits
from gloam_shared.protocol.messages.dungeons import AskDungeons
from gloam_shared.protocol.messages.login import AskStatus, Error, Status
from gloam_shared.protocol.messages.records import AskLadder, AskNews

_MANY_ASK: Final = Error("slow", "Many ask for ladder and news now; try again in a moment.")


class OpenQuestions:
    """Answers them. Players and watchers ask for the ladder, too."""

    def __init__(
        self,
        engine: Engine,
        door: Authenticator,
        parties: PartyRequests,
        version: str,
        dungeons: DungeonList | None = None,
        ladder: HostLadder | None = None,
    ) -> None:
        self._engine = engine
        self._door = door
        self._parties = parties
        self._version = version
        self._dungeons = dungeons
        self._ladder = ladder
        self._strangers = TokenBucket(limits.LADDER_STRANGERS_PER_S, limits.LADDER_STRANGERS_BURST)

    def answer(self, caller: Caller, question: AskStatus | AskLadder | AskNews | AskDungeons) -> None:
        """Answer a question; without a login, nothing else follows on that connection but after the dungeons."""
        match question:
            case AskDungeons():
                if self._dungeons is not None:
                    self._dungeons.show(caller)
                return
            case AskStatus():
                caller.send(self._status())
            case AskLadder():
                self._show_ladder(caller, question)
                return
            case AskNews():
                self._show_news(caller)
        self._answered(caller)

    def _answered(self, caller: Caller) -> None:
        if not caller.logged_in:
            caller.hang_up()

    def _status(self) -> Status:
        engine = self._engine
        ready = not problems(engine.statistics, engine.clock.seconds())
        players = engine.players.count_connected()
        return Status(ready, engine.dungeon.campaign.key, players, self._version, self._door.is_open)

    def _show_ladder(self, caller: Caller, ask: AskLadder) -> None:
        """Send a board. All who ask without a login share one limit: a board costs more than a status."""
        if not caller.logged_in and not self._strangers.take(self._engine.clock.now_ms()):
            caller.send(_MANY_ASK)
            self._answered(caller)
            return
        player = self._engine.players.by_account(caller.player)
        if ask.span == "party" and not ask.party and player is not None:
            ask = replace(ask, party=self._parties.names(player))
        board = self._engine.boards.board(ask)
        if self._ladder is not None and ask.span != "party":
            self._ladder.show(caller, ask, board, lambda: self._answered(caller))
            return
        caller.send(board)
        self._answered(caller)

    def _show_news(self, caller: Caller) -> None:
        """Send the news of the week, within the limit of boards."""
        is_free = self._strangers.take(self._engine.clock.now_ms())
        caller.send(self._engine.boards.news() if is_free else _MANY_ASK)
