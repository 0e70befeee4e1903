"""Faults that no frame shows, at any size: a word that is cut, a broken rim, a text over another text."""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final

import msgspec
import pytest
from msgspec import structs
from msgspec.structs import replace

import gloam_client
import gloam_shared
from gloam_client.render.frame import draw
from gloam_client.render.layout import layout
from gloam_client.screens.story import StoryScreen
from gloam_client.state import client_events
from gloam_client.state.model import Model
from gloam_client.terminal.canvas import PLAIN, Canvas, Rect, Style
from gloam_client.update import update
from gloam_shared.protocol.messages.parties import PartyMember, PartyState
from gloam_shared.view.view import CreatureFlag, Friend, Log, View
from support.client.frames import narrowed, scene
from support.client.long_frames import ALL_SCREENS
from support.client.model_in_play import heard, picture, playing, press

SIZES: Final = ((44, 20), (44, 24), (60, 20), (80, 24), (100, 30), (120, 40), (200, 60))
_TYPED: Final = "Say: "
"""The row of a text that is being typed, which scrolls."""
_PREVIEW: Final = "goDrw"
"""The glyphs that the screen of options shows."""
_WORD: Final = re.compile(r"([A-Za-z]{2,})(\.\.)?")


@cache
def source_words() -> frozenset[str]:
    """Return all words in the source of the client and of what it shares with the server."""
    folders = [Path(module.__file__ or "").parent for module in (gloam_client, gloam_shared)]
    texts = [path.read_text(encoding="utf-8") for folder in folders for path in folder.rglob("*.py")]
    return frozenset(word for text in texts for word in re.findall(r"[A-Za-z]+", text))


def texts(thing: object) -> Iterator[str]:
    """Return all texts in a model."""
    if isinstance(thing, str):
        yield thing
    elif isinstance(thing, msgspec.Struct):
        for field in thing.__struct_fields__:
            yield from texts(getattr(thing, field))
    elif hasattr(thing, "__dataclass_fields__"):
        for field in thing.__dataclass_fields__:
            yield from texts(getattr(thing, field))
    elif isinstance(thing, dict):
        yield from texts((*thing, *thing.values()))
    elif isinstance(thing, tuple | list | frozenset | set):
        for each in thing:
            yield from texts(each)


def cut_words(model: Model) -> list[str]:
    """Return the words on the screen, at any of the sizes, that are a part of a word, and not marked as cut by two dots."""
    known = source_words() | {word for text in texts(model) for word in re.findall(r"[A-Za-z]+", text)}
    whole = {word.casefold() for word in known}

    def is_whole(word: str) -> bool:
        folded = word.casefold()
        return bool({folded, folded.removesuffix("s"), folded.removesuffix("es")} & whole)

    rows = [
        row
        for size in SIZES
        for row in picture(structs.replace(model, surface=structs.replace(model.surface, size=size))).split(
            "\n"
        )
    ]
    found = (found for row in rows if not row.startswith(_TYPED) for found in _WORD.findall(row))
    return [word for word, mark in found if not mark and word != _PREVIEW and not is_whole(word)]


@pytest.mark.parametrize("name", ALL_SCREENS)
def test_no_word_is_cut_in_the_middle(name: str) -> None:
    """A word that does not fit is left out, or ends in two dots; no window leaves a part of a word beside it."""
    assert cut_words(ALL_SCREENS[name]()) == []


def rim_faults(canvas: Canvas) -> list[str]:
    """Return which sides of the boxes that are not under others are not whole."""
    rows, faults = list(canvas.rows()), []
    for at, box in enumerate(canvas.boxes):
        later = canvas.boxes[at + 1 :]
        if any(_meet(box, other) for other in later):
            continue
        left = "".join(rows[y][box.x] for y in range(box.y, box.y + box.height))
        right = "".join(rows[y][box.x + box.width - 1] for y in range(box.y, box.y + box.height))
        foot = rows[box.y + box.height - 1][box.x : box.x + box.width]
        corner, side, bar = left[0], left[1], foot[1]
        sides = corner + side * (box.height - 2) + corner
        label = re.compile(
            rf"{re.escape(corner)}{re.escape(bar)}*( \S+ (more|shows more) )?{re.escape(bar)}*{re.escape(corner)}"
        )
        if left != sides or right != sides or not label.fullmatch(foot):
            faults.append(f"{box}: {left} {right} {foot}")
    return faults


def _meet(one: Rect, other: Rect) -> bool:
    return not (
        one.x + one.width <= other.x
        or other.x + other.width <= one.x
        or one.y + one.height <= other.y
        or other.y + other.height <= one.y
    )


@pytest.mark.parametrize("name", ALL_SCREENS)
def test_no_window_overwrites_its_own_rim(name: str) -> None:
    model = ALL_SCREENS[name]()
    assert [
        fault
        for size in SIZES
        for fault in rim_faults(
            draw(structs.replace(model, surface=structs.replace(model.surface, size=size)))
        )
    ] == []


class WatchedCanvas(Canvas):
    """A canvas that notes which texts were drawn over other texts."""

    def __init__(self, width: int, height: int) -> None:
        super().__init__(width, height)
        self.overwritten: list[str] = []
        self._texts: dict[tuple[int, int], str] = {}
        """The sign of each cell since it was last filled."""

    def put(self, x: int, y: int, text: str, style: Style = PLAIN, right: int | None = None) -> int:
        """Note the texts below a text with a word in it."""
        end = super().put(x, y, text, style, right)
        if re.search("[A-Za-z]{2}", text):
            columns = range(max(x, 0), end)
            below = {self._texts[column, y] for column in columns if (column, y) in self._texts}
            self.overwritten += [f"{text!r} over {other!r}" for other in sorted(below)]
            shown = zip(columns, text, strict=False)
            self._texts |= {(column, y): text for column, char in shown if char != " "}
        return end

    def fill(self, area: Rect, char: str = " ", style: Style = PLAIN) -> None:
        """Forget the texts of an area."""
        super().fill(area, char, style)
        self._texts = {cell: text for cell, text in self._texts.items() if not area.holds(*cell)}


@pytest.mark.parametrize("name", ALL_SCREENS)
def test_no_text_is_drawn_over_another(name: str) -> None:
    """A text is drawn over a blank, a map or a rim. A window clears what is below it first."""
    model = ALL_SCREENS[name]()
    for size in SIZES:
        canvas = draw(
            structs.replace(model, surface=structs.replace(model.surface, size=size)), WatchedCanvas
        )
        assert isinstance(canvas, WatchedCanvas)
        assert canvas.overwritten == []


def test_the_check_sees_a_text_over_another() -> None:
    canvas = WatchedCanvas(20, 3)
    canvas.put(0, 0, "one text")
    canvas.put(4, 0, "another")
    assert canvas.overwritten == ["'another' over 'one text'"]

    canvas.box(Rect(0, 0, 20, 3))
    canvas.put(4, 0, "a third")
    assert len(canvas.overwritten) == 1


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("view", [scene(), narrowed(scene())])
def test_the_story_leaves_player_and_panel_in_sight(view: View, size: tuple[int, int]) -> None:
    """A story of a usual length opens unasked: it stands beside the player, and not on the panel."""
    model = structs.replace(
        base := playing(view),
        surface=structs.replace(base.surface, size=size),
        world=structs.replace(base.world, story="Deep under the old hills the Gloam holds the light. " * 5),
    )
    model = update(model, client_events.Resized(*size), 0)[0]
    opened = press(structs.replace(model, screens=(*model.screens, StoryScreen())))[0]
    canvas, [box] = draw(opened), draw(opened).boxes
    column, row = view.place.grid.point(view.cell)
    parts = layout(*size, view.place.width)
    body = parts.map.x + column - model.camera[0], parts.map.y + row - model.camera[1]
    assert canvas.cells[body[1]][body[0]][0] == "@"
    assert not box.holds(*body)
    assert parts.side is None or not _meet(box, parts.side)


@pytest.mark.parametrize("name", ["long_panel", "long_panel_party"])
def test_sheet_and_party_leave_room_for_the_foes(name: str) -> None:
    """In the panel at 80x24 the words of the sheet and a large party give way to the foes that hold the player."""
    shown = picture(
        structs.replace(base := ALL_SCREENS[name](), surface=structs.replace(base.surface, size=(80, 24)))
    )
    assert "o orc! L3" in shown
    assert "O Grimm" in shown


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("partner", [False, True])
def test_a_friend_stands_once_on_the_screen(size: tuple[int, int], partner: bool) -> None:
    """Beside the map a friend is named once: in the party, among those in sight, or among those in the dungeon."""
    for view in (with_friend(scene()), with_friend(narrowed(scene()))):
        model = update(playing(view), heard(view=view), 0)[0]
        members = tuple(PartyMember(name, 1, view.cell, 9, 9, 1, 0) for name in ("Ann", "Bert"))
        if partner:
            model = update(model, heard(PartyState(members), view=view), 0)[0]
        rows = picture(structs.replace(model, surface=structs.replace(model.surface, size=size))).split("\n")
        assert sum(row.count("Bert") for row in rows) == 1


def with_friend(view: View) -> View:
    """Return a view with the friend in sight among the players of the dungeon, and no log."""
    return replace(view, party=(*view.party, Friend("Bert", 1, 2, 3, int(CreatureFlag.PLAYER))), log=Log())
