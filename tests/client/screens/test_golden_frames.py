"""The frame of each screen at the usual sizes, with usual and with the longest content, as text. What changes in them is seen in a review.

GLOAM_UPDATE_GOLDEN=1 writes the frames again. The pictures in `client/docs` are then stale: `make screenshots`.
"""

import os

import pytest

from support.client.frames import FRAMES, frames
from support.client.long_frames import ALL_SCREENS

HINT = "on purpose? Then GLOAM_UPDATE_GOLDEN=1 writes the frames again, and `make screenshots` the pictures."


@pytest.mark.parametrize("name", ALL_SCREENS)
def test_each_screen_looks_as_before(name: str) -> None:
    """U30, U31: 44x24, 60x20, 80x24 and 120x40 of each screen are as they were recorded."""
    path, now = FRAMES / f"{name}.txt", frames(ALL_SCREENS[name])
    if os.environ.get("GLOAM_UPDATE_GOLDEN") == "1":
        path.write_text(now, encoding="utf-8")
    assert path.read_text(encoding="utf-8") == now, HINT


def test_no_frame_is_left_over() -> None:
    assert {path.stem for path in FRAMES.glob("*.txt")} == set(ALL_SCREENS)
