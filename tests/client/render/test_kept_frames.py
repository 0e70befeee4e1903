"""A frame from kept panels is the frame drawn whole, in random play of each shipped campaign, at any size, with any options."""

import random  # noqa: TID251  # each case seeds its own
from collections.abc import Iterator
from typing import Final

import pyte
import pytest
from msgspec import structs
from msgspec.structs import replace

from gloam_client.game_session import messages_received
from gloam_client.render.frame import draw
from gloam_client.screens.play import Play
from gloam_client.state import client_events
from gloam_client.state.client_events import ClientEvent
from gloam_client.state.model import Model
from gloam_client.state.options import CHOICES
from gloam_client.state.records import SurfaceFacts
from gloam_client.terminal.canvas import Canvas
from gloam_client.terminal.own_cache import using_store
from gloam_client.terminal.painter import Painter
from gloam_client.update import update
from gloam_server.content.shipped import SHIPPED
from gloam_shared.protocol.commands import AnyCommand, Choose, Climb, Explore, Fight, Move, Rest, Wait
from support.content.campaigns import shipped
from support.run.effort import effort
from support.server.sim_server import SimServer

SIZES: Final = ((60, 20), (80, 24), (100, 30), (120, 40), (180, 50))
KEYS: Final = ("x", "i", "m", "ESC", "ESC", "ESC", "?", "@", "ENTER", "/", "c", "a", "DOWN")
STEPS: Final = effort(30, 80)


NEAR: Final = 20
"""The most steps between a model and the earlier one that it gets a part of."""


def whole(model: Model) -> Canvas:
    """Return the frame of a model with each panel drawn."""
    with using_store({}):
        return draw(model)


def changed_by_chance(model: Model, chance: random.Random, now_ms: int) -> Model:
    """Return the model after a key, a new size, a new option, or some time."""
    event: ClientEvent = client_events.TimerFired()
    match chance.randrange(4):
        case 0:
            event = client_events.KeyPressed(chance.choice(KEYS))
        case 1:
            event = client_events.Resized(*chance.choice(SIZES))
        case 2:
            choice = chance.choice(CHOICES)
            options = replace(model.options, **{choice.name: chance.choice(choice.values)})
            model = replace(
                model, options=options, surface=replace(model.surface, unicode=chance.random() < 0.5)
            )
    return update(model, event, now_ms)[0]


def next_command(model: Model, chance: random.Random) -> AnyCommand:
    if model.view.choices:
        return Choose(0)
    if model.holders and chance.random() < 0.8:
        return Fight() if not model.badly_hurt else Move(*chance.choice(model.view.place.directions))
    return chance.choice((Explore(pick_up=True), Explore(pick_up=True), Climb(down=True), Rest(), Wait()))


def played(name: str, seed: int, chance: random.Random) -> Iterator[Model]:
    """Play a campaign by chance with a second player, and yield what the first one's client knows after each step."""
    server = SimServer(shipped(name), seed)
    players = [server.join(each) for each in ("Ann", "Bob")]
    model = Model(screens=(Play(),), name="Ann", surface=SurfaceFacts(size=(80, 24)))
    model = update(model, client_events.JoinStarted("Ann", "here"), server.now_ms)[0]
    for _ in range(STEPS):
        for player in players:
            if player is players[0] and model.dead:
                player.begin_again()
            elif not model.pace.plan:
                player.command(next_command(model, chance))
        server.advance(chance.choice((40, 60, 700)))
        model = update(model, messages_received(players[0].link, players[0].hear()), server.now_ms)[0]
        if chance.random() < 0.3:
            model = changed_by_chance(model, chance, server.now_ms)
        yield model


def mixed(model: Model, other: Model, chance: random.Random) -> Model:
    """Return a model with one part of another's, or on the same level with one part of its view."""
    if model.view.place != other.view.place or chance.random() < 0.3:
        part = chance.choice(
            ("messages", "turn", "fights", "company", "now_ms", "options", "connection", "memory")
        )
        return replace(model, **{part: getattr(other, part)})
    part = chance.choice(("sheet", "sight", "creatures", "items", "inventory", "pile", "states", "party"))
    return replace(model, view=structs.replace(model.view, **{part: getattr(other.view, part)}))


def assert_shows(screen: pyte.Screen, wanted: Canvas) -> None:
    assert list(screen.display) == list(wanted.rows())
    for row, cells in enumerate(wanted.cells):
        for column, (char, style) in enumerate(cells):
            shown = screen.buffer[row][column]
            assert (shown.reverse, shown.underscore) == (style.reverse, style.underline)
            assert char == " " or shown.bold == style.bold


@pytest.mark.thorough
@pytest.mark.parametrize("name", SHIPPED)
@pytest.mark.parametrize("seed", range(effort(1, 2)))
def test_kept_panels_make_the_frame_drawn_whole(name: str, seed: int) -> None:
    chance = random.Random(f"{name} {seed}")
    painter, screen = Painter("256"), pyte.Screen(80, 24)
    stream = pyte.Stream(screen)
    for model in played(name, seed, chance):
        kept = draw(model)
        assert kept.cells == whole(model).cells
        if (screen.columns, screen.lines) != model.surface.size:
            screen.resize(model.surface.size[1], model.surface.size[0])
        stream.feed(painter.paint(kept))
        assert_shows(screen, kept)


@pytest.mark.thorough
@pytest.mark.parametrize("name", SHIPPED)
@pytest.mark.parametrize("seed", range(effort(1, 2)))
def test_kept_panels_follow_any_change(name: str, seed: int) -> None:
    """After a model follows the same with one change: each input of a panel may change alone."""
    chance = random.Random(f"{name} {seed}")
    models = list(played(name, seed, chance))
    for _ in range(effort(300, 600)):
        at = chance.randrange(len(models))
        draw(models[at])
        model = mixed(models[at], models[chance.randrange(max(at - NEAR, 0), at + 1)], chance)
        assert draw(model).cells == whole(model).cells
