"""A hostile server: with any message, the client's terminal gets only the client's own sequences (A73, A74)."""

import re
from itertools import count
from typing import Any, Final

import pyte
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from gloam_client.net.protocol_client import CLIENT_ABILITIES, ProtocolBroken, ProtocolClient
from gloam_client.net.tls_connect import ConnectFailed
from gloam_client.render.frame import draw
from gloam_client.screens.play import Play
from gloam_client.state import client_events
from gloam_client.state.model import Model
from gloam_client.state.records import SurfaceFacts
from gloam_client.terminal.painter import Painter
from gloam_client.update import update
from gloam_shared import limits
from gloam_shared.protocol.codec import decode_from_client, encode
from gloam_shared.protocol.framing import Framer, frame
from gloam_shared.protocol.messages.login import Joined, Login, hello_of
from gloam_shared.protocol.messages.play import Acknowledge, HeartbeatReply, SubmitCommand, Update
from gloam_shared.protocol.messages.watching import Watchable, Watching
from gloam_shared.protocol.registry import PROTOCOL_OLDEST, PROTOCOL_VERSION, FromServer
from gloam_shared.text import as_cell, cells, clean, clusters
from gloam_shared.view import patch
from gloam_shared.view.view import (
    NOWHERE,
    Creature,
    FloorItem,
    Friend,
    InventoryItem,
    Item,
    Log,
    LogLine,
    Spell,
    StatusEffect,
    View,
)
from support.client.fake_server import level_view
from support.client.joined_client import GREETING
from support.client.model_in_play import press
from support.protocol.strategies import from_server, hostile_texts, structs
from support.run.effort import effort

OWN: Final = re.compile(r"\x1b\[(?:2J|\?2026[hl]|[0-9;]*[mHABCD])|\x08{1,3}")
"""The sequences that the client writes to paint; a backspace of a server's would also show in the picture."""
SCREENS: Final = ("", "x", "f", "c", "t", "i", "ia", "v", "+", "?", "m", "O", ":", "Q", "G")
WIDTH, HEIGHT = 80, 24


def beside(text: str) -> list[str]:
    """Return the clusters of painted text, without the client's own sequences."""
    return [each for piece in OWN.split(text) for each in clusters(piece)]


def pieces(painted: str) -> list[tuple[str, str]]:
    """Return the client's own sequences, each with the text after it."""
    return [*zip(["", *OWN.findall(painted)], OWN.split(painted), strict=True)]


def for_emulator(text: str) -> str:
    """Return text for the emulator, which knows clusters of one character only: others become one of the same width."""
    return "".join(each if len(each) == 1 else "漢" if cells(each) == 2 else "x" for each in clusters(text))


def is_harmless(cluster: str) -> bool:
    return as_cell(cluster) == cluster


def numbered(things: tuple[Any, ...], key: str, first: int) -> tuple[Any, ...]:
    """Return things with keys of their own, in order, as a view holds them."""
    return tuple(replace(thing, **{key: number}) for number, thing in zip(count(first), things, strict=False))


@st.composite
def hostile_views(draw: st.DrawFn) -> View:
    """Return a view that a client can apply, all of whose texts are hostile."""
    texts = hostile_texts()

    def some(kind: type[Any]) -> tuple[Any, ...]:
        return tuple(draw(st.lists(structs(kind, texts), max_size=2)))

    view = level_view()
    cells = st.integers(view.cell - 2, view.cell + 2)
    creatures = tuple(replace(each, cell=draw(cells)) for each in some(Creature))
    items = tuple(replace(each, cell=draw(cells)) for each in some(Item))
    return replace(
        view,
        place=replace(view.place, name=draw(texts)),
        creatures=(*view.creatures, *numbered(creatures, "handle", 8)),
        items=numbered(items, "handle", 1),
        pile=some(FloorItem),
        inventory=numbered(some(InventoryItem), "slot", 0),
        spells=some(Spell),
        states=some(StatusEffect),
        choices=tuple(draw(st.lists(texts, max_size=3))),
        party=some(Friend),
        log=Log(0, some(LogLine)),
    )


def deliver(link: ProtocolClient, model: Model, *messages: FromServer) -> Model:
    """Bring messages to the client as bytes; a line that breaks is what it may be."""
    try:
        heard = link.receive(b"".join(frame(encode(message)) for message in messages), 0)
    except ProtocolBroken:
        return model
    return update(
        model,
        client_events.MessagesReceived(
            tuple(heard), link.view, link.pace, link.name, None, 0, link.round_trip_ms
        ),
        0,
    )[0]


@pytest.mark.rule("A73")
@settings(max_examples=effort(10, 25))
@given(
    hostile_views(),
    st.lists(from_server(hostile_texts()), max_size=2),
    st.sampled_from(SCREENS),
    st.booleans(),
)
def test_server_text_reaches_the_terminal_as_cells(
    view: View, messages: list[FromServer], keys: str, unicode: bool
) -> None:
    """A message of a server reaches the terminal as plain cells only."""
    link = ProtocolClient("Ann", bytes(limits.TOKEN_SIZE), "test")
    link.connected(0)
    link.receive(GREETING, 0)
    model = Model(screens=(Play(),), name="Ann", surface=SurfaceFacts(size=(WIDTH, HEIGHT), unicode=unicode))
    whole = Update(patch.diff(NOWHERE, view), whole=True)
    model = deliver(link, model, Joined("Ann", 0, 1), whole)
    assert link.view == view, "the view never came to be drawn"
    painter = Painter("true", synchronized=True)
    painted = painter.paint(draw(model))
    model, _ = press(model, *keys)
    painted += painter.paint(draw(model))
    for message in messages:
        model = deliver(link, model, message)
        painted += painter.paint(draw(model))

    assert [cluster for cluster in beside(painted) if not is_harmless(cluster)] == []
    screen = pyte.Screen(WIDTH, HEIGHT)
    pyte.Stream(screen).feed("".join(own + for_emulator(text) for own, text in pieces(painted)))
    assert screen.title == ""
    assert screen.display == [for_emulator(row) for row in draw(model).rows()]


@pytest.mark.rule("A73")
@given(st.text())
def test_drew_cell_safe_written(text: str) -> None:
    """A player who drew a cell only what is safe is written."""
    canvas = draw(Model(screens=(Play(),), surface=SurfaceFacts(size=(WIDTH, HEIGHT))))
    canvas.put(0, 0, text)
    painted = beside(Painter("none").paint(canvas))

    assert [cluster for cluster in painted if not is_harmless(cluster)] == []


@pytest.mark.rule("A73")
@pytest.mark.parametrize(
    ("char", "shown"),
    [("\x1b", "?"), ("\x9b", "?"), ("\n", "?"), ("\u202e", "?"), ("\u2630", "?"), ("é", "é"), ("…", "…")],
)
def test_what_is_not_safe_is_one_question_mark(char: str, shown: str) -> None:
    canvas = draw(Model(screens=(Play(),), surface=SurfaceFacts(size=(WIDTH, HEIGHT))))
    canvas.put(0, 0, f"a{char}b")

    assert f"a{shown}b" in Painter("none").paint(canvas)


@pytest.mark.rule("A73")
@given(hostile_texts())
def test_last_words_of_a_server_are_cleaned(text: str) -> None:
    """The last words of a server are cleaned before they are shown."""
    assert str(ConnectFailed(text)) == ConnectFailed(text).text == clean(text)


@pytest.mark.rule("A74")
@example([Watching("Bert", 0), Watchable(())])  # it had a player ask to watch
@given(st.lists(from_server(hostile_texts()), max_size=8))
def test_a_hostile_server_changes_no_answer(
    messages: list[FromServer],
) -> None:
    """With any messages of a server, the client answers what it would answer anyway."""
    link = ProtocolClient("Ann", bytes(limits.TOKEN_SIZE), "an agent")
    link.connected(0)
    link.receive(GREETING, 0)
    model = Model(screens=(Play(),), name="Ann")
    for message in messages:
        model = deliver(link, model, message)
        link.tick(10_000)
    sent = [decode_from_client(body) for body in Framer(limits.FRAME_FROM_CLIENT_MAX).feed(link.outgoing())]

    assert sent[:2] == [
        hello_of(PROTOCOL_VERSION, "an agent", PROTOCOL_OLDEST, CLIENT_ABILITIES),
        Login("Ann", bytes(limits.TOKEN_SIZE)),
    ]
    assert all(isinstance(each, HeartbeatReply | Acknowledge | SubmitCommand) for each in sent[2:])
