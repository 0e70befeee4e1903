"""`make page-pictures`: the page of a door in a real browser at five sizes.

python -m support.door.page_pictures FOLDER
"""

import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from support.door.browser import Browser, Tab
from support.door.running_door import RunningDoor
from support.processes.server_process import ServerProcess

SIZES: Final = ((360, 640), (390, 844), (844, 390), (768, 1024), (1280, 800), (1920, 1080))
TOUCH_BELOW: Final = 1_000
"""Pages narrower than this are touched with fingers."""
MENU_BELOW: Final = 400
_UNASKED_S: Final = 0.6
"""A screen that opens unasked takes no key for half a second."""


def main() -> None:
    """Write a picture of play at each size, the small ones with the menu open."""
    folder = Path(sys.argv[1])
    with TemporaryDirectory() as name:
        data = Path(name)
        with (
            ServerProcess(
                data / "world", "--door-socket", "door.sock", "--open", "--seed", "7", campaign="gloam"
            ) as server,
            RunningDoor(data / "door", server.data / "door.sock") as door,
        ):
            for number, (width, height) in enumerate(SIZES):
                with Browser(data / f"profile{number}") as browser:
                    tab = browser.open(door.origin, width, height, touch=width < TOUCH_BELOW)
                    _play(tab, f"Visitor{number}")
                    if width < MENU_BELOW:
                        tab.press("Enter")
                        tab.wait_for("Actions")
                    tab.picture(folder / f"page-{width}x{height}.webp")


def _play(tab: Tab, name: str) -> None:
    tab.join(name)
    for key in ("Enter", "Escape", "Escape", "o", "o", "o"):
        time.sleep(_UNASKED_S)
        tab.press(key)
    time.sleep(_UNASKED_S)


if __name__ == "__main__":
    main()
