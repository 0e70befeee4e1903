"""The client's side of the conversation: bytes in, messages and a view out. No socket, no clock, no screen."""

from dataclasses import dataclass, field
from typing import Final, NamedTuple

from gloam_client.net.many_dungeons import ManyDungeons
from gloam_client.net.view_check import is_valid_view
from gloam_shared import limits
from gloam_shared.protocol import registry
from gloam_shared.protocol.codec import Malformed, encode
from gloam_shared.protocol.commands import AnyCommand, FreeCommand
from gloam_shared.protocol.compression import DEFLATE
from gloam_shared.protocol.framing import ForeignProtocol, FrameTooLarge, FrameWriter
from gloam_shared.protocol.messages import play
from gloam_shared.protocol.messages.chat import SendChat
from gloam_shared.protocol.messages.dungeons import DUNGEONS, AskDungeons, Dungeons
from gloam_shared.protocol.messages.lives import BESIDE_CHOICE, Died, SetBeside, WhoBeside
from gloam_shared.protocol.messages.login import (
    Bye,
    Error,
    Joined,
    Login,
    Resume,
    ResumeToken,
    SetPassword,
    Welcome,
    hello_of,
)
from gloam_shared.protocol.messages.watching import (
    GUEST_WATCH,
    SetWatchable,
    Watch,
    Watchable,
    WatchChoice,
    Watching,
    WatchLogin,
)
from gloam_shared.protocol.server_stream import ServerStream
from gloam_shared.protocol.updates import UpdateReader
from gloam_shared.view.view import NOWHERE, View

CLIENT_ABILITIES: Final = (DEFLATE, *registry.ABILITIES)
"""The abilities of this client."""

_OLDER_SERVER: Final = Bye(
    "version",
    f"The server speaks an older protocol than {registry.PROTOCOL_OLDEST}, the oldest of this client: its host upgrades it with "
    "`pip install .` in a newer clone.",
)
"""The message for a server that cannot read this client's greeting."""
_NO_WATCHERS: Final = "This server is older and lets no one watch; its host can upgrade it."
WATCH_OVER: Final = "watching"
"""The code with which a guest's watching is over."""
_UNWATCHED: Final = SetWatchable(allowed=False)
_NO_GUESTS: Final = "This host lets no one watch by a link."
_UNREAD: Final = frozenset({"malformed", "type", "unknown"})
_MISFIT: Final = "The server's picture of the level does not fit this client's."


class ProtocolBroken(Exception):
    """The server broke the protocol, and the connection cannot continue.

    `code` is for programs, `text` for people.
    """

    def __init__(self, code: str, text: str) -> None:
        super().__init__(text)
        self.code = code
        self.text = text


class Unanswered(NamedTuple):
    """The newest unanswered command, and when the wait for its answer began."""

    number: int
    command: AnyCommand
    since_ms: int


@dataclass(slots=True)
class _Line:
    """The state of one connection; the next one begins with a new one."""

    stream: ServerStream = field(default_factory=lambda: ServerStream(limits.FRAME_FROM_SERVER_MAX))
    frames: FrameWriter = field(default_factory=FrameWriter)
    outgoing: bytearray = field(default_factory=bytearray)
    updates: UpdateReader = field(default_factory=UpdateReader)
    ack_owed_since_ms: int | None = None
    greeted: bool = False
    choice: WatchChoice | None = None
    """The people who may watch, as the server keeps it; None from a server that keeps none."""


class ProtocolClient:
    """One player's conversation over one connection after another; feed it bytes, send `outgoing()`.

    `life` is the number of the player's life, 0 before `Joined`: a command of one life is not sent in
    another. `watches` says that it logs in to watch, and `watched` is the player whose view it asks for. `watchable`
    says whether this player allows players to watch, and guests, `beside` who may begin beside them. `abilities` are offered to the server. With
    `asks_dungeons` it first asks which dungeons the host has, and raises ManyDungeons if there are several.
    """

    def __init__(
        self,
        name: str,
        token: bytes,
        agent: str,
        *,
        password: str = "",
        invite: str = "",
        watches: bool = False,
        watched: str = "",
        watchable: SetWatchable = _UNWATCHED,
        beside: WhoBeside = "party",
        abilities: tuple[str, ...] = CLIENT_ABILITIES,
        asks_dungeons: bool = False,
    ) -> None:
        self.name = name
        self.asks_dungeons = asks_dungeons
        self._abilities = (*abilities, DUNGEONS) if asks_dungeons else abilities
        self.watches = watches
        self.watched = watched
        self.watchable = watchable
        self.beside: WhoBeside = beside
        self.view: View = NOWHERE
        self.joined = False
        self.done = 0
        self.pace = play.Pace(held=False, waiting=False, plan=False)
        self.round_trip_ms: int | None = None
        self.unanswered: Unanswered | None = None
        self.heard_ms = 0
        self.login = Login(name, token, password, invite)
        self._agent = agent
        self._resume = b""
        self._resuming = False
        self.life = 0
        self._queued_commands: list[tuple[int, AnyCommand]] = []
        self._number = 0
        self._line = _Line()
        self._known: tuple[str, ...] = ()
        """The abilities of the server."""

    @property
    def unanswered_since_ms(self) -> int | None:
        """The time from which a command of this player waits for its answer; None if all are answered."""
        return self.unanswered.since_ms if self.unanswered else None

    @property
    def tick_due_ms(self) -> int | None:
        """Return when `tick` next has something to do; None for never."""
        if self._line.ack_owed_since_ms is None:
            return None
        return self._line.ack_owed_since_ms + limits.ACK_DELAY_MS

    @property
    def _is_guest(self) -> bool:
        """True for a client that watches without a name: one player, and then it is over."""
        return self.watches and not self.login.name

    def connected(self, now_ms: int) -> None:
        """Start on a new connection: drop the old one's partial bytes, and resume or log in."""
        self._line = _Line()
        self.joined = False
        self.heard_ms = now_ms
        self.send(hello_of(registry.PROTOCOL_VERSION, self._agent, registry.PROTOCOL_OLDEST, self._abilities))
        if self.watches or self.asks_dungeons:
            return  # an older server has neither watchers nor dungeons: its welcome says so
        self._log_in()

    def receive(self, data: bytes, now_ms: int) -> list[registry.FromServer]:
        """Take bytes and return the messages that they complete, already handled. Raises ProtocolBroken.

        Messages about resuming are not returned.
        """
        self.heard_ms = now_ms
        try:
            messages = self._line.stream.feed(data)
        except ForeignProtocol as error:
            raise ProtocolBroken(
                "foreign", "What answers there is no Gloam server; check the port."
            ) from error
        except FrameTooLarge as error:
            raise ProtocolBroken("frame", "The server sent a message that is too long.") from error
        except Malformed as error:
            raise ProtocolBroken(
                error.code, "The server sent a message that this client cannot read; upgrade the older side."
            ) from error
        return [message for message in map(self._understood, messages) if self._process(message, now_ms)]

    def command(self, command: AnyCommand, now_ms: int) -> int:
        """Number a command, queue it, and return its number. It is sent again after a cut until it is answered.

        A free command does not replace a waiting one: it is sent when the other is answered. Otherwise a cut
        could lose the older one, because the answer to the newer counts for both.
        """
        self._number += 1
        waiting = self.unanswered
        if self._queued_commands or (
            waiting and (isinstance(command, FreeCommand) or isinstance(waiting.command, FreeCommand))
        ):
            if (
                self._queued_commands
                and not isinstance(self._queued_commands[-1][1], FreeCommand)
                and not isinstance(command, FreeCommand)
            ):
                self._queued_commands.pop()  # replaced before it was sent
            self._queued_commands.append((self._number, command))
        else:
            self._put(self._number, command, waiting.since_ms if waiting else now_ms)
        return self._number

    def watch(self, name: str) -> None:
        """Ask for the view of a player, now and after each cut; "" asks for none."""
        self.watched = name
        if self.joined:
            self.send(Watch(name))

    def allow_watching(self, watchable: SetWatchable) -> None:
        """Say, now and after each login, whether players may watch this player, and guests.

        A server that keeps the choice hears it only before the player has chosen.
        """
        self.watchable = watchable
        if self.joined and self._line.choice is None:
            self._tell_watchable()

    def allow_beside(self, who: WhoBeside) -> None:
        """Say, now and after each login, who may begin a life beside this player."""
        self.beside = who
        if self.joined:
            self._tell_beside()

    def say(self, text: str) -> None:
        """Send a chat line to all players."""
        self.send(SendChat(text))

    def send(self, message: registry.FromClient) -> None:
        """Queue any message.

        A first password is sent with this device's token, which a resumed connection has not shown.
        """
        if isinstance(message, SetPassword) and not message.old:
            message = SetPassword(message.new, self.login.token.hex())
        self._line.outgoing += self._line.frames.frame(encode(message))

    def tick(self, now_ms: int) -> None:
        """Send the acknowledgement that no command has carried in time."""
        due_ms = self.tick_due_ms
        if due_ms is not None and now_ms >= due_ms:
            self._line.ack_owed_since_ms = None
            self.send(play.Acknowledge(self._line.updates.patch))

    def outgoing(self) -> bytes:
        """Return and clear the bytes to send."""
        data = bytes(self._line.outgoing)
        self._line.outgoing.clear()
        return data

    def _understood(self, message: registry.FromServer) -> registry.FromServer:
        """Return a message, with a plain one for a server too old to read the greeting."""
        if isinstance(message, Bye) and message.code in _UNREAD and not self._line.greeted:
            return _OLDER_SERVER
        return message

    def _process(self, message: registry.FromServer, now_ms: int) -> bool:
        """Handle a message; return whether other parts of the client need it."""
        match message:
            case ResumeToken(token=token):
                self._resume = token
                return False
            case Error(code="auth" | "expired") if self._resuming:
                self._resume, self._resuming = b"", False
                self.send(self.login)
                return False
            case Error(code="rate") if self.unanswered:  # the server dropped it, and answers it no more
                self._take_answer(self.unanswered.number, now_ms)
            case Welcome() | Dungeons():
                self._greet(message)
            case Watchable() if self.watches and not self.joined:
                self._begin_watching()
            case Watching(name="", text=text) | Error("watching", text) if self._is_guest:
                raise ProtocolBroken(WATCH_OVER, text)
            case Watching(name=name) if self.watches:
                self.watched = name
            case WatchChoice():
                self._line.choice = message
            case Joined():
                self._join(message, now_ms)
            case play.Update():
                self._update(message, now_ms)
            case Died():
                self._queued_commands.clear()  # commands of a life that is over
                self.unanswered = None  # older servers did not answer a command of the turn that ended it
            case play.Answer(number=number):
                self._take_answer(number, now_ms)
            case play.Pace():
                self.pace = message
            case play.Heartbeat(number=number, ms=ms):
                self.round_trip_ms = ms
                self.send(play.HeartbeatReply(number))
            case _:
                pass
        return True

    def _greet(self, welcome: Welcome | Dungeons) -> None:
        if isinstance(welcome, Dungeons):
            if self.asks_dungeons and len(welcome.rows) > 1:
                raise ManyDungeons(welcome)
            if self.asks_dungeons:
                self._log_in()
            return
        protocol = welcome.protocol
        if not registry.PROTOCOL_OLDEST <= protocol <= registry.PROTOCOL_VERSION:
            raise ProtocolBroken(
                "version",
                f"The server speaks protocol {protocol}, this client {registry.PROTOCOL_VERSION}; upgrade the older side with "
                "`pip install .` in a newer clone.",
            )
        self._line.greeted = True
        self._known = welcome.abilities
        if self.asks_dungeons and DUNGEONS in self._known:
            self.send(AskDungeons())
        elif self.asks_dungeons or self.watches:
            self._log_in()

    def _log_in(self) -> None:
        """Resume, or log in to play or to watch; to watch, the welcome must have said that this is possible."""
        login, self.asks_dungeons = self.login, False
        if not self.watches:
            self._resuming = bool(self._resume)
            self.send(Resume(self.name, self._resume) if self._resuming else login)
        elif "watch" not in self._known:
            raise ProtocolBroken("version", _NO_WATCHERS)
        elif self._is_guest and GUEST_WATCH not in self._known:
            raise ProtocolBroken(WATCH_OVER, _NO_GUESTS)
        else:
            self.send(WatchLogin(login.name, login.token, login.password, login.invite))

    def _begin_watching(self) -> None:
        """Note that the login to watch was successful, and ask for the view of before the cut again."""
        self.joined = True
        self.login = Login(self.login.name, self.login.token)
        if self.watched:
            self.send(Watch(self.watched))

    def _tell_watchable(self) -> None:
        if "watch" in self._known and not self.watches:
            self.send(self.watchable)

    def _tell_beside(self) -> None:
        if BESIDE_CHOICE in self._known and not self.watches:
            self.send(SetBeside(self.beside))

    def _join(self, message: Joined, now_ms: int) -> None:
        self.joined, self._resuming = True, False
        self.name = message.name
        self.login = Login(self.login.name, self.login.token)  # this device is known from now on
        self._number = max(self._number, message.number)
        if message.life != self.life:
            self.life = message.life
            self.unanswered = None
            self._queued_commands.clear()
        waiting = self.unanswered
        if waiting and waiting.number > message.number:
            self._send_command(waiting)
        self._take_answer(message.number, now_ms)
        if not self._line.choice.who if self._line.choice is not None else self.watchable.allowed:
            self._tell_watchable()
        if self.beside != "party":
            self._tell_beside()

    def _update(self, message: play.Update, now_ms: int) -> None:
        try:
            view = self._line.updates.read(message)
        except (ValueError, IndexError) as error:
            raise ProtocolBroken("patch", _MISFIT) from error
        if not is_valid_view(view):
            raise ProtocolBroken("patch", _MISFIT)
        self.view = view
        if self._line.ack_owed_since_ms is None:
            self._line.ack_owed_since_ms = now_ms
        self._take_answer(message.done, now_ms)

    def _take_answer(self, number: int, now_ms: int) -> None:
        self.done = max(self.done, number)
        if self.unanswered and self.unanswered.number <= number:
            self.unanswered = None
            if self._queued_commands:
                self._put(*self._queued_commands.pop(0), now_ms)

    def _put(self, number: int, command: AnyCommand, since_ms: int) -> None:
        """Queue a command as the newest unanswered one."""
        self.unanswered = Unanswered(number, command, since_ms)
        if self.joined:
            self._send_command(self.unanswered)

    def _send_command(self, waiting: Unanswered) -> None:
        self._line.ack_owed_since_ms = None
        self.send(play.SubmitCommand(waiting.number, self._line.updates.patch, waiting.command))
