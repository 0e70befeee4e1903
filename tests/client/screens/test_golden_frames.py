"""The frame of each screen at the usual sizes, with usual and with the longest content, as text. What changes in them is seen in a review.

GLOAM_UPDATE_GOLDEN=1 writes the frames again. The pictures in `client/docs` are then stale: `make screenshots`.
"""

import os
import re

import pytest

from gloam_client.linear.spoken_screen import read_screen
from support.client.frames import FRAMES, frames
from support.client.long_frames import ALL_SCREENS

_DECIMAL = re.compile(r"\d[.,]\d")
HINT = "on purpose? Then GLOAM_UPDATE_GOLDEN=1 writes the frames again, and `make screenshots` the pictures."


@pytest.mark.parametrize("name", ALL_SCREENS)
def test_each_screen_looks_as_before(name: str) -> None:
    """U30, U31: 44x24, 60x20, 80x24 and 120x40 of each screen are as they were recorded."""
    path, now = FRAMES / f"{name}.txt", frames(ALL_SCREENS[name])
    if os.environ.get("GLOAM_UPDATE_GOLDEN") == "1":
        path.write_text(now, encoding="utf-8")
    assert path.read_text(encoding="utf-8") == now, HINT


def test_no_screen_shows_a_decimal() -> None:
    """Whole numbers only, drawn and as lines of text: what a level or a card changes stands in words."""
    told = [(FRAMES / f"{name}.txt").read_text(encoding="utf-8") for name in ALL_SCREENS]
    for make in ALL_SCREENS.values():
        model = make()
        told += read_screen(model, model.top).lines
    assert [line for text in told for line in text.split("\n") if _DECIMAL.search(line)] == []


def test_no_frame_is_left_over() -> None:
    assert {path.stem for path in FRAMES.glob("*.txt")} == set(ALL_SCREENS)
