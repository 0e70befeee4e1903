"""Inputs to the client: frames of a hostile server through all of it up to the painter, with keys pressed in between.

On any input, the link goes on or breaks with a reason, and what is written to the terminal is the client's own: its few
sequences, and clusters of certain width.
"""

import re
from collections import Counter
from functools import cache
from typing import Any, Final

from msgspec.structs import replace

from gloam_client.game_session import messages_received
from gloam_client.input import keymap
from gloam_client.net.key_repeat import KeyRepeat
from gloam_client.net.protocol_client import ProtocolBroken, ProtocolClient
from gloam_client.render.frame import draw
from gloam_client.screens.play import Play
from gloam_client.state import client_effects, client_events
from gloam_client.state.model import Model
from gloam_client.state.options import DEFAULTS
from gloam_client.state.records import SurfaceFacts
from gloam_client.terminal.painter import DEPTHS, Painter
from gloam_client.update import update
from gloam_shared import limits
from gloam_shared.protocol.codec import encode
from gloam_shared.protocol.commands import Explore
from gloam_shared.protocol.framing import first_frame, frame
from gloam_shared.protocol.messages.login import Joined, Welcome
from gloam_shared.protocol.messages.play import Update
from gloam_shared.protocol.registry import PROTOCOL_VERSION, FromServer
from gloam_shared.text import as_cell, clusters
from gloam_shared.view.patch import diff
from gloam_shared.view.view import NOWHERE
from support.client.fake_server import level_view
from support.content.campaigns import shipped
from support.fuzz import broken_frames, typed_values
from support.fuzz.rounds import Faults
from support.server.sim_server import SimServer
from support.simulation.randomness import Chance

MESSAGES = typed_values.makers(FromServer)
NEAR = typed_values.makers(FromServer, numbers=(0, 12))
"""With numbers that fit a small level, so that patches fit the view that they are for."""
KEYS: Final = sorted({key for row in keymap.table("vi") for key in row.keys} | set("abcdefghz 0-/\u00e9"))
SIZES: Final = ((80, 24), (44, 20), (60, 20), (132, 50), (43, 19), (1, 1), (200, 60))
OWN: Final = re.compile(r"\x1b\[(?:\d+(?:;\d+)?H|\d*[ABCD]|\d+(?:;\d+)*m|2J|\?2026[hl])|\x08{1,3}")
"""Every sequence that the painter may write: move, step up, down or aside, style, clear, and the marks round a whole frame.

Up to three backspaces are steps to the left. One of a server's would be another character than the cell it stands in.
"""
_LINK_ALONE = 0.8
_DRAWN = 0.06
_PRESSED = 0.2
_WHOLE = 0.03
"""Of the lines that are made again this many begin with a whole view of a real game."""


class ClientRound:
    """One round: a client that has joined, and a server that means harm."""

    def __init__(self, chance: Chance, _at: int, faults: Faults) -> None:
        self.chance = chance
        self.shown = ""
        self.tally: Counter[str] = Counter()
        self._faults = faults
        self._now_ms = 0
        self._link = ProtocolClient("Ann", b"t" * limits.TOKEN_SIZE, "fuzz")
        self._bare = ProtocolClient("Ann", b"t" * limits.TOKEN_SIZE, "fuzz")
        self._repeats = KeyRepeat(self._link)
        self._painter = Painter(chance.choice(DEPTHS), synchronized=chance.random() < 0.5)
        options = replace(DEFAULTS, glyphs=chance.choice(("ascii", "cp437", "unicode")))
        self._model = Model(
            (Play(),),
            options,
            surface=SurfaceFacts(size=chance.choice(SIZES), unicode=options.glyphs != "ascii"),
        )
        self._happen(client_events.JoinStarted("Ann", "evil.example"))
        self._connect()

    def step(self) -> None:
        """Send one more input, and perhaps press a key and draw."""
        chance = self.chance
        self._now_ms += chance.choice((0, 5, 50, 50, 700))
        data = self._data()
        self.shown = data.hex()
        if chance.random() < _LINK_ALONE:
            self._to_link(data)
            return
        for piece in broken_frames.sliced(chance, data):
            self._receive(piece)
        if chance.random() < _PRESSED:
            for _ in range(chance.choice((1, 2, 4))):
                self._press()
        if chance.random() < _DRAWN:
            self._draw()

    def _to_link(self, data: bytes) -> None:
        """Send an input to a link that no one looks at: framing, decoding and patches, and no screen."""
        self.tally["to a link alone"] += 1
        link = self._bare
        try:
            self.tally["messages to it"] += len(link.receive(data, self._now_ms))
        except ProtocolBroken as fault:
            _check_reason(fault)
            link.connected(self._now_ms)
            link.receive(GREETING, self._now_ms)
            if self.chance.random() < _WHOLE:
                link.receive(frame(encode(self.chance.choice(small_views()))), self._now_ms)
        link.tick(self._now_ms)
        link.outgoing()

    def end(self) -> None:
        """Draw once more in every size."""
        for size in SIZES:
            self._happen(client_events.Resized(*size))
            self._draw()

    def _data(self) -> bytes:
        chance = self.chance
        luck = chance.random()
        if luck < 0.06:
            return broken_frames.raw_bytes(chance)
        if luck < 0.12:
            return frame(broken_frames.bitten(chance, encode(chance.choice(true_messages()))))
        if luck < 0.2:
            return frame(encode(chance.choice(true_messages())))
        makers = NEAR if luck < 0.8 else MESSAGES
        raw = makers[Update](chance) if luck < 0.5 else chance.choice(list(makers.values()))(chance)
        if raw[0] == _UPDATE:
            raw = self._fitting(raw)
        if chance.random() < 0.35:
            raw = typed_values.spoiled(chance, raw)
        return frame(broken_frames.pack(raw))

    def _fitting(self, raw: list[Any]) -> list[Any]:
        """Return an update whose packed maps are real ones now and then, and whose level often fits it."""
        if self.chance.random() < 0.5:
            return raw
        changes = [change for change in raw[1] if change[0] not in _PACKED]
        partition = self.chance.choice(
            ((1, 12, 12, "a"), (2, 1, 40, "b"), (1, 0, 9, "\x1b[31m"), (3, 200, 300, ""))
        )
        return [*raw[:1], [[1, list(partition)], *changes], *raw[2:]]

    def _press(self) -> None:
        """Press a key, most often one that means something where the player stands."""
        chance = self.chance
        rows = keymap.rows("vi", self._model.top.state)
        key = (
            chance.choice(chance.choice(rows).keys) if rows and chance.random() < 0.7 else chance.choice(KEYS)
        )
        self.shown += f" then the key {key}"
        self.tally["keys"] += 1
        self._happen(client_events.KeyPressed(key))

    def _receive(self, piece: bytes) -> None:
        self.tally["pieces"] += 1
        try:
            messages = self._link.receive(piece, self._now_ms)
        except ProtocolBroken as fault:
            _check_reason(fault)
            self.tally[f"broke the line: {fault.code}"] += 1
            self._happen(client_events.ConnectionLost(fault.text, self._now_ms, self._now_ms + 200))
            self._connect()
            return
        if not messages:
            return
        self.tally["messages"] += len(messages)
        self._repeats.state_changed(self._link.view, self._now_ms)
        self._happen(messages_received(self._link, messages))
        self._link.tick(self._now_ms)
        self._link.outgoing()

    def _connect(self) -> None:
        """Connect again and join; the former view stays until another arrives."""
        self._link.connected(self._now_ms)
        self._link.outgoing()
        self._receive(GREETING)
        self._receive(frame(encode(Joined("Ann", 0, self.chance.choice((1, 1, 2))))))
        if self.chance.random() < _WHOLE or not self._link.view.place.width:
            self._receive(frame(encode(self.chance.choice(whole_views()))))

    def _happen(self, happened: client_events.ClientEvent) -> None:
        self._model, wanted = update(self._model, happened, self._now_ms)
        for intent in wanted:
            match intent:
                case client_effects.SendCommand(command):
                    self._repeats.press(command, self._now_ms)
                    self._happen(client_events.CommandSent(command, self._link.unanswered_since_ms))
                case client_effects.SendMessage(message):
                    self._link.send(message)
                case client_effects.Redraw():
                    self._painter.forget()
                case _:
                    pass

    def _draw(self) -> None:
        self.tally["pictures"] += 1
        if self.chance.random() < 0.2:
            self._painter.forget()
        check_output(self._painter.paint(draw(self._model)))


def _check_reason(fault: ProtocolBroken) -> None:
    """The player reads the reason in a sentence without text from the server."""
    assert fault.text.isprintable(), fault.text


def check_output(text: str) -> None:
    """Raise AssertionError when something but the client's own sequences and plain characters goes to the terminal."""
    for cluster in {each for piece in OWN.split(text) for each in clusters(piece)}:
        assert as_cell(cluster) == cluster, f"{cluster!r} would reach the terminal"


@cache
def true_messages() -> list[FromServer]:
    """Return what a real server says in a real game."""
    server = SimServer(shipped("jsrogue"), 3)
    collected: list[FromServer] = []
    for name in ("Ann", "Bert"):
        server.join(name)
    for _ in range(30):
        for client in server.clients:
            client.command(Explore())
            server.advance(500)
            collected += client.hear()
    return collected


@cache
def whole_views() -> list[Update]:
    """Return whole views to begin from: real ones, and a drawn one."""
    return [*small_views(), *_whole(true_messages())]


@cache
def small_views() -> list[Update]:
    """Return whole views that are soon taken in."""
    drawn = level_view()
    return [Update(diff(NOWHERE, drawn), whole=True)]


def _whole(messages: list[FromServer]) -> list[Update]:
    return [message for message in messages if isinstance(message, Update) and message.whole]


_UPDATE: Final = 67
GREETING: Final = first_frame(encode(Welcome(PROTOCOL_VERSION, "fuzz", 0, 8)))
_PACKED: Final = frozenset({1, 2, 3})
