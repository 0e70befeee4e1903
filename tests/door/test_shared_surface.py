"""The surface that pages share: what has changed is computed once for a size, and each page ends up with the whole picture."""

import asyncio
import json
from dataclasses import dataclass

from msgspec.structs import replace

from gloam_client.screens.play import Play
from gloam_client.state.model import Model
from gloam_client.terminal.canvas import BADGE, BRIGHT, Canvas
from gloam_door.surfaces.paced_frames import FRAME_GAP_S
from gloam_door.surfaces.shared_surface import NARROW, WIDE, SharedSurface, WatchPage
from support.door.cell_runs import runs_of

Frames = list[str]


@dataclass(frozen=True)
class Words(Play):
    """A screen of words."""

    words: tuple[str, ...] = ()

    def draw(self, model: Model, canvas: Canvas) -> None:  # noqa: ARG002  # words alone
        """Draw each word on a row of its own."""
        for row, text in enumerate(self.words):
            canvas.put(0, row, text, BADGE if row else BRIGHT)


def watched(*words: str) -> Model:
    model = Model(screens=(Words(words=words),))
    return replace(model, company=replace(model.company, watch=replace(model.company.watch, name="Anna")))


def shown(frames: list[str]) -> tuple[str, set[int], set[int]]:
    """Return the first rows of the page after these frames, the numbers of its styles, and those in use."""
    cells: list[list[str]] = []
    known, used = set[int](), set[int]()
    for part in (part for frame in frames for part in json.loads(frame)):
        match part[0]:
            case "size":
                cells = [[" "] * part[1] for _ in range(part[2])]
            case "style":
                known.add(part[1])
            case "cells":
                for row, column, style, text in runs_of(part[1]):
                    cells[row][column : column + len(text)] = text
                    used.add(style)
    return "\n".join("".join(row).rstrip() for row in cells[:3]), known, used


def pages_of(surface: SharedSurface, *sizes: tuple[int, int]) -> tuple[list[WatchPage], list[Frames]]:
    """Return pages of these sizes that watch, and what each of them gets."""
    got: list[Frames] = [[] for _ in sizes]
    pages = [WatchPage(size, texts.append, say=False) for size, texts in zip(sizes, got, strict=True)]
    for page in pages:
        surface.add(page, print)
    return pages, got


async def play(surface: SharedSurface, pages: list[WatchPage], *states: Model) -> None:
    """Show one state after another to pages that read."""
    for state in states:
        surface.show(state)
        await asyncio.sleep(2 * FRAME_GAP_S)
        for page in pages:
            page.frames.taken()


STATES = (watched("one"), watched("one", "two"), watched("other", "two", "three"))


def test_changed_cells_are_computed_once() -> None:
    """Three pages and three pictures; a late page gets the newest one whole, with all styles."""

    async def watch() -> tuple[list[Frames], int]:
        surface = SharedSurface(lambda: None)
        pages, got = pages_of(surface, WIDE, WIDE, WIDE)
        await play(surface, pages, *STATES)
        got += pages_of(surface, WIDE)[1]
        return got, surface.pictures[WIDE].comparisons

    got, comparisons = asyncio.run(watch())
    assert comparisons == 4
    assert got[0] == got[1] == got[2]
    for frames in got:
        text, known, used = shown(frames)
        assert text == "other\ntwo\nthree"
        assert used <= known


def test_a_phone_has_a_picture_of_its_own() -> None:
    """A narrow page gets a narrow picture; one that is turned gets the other one whole."""

    async def watch() -> list[Frames]:
        surface = SharedSurface(lambda: None)
        pages, got = pages_of(surface, (60, 50), (200, 60), NARROW)
        await play(surface, pages, *STATES[:2])
        pages[2].fit(WIDE)
        pages[2].fit(WIDE)
        await play(surface, pages, *STATES[2:])
        return got

    got = asyncio.run(watch())
    parts = [[part for frame in frames for part in json.loads(frame)] for frames in got]
    sizes = [[part[1:3] for part in each if part[0] == "size"] for each in parts]
    assert sizes == [[[*NARROW]], [[*WIDE]], [[*NARROW], [*WIDE]]]
    for frames in got:
        text, known, used = shown(frames)
        assert text == "other\ntwo\nthree"
        assert used <= known
