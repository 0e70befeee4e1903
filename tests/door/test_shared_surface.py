"""The surface that pages share: what has changed is computed once, and each page ends up with the whole picture."""

import asyncio
import json

from gloam_client.screens.play import Play
from gloam_client.state.model import Model
from gloam_client.terminal.canvas import BADGE, BRIGHT, Canvas
from gloam_door.surfaces.paced_frames import FRAME_GAP_S
from gloam_door.surfaces.shared_surface import SIZE, SharedSurface, WatchPage

MODEL = Model(screens=(Play(),))


def canvas(*words: str) -> Canvas:
    drawn = Canvas(*SIZE)
    for row, text in enumerate(words):
        drawn.put(0, row, text, BADGE if row else BRIGHT)
    return drawn


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
                for row, column, style, text in part[1]:
                    cells[row][column : column + len(text)] = text
                    used.add(style)
    return "\n".join("".join(row).rstrip() for row in cells[:3]), known, used


def test_changed_cells_are_computed_once() -> None:
    """Three pages and three pictures; a late page gets the newest one whole, with all styles."""

    async def play() -> tuple[list[list[str]], int]:
        surface = SharedSurface(lambda: None)
        got: list[list[str]] = [[] for _ in range(4)]
        pages = [WatchPage(texts.append, say=False) for texts in got]
        for page in pages[:3]:
            surface.add(page, print)
        for picture in (canvas("one"), canvas("one", "two"), canvas("other", "two", "three")):
            for page in pages[:3]:
                page.offer(MODEL, picture)
                page.frames.taken()
            await asyncio.sleep(2 * FRAME_GAP_S)
        surface.add(pages[3], print)
        pages[3].offer(MODEL, picture)
        return got, surface.picture.comparisons

    got, comparisons = asyncio.run(play())
    assert comparisons == 4
    assert got[0] == got[1] == got[2]
    for frames in got:
        text, known, used = shown(frames)
        assert text == "other\ntwo\nthree"
        assert used <= known
