"""Stains on the floor: blood where a corpse lay, soot where fire burned; only their background differs, and only in light."""

from collections.abc import Iterable

import pytest
from msgspec.structs import replace

from gloam_client.render.frame import draw
from gloam_client.render.panels.map_panel import MapWindow, draw_map
from gloam_client.state.map.stains import (
    CORPSE_TURNS,
    LEVELS_MAX,
    STAINS_MAX,
    Stain,
    StainMemory,
    stains_of,
    update_stains,
)
from gloam_client.state.model import Model
from gloam_client.terminal.canvas import LIGHTS, Canvas, Rect
from gloam_client.terminal.terrain_glyphs import GlyphSet
from gloam_client.update import update
from gloam_shared.appearance import TINTS
from gloam_shared.protocol.messages.login import Joined
from gloam_shared.view.place import Look
from gloam_shared.view.surfaces import SurfaceFlag, SurfaceLook
from gloam_shared.view.view import Item, View
from support.client.fake_server import level_view
from support.client.model_in_play import heard, playing

HALL = "\n".join(["#" * 20, *["#" + "." * 18 + "#"] * 5, "#" * 20])
FIRE = SurfaceLook("fire", "It burns.", "^", "^", "orange", 5, 1, int(SurfaceFlag.SHINES | SurfaceFlag.ENDS))
WIDTH = 20
NEAR, ASIDE = 3 * WIDTH + 5, 3 * WIDTH + 6
BLOOD = LIGHTS * TINTS.index("blood")


def hall(*corpses: int, burning: Iterable[int] = (), unseen: Iterable[int] = (), tint: str = "") -> View:
    """Return a hall with corpses and burning cells, by their cells."""
    view = level_view(drawing=HALL, at=(3, 3))
    fire, sight = bytearray(len(view.terrain)), bytearray(b"\1" * len(view.terrain))
    for cell in burning:
        fire[cell] = 1
    for cell in unseen:
        sight[cell] = 0
    items = tuple(Item(cell, cell, 1, "%", "green", "goblin corpse", 0) for cell in corpses)
    look = Look("█", "·", ("gray",), ("gray",), tint) if tint else None
    return replace(
        view,
        items=items,
        sight=bytes(sight),
        surfaces=bytes(fire) if any(fire) else b"",
        surface_looks=(FIRE,),
        place=replace(view.place, look=look),
    )


def remembered(*views: View, turns: int = 1) -> StainMemory:
    """Return the memory after these views, some turns apart."""
    memory: StainMemory = {}
    for at in range(1, len(views)):
        memory = update_stains(memory, (views[at - 1], views[at]), at * turns)
    return memory


def test_a_corpse_is_a_stain_after_a_hundred_turns() -> None:
    memory = remembered(hall(), hall(NEAR), hall(NEAR))
    assert not stains_of(memory, 1, CORPSE_TURNS)
    assert stains_of(memory, 1, CORPSE_TURNS + 1) == {NEAR: "blood"}


def test_a_corpse_that_is_gone_leaves_a_stain_now() -> None:
    """It is gone where a player sees that; out of sight nothing changes."""
    memory = remembered(hall(), hall(NEAR, ASIDE), hall(unseen=(ASIDE,)))
    assert stains_of(memory, 1, 2) == {NEAR: "blood"}
    assert remembered(hall(), hall(NEAR), hall(), hall(NEAR), hall()) == {1: {NEAR: Stain("blood", 2)}}


def test_fire_leaves_soot_where_it_ends_in_sight() -> None:
    memory = remembered(hall(burning=(NEAR, ASIDE)), hall(burning=(ASIDE,)), hall(unseen=(ASIDE,)))
    assert stains_of(memory, 1, 2) == {NEAR: "soot"}
    assert not remembered(hall(), hall(burning=(NEAR,)), hall(burning=(NEAR,)))


def test_a_view_without_news_keeps_the_memory() -> None:
    memory = remembered(hall(), hall(NEAR), hall())
    assert update_stains(memory, (hall(), hall()), 9) is memory


def test_the_newest_stains_are_kept() -> None:
    memory: StainMemory = {}
    for depth in range(1, LEVELS_MAX + 9):
        view = hall(*range(WIDTH, 2 * WIDTH), *range(2 * WIDTH, 6 * WIDTH))
        view = replace(view, place=replace(view.place, depth=depth))
        memory = update_stains(memory, (view, view), depth)
    assert len(memory) == LEVELS_MAX
    assert {len(stains) for stains in memory.values()} == {STAINS_MAX}


def lit(*views: View) -> Model:
    """Return a client on a terminal with light after these views."""
    model = playing(views[0])
    model = replace(model, surface=replace(model.surface, lights=True, unicode=True))
    for view in views[1:]:
        model, _ = update(model, heard(view=view), 0)
    return model


def backgrounds(view: View, *, stains: dict[int, str], lights: bool = True) -> list[int]:
    canvas = Canvas(WIDTH, 7)
    window = MapWindow(canvas, Rect(0, 0, WIDTH, 7), view, (0, 0), lights=lights, stains=stains)  # type: ignore[arg-type]  # plain words
    draw_map(window, glyphs=GlyphSet.UNICODE)
    return [style.light for row in canvas.cells for _, style in row]


@pytest.mark.parametrize("tint", ["ember", "moss", "frost", "blood", "dusk"])
def test_stains_change_the_background_alone(tint: str) -> None:
    """Blood has the red background of the same light, in red light none; soot has none."""
    view = hall(tint=tint)
    plain = backgrounds(view, stains={})
    stained = backgrounds(view, stains={NEAR: "blood", ASIDE: "soot"})
    level = (plain[NEAR] - 1) % LIGHTS + 1
    assert stained[NEAR] == (0 if tint == "blood" else BLOOD + level)
    assert stained[ASIDE] == 0 != plain[ASIDE]
    changed = [cell for cell, (one, other) in enumerate(zip(plain, stained, strict=True)) if one != other]
    assert changed == [NEAR, ASIDE]
    assert backgrounds(view, stains={NEAR: "blood"}, lights=False) == [0] * len(plain)


def test_what_is_out_of_sight_has_no_stain() -> None:
    view = hall(unseen=(NEAR,))
    assert backgrounds(view, stains={NEAR: "blood"})[NEAR] == 0


def test_a_frame_shows_the_stains_of_its_level() -> None:
    after = lit(hall(), hall(NEAR), hall())
    before = replace(after, memory=replace(after.memory, stains={}))
    changed = [
        (one, other)
        for rows in zip(draw(before).cells, draw(after).cells, strict=True)
        for one, other in zip(*rows, strict=True)
        if one != other
    ]
    assert [(one[0], other[0], other[1].light > BLOOD) for one, other in changed] == [("·", "·", True)]


def test_without_light_a_frame_has_no_stains() -> None:
    """Terminals with 16 colors or none, and themes without light, show the map as before."""
    model = lit(hall(), hall(NEAR), hall())
    dark = replace(model, surface=replace(model.surface, lights=False))
    clean = replace(dark, memory=replace(dark.memory, stains={}))
    assert draw(dark).cells == draw(clean).cells
    assert "\n".join(draw(model).rows()) == "\n".join(draw(clean).rows())


def test_the_next_life_has_no_stains() -> None:
    model = lit(hall(), hall(NEAR), hall())
    assert model.stains
    model, _ = update(model, heard(Joined("Ann", 2, 0), view=hall()), 0)
    assert not model.stains
