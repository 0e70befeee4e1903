"""`make page-pictures`: the page of a door in a real browser at six sizes, at five of them also with lines of text.

python -m support.door.page_pictures FOLDER
"""

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from support.door.browser import Browser, Tab
from support.door.running_door import RunningDoor
from support.processes.server_process import ServerProcess

SIZES: Final = ((360, 640), (390, 844), (844, 390), (768, 1024), (1280, 800), (1920, 1080))
TEXT_SIZES: Final = ((360, 640), (390, 844), (844, 390), (1280, 800), (1920, 1080))
TOUCH_BELOW: Final = 1_000
"""Pages narrower than this are touched with fingers."""
MENU_BELOW: Final = 400
_UNASKED_S: Final = 0.6
"""A screen that opens unasked takes no key for half a second."""


def main() -> None:
    """Write a picture of play at each size, the small ones with the menu open, and those with lines of text."""
    folder = Path(sys.argv[1])
    with TemporaryDirectory() as name:
        data = Path(name)
        with _door(data / "play") as door:
            for number, size in enumerate(SIZES):
                with Browser(data / f"profile{number}") as browser:
                    tab = _open(browser, door, size)
                    _play(tab, f"Visitor{number}")
                    if size[0] < MENU_BELOW:
                        tab.press("Enter")
                        tab.wait_for("Actions")
                    tab.picture(folder / "page-{}x{}.webp".format(*size))
        with _door(data / "text") as door:
            for number, size in enumerate(TEXT_SIZES):
                with Browser(data / f"text{number}") as browser:
                    tab = _open(browser, door, size)
                    tab.wait_for("Your name")
                    tab.run("document.getElementById('text').click()")
                    _play(tab, f"Reader{number}")
                    tab.picture(folder / "page-text-{}x{}.webp".format(*size))


@contextmanager
def _door(data: Path) -> Iterator[RunningDoor]:
    """Run a world and a door to it. A world takes ten new names of this machine, so each group has its own."""
    data.mkdir()
    with (
        ServerProcess(
            data / "world", "--door-socket", "door.sock", "--open", "--seed", "7", campaign="gloam"
        ) as server,
        RunningDoor(data / "door", server.data / "door.sock") as door,
    ):
        yield door


def _open(browser: Browser, door: RunningDoor, size: tuple[int, int]) -> Tab:
    return browser.open(door.origin, *size, touch=size[0] < TOUCH_BELOW)


def _play(tab: Tab, name: str) -> None:
    tab.join(name)
    for key in ("Enter", "Escape", "Escape", "o", "o", "o"):
        time.sleep(_UNASKED_S)
        tab.press(key)
    time.sleep(_UNASKED_S)


if __name__ == "__main__":
    main()
