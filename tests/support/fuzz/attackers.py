"""Attackers: connections to a live server that say hello, log in, play, and send anything in any state."""

from collections.abc import Callable
from typing import Any

from gloam_server.engine.player import Player
from gloam_shared import limits
from gloam_shared.protocol.codec import decode_from_server, encode
from gloam_shared.protocol.commands import AnyCommand
from gloam_shared.protocol.framing import Framer, FrameWriter, first_frame, frame
from gloam_shared.protocol.messages import play
from gloam_shared.protocol.messages.login import Goodbye, Hello, Login
from gloam_shared.protocol.messages.watching import WatchLogin
from gloam_shared.protocol.registry import CLIENT_MESSAGES, PROTOCOL_VERSION, FromClient
from support.fuzz import broken_frames, typed_values
from support.server.sim_server import SimServer
from support.server.transports import Wire, address, connect
from support.simulation.randomness import Chance

NAMES = tuple(f"Foe{letter}" for letter in "ABCDEFGH")
"""Few, so that attackers take lines over from each other."""
_COMMANDS = typed_values.makers(AnyCommand)
_COMMAND_MAKERS = list(_COMMANDS.values())
_MESSAGES = typed_values.makers(FromClient)
_MOVE = 1
_OTHERWISE = {play.SubmitCommand, Goodbye}
"""Messages in play that have a share of their own in what is sent."""
_SMALL_TALK = tuple(
    kind
    for kind, row in CLIENT_MESSAGES.items()
    if row.phases & {"playing", "watching"} and kind not in _OTHERWISE
)
_CELLED = {21: 1, 12: 2, 13: 1, 11: 2, 14: 2}
"""The position of the cell in the commands that aim at one."""
_HANDLED = {15: 2, 18: 1, 30: 1, 31: 1}
"""The position of the handle in the commands that name a creature."""

_WATCHES = 2


class Attacker:
    """One line after another. `role` 0 never says hello, 1 never logs in, 2 watches, the others play."""

    def __init__(self, server: SimServer, chance: Chance, role: int) -> None:
        self._server = server
        self._chance = chance
        self._role = role
        self._number = 0
        self._pieces: list[bytes] = []
        self._up = self._heard = False

    def prepare(self) -> str:
        """Make the next input, dialling again if need be; return it as it is shown."""
        if not self._up:
            self._dial()
        data = self._any_data()
        self._pieces = broken_frames.sliced(self._chance, data)
        return f"{self._connection.session.state if self._up else 'down'} {data.hex()}"

    def send(self) -> None:
        """Send what was prepared, piece by piece; now and then the line breaks."""
        for piece in self._pieces:
            if self._up and not self._wire.closed:
                self._connection.dataReceived(piece)
            if len(self._pieces) > 1:
                self._server.clock.advance(0.001)
        luck = self._chance.random()
        if luck < 0.01:
            self.hang_up()
        elif luck < 0.02:
            self._connection.pauseProducing()
        elif self._connection.paused and luck < 0.2:
            self._connection.resumeProducing()

    def take(self) -> None:
        """Take what the server has said, and hang up if it closed the line."""
        sent = bytes(self._wire.sent)
        self._wire.sent.clear()
        if sent and self._chance.random() < 0.1 and not sent.startswith(b"This is"):
            framer = Framer(limits.FRAME_FROM_SERVER_MAX)
            if self._heard:
                framer.feed(first_frame(b""))
            for body in framer.feed(sent):
                decode_from_server(body)
        self._heard = self._heard or bool(sent)
        if self._wire.closed:
            self.hang_up()

    def hang_up(self) -> None:
        """Cut the line."""
        if self._up:
            self._up = False
            self._connection.connectionLost()

    def _dial(self) -> None:
        chance = self._chance
        host = "127.0.0.1" if chance.random() < 0.7 else f"198.51.100.{chance.randrange(250)}"
        self._wire = Wire()
        self._connection = self._server.factory.buildProtocol(address(host))
        connect(self._connection, self._wire)
        self._up = not self._wire.closed
        self._frames = FrameWriter()
        self._heard = False
        name = chance.choice(NAMES)
        self._say(Hello(PROTOCOL_VERSION, "fuzz"), self._role > 0)
        token = name.encode().ljust(limits.TOKEN_SIZE, b".")
        comes = WatchLogin(name, token) if self._role == _WATCHES else Login(name, token)
        self._say(comes, self._role > 1)
        self._server.clock.advance(0)
        self._server.clock.advance(0.001)

    def _say(self, message: FromClient, wanted: bool) -> None:
        if wanted and self._up and not self._wire.closed:
            self._connection.dataReceived(self._frames.frame(encode(message)))

    def _any_data(self) -> bytes:
        luck = self._chance.random()
        if luck < 0.03:
            return broken_frames.raw_bytes(self._chance)
        if luck < 0.05:
            return broken_frames.misframed(self._chance, broken_frames.pack(self._any_message()))
        if luck < 0.11:
            return self._frames.frame(
                broken_frames.bitten(self._chance, broken_frames.pack(self._any_message()))
            )
        if luck < 0.24:
            return self._frames.frame(
                broken_frames.pack(typed_values.spoiled(self._chance, self._any_message()))
            )
        if luck < 0.25:  # many together
            return frame(broken_frames.pack(self._any_message())) * self._chance.choice((2, 30, 80))
        return self._frames.frame(broken_frames.pack(self._any_message()))

    def _any_message(self) -> Any:
        chance = self._chance
        luck = chance.random()
        if luck < 0.7:
            return self._command()
        if luck < 0.95:
            kind = chance.choice(_SMALL_TALK)
            made = _MESSAGES[kind](chance)
            return [made[0], self._ack()] if kind is play.Acknowledge else made
        if luck < 0.96:
            return _MESSAGES[Goodbye](chance)
        return chance.choice(list(_MESSAGES.values()))(chance)

    def _command(self) -> Any:
        chance = self._chance
        self._number += chance.choice((0, 1, 1, 1, 1, 2))
        if chance.random() < 0.4:
            command: Any = [_MOVE, chance.randint(-1, 1), chance.randint(-1, 1)]
        else:
            command = self._aimed(chance.choice(_COMMAND_MAKERS)(chance))
        number = chance.choice(typed_values.NUMBERS) if chance.random() < 0.01 else max(1, self._number)
        return [_tag(play.SubmitCommand), number, self._ack(), command]

    def _ack(self) -> int:
        """Return the newest patch that was sent: what was never sent ends the line, so that is seldom claimed."""
        client = self._server.view_side.clients.by_account(self._connection.player)
        if client is None or client.view is None or self._chance.random() < 0.03:
            return self._chance.randrange(50)
        return client.view.writer.patch

    def _aimed(self, command: list[Any]) -> list[Any]:
        """Return a command with its cell or creature taken from where the attacker stands."""
        player = self._player()
        in_play = None if player is None else self._server.engine.players.in_dungeon(player.account)
        if in_play is None or self._chance.random() < 0.3:
            return command
        _, level, body = in_play
        if (at := _CELLED.get(command[0])) is not None and len(command) > at:
            near = body.cell + self._chance.randint(-3, 3) + level.grid.width * self._chance.randint(-3, 3)
            command[at] = max(0, min(len(level.terrain) - 1, near))
        if (at := _HANDLED.get(command[0])) is not None:
            command[at] = self._chance.choice(list(level.handles.values()))
        if len(command) > 1 and command[0] in _SLOTTED and self._chance.random() < 0.7:
            command[1] = self._chance.randrange(8)
        return command

    def _player(self) -> Player | None:
        return self._server.engine.players.by_account(self._connection.player)


def _tag(kind: Callable[..., Any]) -> int:
    return int(kind.__struct_config__.tag)  # type: ignore[attr-defined]  # every message has one


_SLOTTED = frozenset({5, 6, 7, 8, 9, 11, 12, 15, 17})
"""Commands whose first part is the slot of a thing that is carried."""
