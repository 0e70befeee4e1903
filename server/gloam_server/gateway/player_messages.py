"""Handlers for players' messages: one table with a row for each type."""

from collections.abc import Callable
from typing import Final, get_args

from gloam_server.engine.engine import Engine
from gloam_server.engine.messages import Asked
from gloam_server.engine.player import Player, PlayerCommand
from gloam_server.gateway.caller import Caller
from gloam_server.gateway.chat.chat import Chat
from gloam_server.gateway.joining import Joining
from gloam_server.gateway.login import admission
from gloam_server.gateway.login.authentication import Authenticator
from gloam_server.gateway.login.password_changes import PasswordRequest
from gloam_server.gateway.parties.party_requests import PartyRequests
from gloam_server.gateway.watching.watchers import RealmWatchers
from gloam_shared.protocol.answers import refusal
from gloam_shared.protocol.commands import FreeCommand
from gloam_shared.protocol.messages.chat import Ignore, MapPing, Report, SendChat, Speak
from gloam_shared.protocol.messages.lives import BeginAtBeacon, ChooseKit, JoinFriend, NewLife, SetBeside
from gloam_shared.protocol.messages.login import Error, SetPassword
from gloam_shared.protocol.messages.parties import (
    AnswerInvite,
    InviteToParty,
    LeadParty,
    LeaveParty,
    PartyRequest,
    SetPartyChoices,
)
from gloam_shared.protocol.messages.play import Away, Refresh, SubmitCommand, Thinking
from gloam_shared.protocol.messages.records import Question
from gloam_shared.protocol.messages.watching import EndWatching, SetWatchable
from gloam_shared.protocol.registry import FromClient

_SILENT: Final = (Away, SetWatchable, SetBeside)
"""Messages that do not show that the player is active."""

_WRITING: Final = (NewLife, JoinFriend, ChooseKit, BeginAtBeacon, *get_args(PartyRequest))
"""Messages that write to the journal without a turn."""

_FREE: Final = frozenset(get_args(FreeCommand))
_WAITS: Final = "Too much of what you asked for waits already; wait a moment."


class PlayerMessages:
    """Carries out messages of players, each from its player's present caller."""

    def __init__(
        self,
        engine: Engine,
        authenticator: Authenticator,
        joining: Joining,
        watchers: RealmWatchers,
        parties: PartyRequests,
        chat: Chat,
    ) -> None:
        self._views = engine.views
        self._presence = engine.loop.presence
        self._clock = engine.clock
        self._loop = engine.loop
        self._commits = engine.commits
        self._commands = engine.commands
        self._budget = engine.budget
        self._authenticator = authenticator
        self._joining = joining
        self._watchers = watchers
        self._parties = parties
        self._chat = chat

    def handle(self, player: Player, caller: Caller, message: FromClient) -> None:
        """Carry out one message."""
        if not isinstance(message, _SILENT):
            self._hear(player)
        if isinstance(message, _WRITING):
            if not self._when_paid(player, caller, lambda: self._carry_out(player, caller, message)):
                caller.send(Error("slow", _WAITS))
        else:
            self._carry_out(player, caller, message)

    def _carry_out(self, player: Player, caller: Caller, message: FromClient) -> None:
        match message:
            case SubmitCommand(number, _, command):
                self._put(player, caller, PlayerCommand(number, command))
            case SendChat() | Speak() | MapPing() | Ignore() | Report():
                self._chat.handle(player, message)
            case Thinking():
                self._wait_longer(player)
            case _ if isinstance(message, Question):
                self._commits.when_durable(lambda: self._views.take(Asked(caller.number, message)))
            case Refresh():
                pass  # the view side sends the view
            case NewLife() | JoinFriend():
                self._joining.begin_life(player, caller, message)
            case ChooseKit():
                self._joining.choose_kit(player, caller, message)
            case BeginAtBeacon():
                self._joining.begin_at_beacon(player, caller, message)
            case Away():
                self._presence.set_away(player, away=True, now_ms=self._clock.now_ms())
                self._loop.wake()
            case SetPassword():
                self._set_password(player, caller, message)
            case _:
                self._handle_about_others(player, message)

    def _put(self, player: Player, caller: Caller, command: PlayerCommand) -> None:
        """Queue a command: a debt to the journal delays turns there, and here what takes no turn and all after it."""
        if not player.writing.waiting and type(command.command) not in _FREE:
            self._commands.put(player, command)
        elif not self._when_paid(player, caller, lambda: self._commands.put(player, command)):
            caller.send(refusal(command.number, _WAITS, "slow"))

    def _when_paid(self, player: Player, caller: Caller, call: Callable[[], None]) -> bool:
        """Call a function when the player has no debt to the journal, if the connection is still theirs then."""

        def still_here() -> None:
            if player.connection == caller.number:
                call()

        return self._budget.when_paid(player, still_here)

    def _handle_about_others(self, player: Player, message: FromClient) -> None:
        """Carry out a message about watchers, about the party, or about who may begin beside the player."""
        match message:
            case SetBeside(who):
                player.beside = who
            case SetWatchable() | EndWatching():
                self._watchers.hear_player(player, message)
            case InviteToParty() | AnswerInvite() | LeaveParty() | SetPartyChoices() | LeadParty():
                self._parties.hear(player, message)
            case _:
                raise TypeError(f"{type(message).__name__} is no message of a player in play")

    def _hear(self, player: Player) -> None:
        """Note that the player is active; an absence message does not count."""
        player.attendance.heard_ms = self._clock.now_ms()
        if player.attendance.away.now:
            self._presence.set_away(player, away=False, now_ms=player.attendance.heard_ms)

    def _wait_longer(self, player: Player) -> None:
        """Let the turn wait longer for a player who is choosing, and notify the others; no choice is made for them now."""
        if player.turns.safe_since_ms is not None:
            player.turns.safe_since_ms = self._clock.now_ms()
        if player.turns.clock.start_choosing(self._clock.now_ms()):
            self._loop.wake()

    def _set_password(self, player: Player, caller: Caller, message: SetPassword) -> None:
        self._authenticator.change_password(
            caller.address,
            PasswordRequest(
                player.account,
                player.name,
                player.device,
                message.new,
                message.old,
                resumed=player.resume.resumed,
            ),
            lambda answer: caller.send(admission.password_answer(answer)),
        )
