"""A real Chromium without a window, driven over its DevTools socket: keys, taps, text, pictures, and what a page shows."""

import base64
import itertools
import json
import re
import shutil
import subprocess
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Final, Self
from urllib.request import urlopen

from websockets.sync.client import connect

PATIENCE_S: Final = 60
CHROMIUM: Final = (
    shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
)
_OPTIONS: Final = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync",
    "--disable-background-networking", "--disable-component-update", "--remote-debugging-port=0", "--disable-dev-shm-usage",
)  # fmt: skip
_NAMED: Final = {
    "Enter": (13, "\r"), "Escape": (27, ""), "ArrowUp": (38, ""), "ArrowDown": (40, ""), "ArrowLeft": (37, ""),
    "ArrowRight": (39, ""), "Tab": (9, ""), "Backspace": (8, ""),
}  # fmt: skip
"""The keys that are more than a sign: their code, and the text that they make."""


class Browser:
    """One browser with a profile of its own; use it in a `with`."""

    def __init__(self, profile: Path) -> None:
        assert CHROMIUM is not None
        self._tabs = ExitStack()
        self._process = subprocess.Popen(
            [CHROMIUM, *_OPTIONS, f"--user-data-dir={profile}", "about:blank"],
            stderr=subprocess.PIPE,
            text=True,
        )
        assert self._process.stderr is not None
        for said in self._process.stderr:
            if found := re.search(r"ws://([\d.:]+)/", said):
                self._host = found[1]
                break
        else:
            raise AssertionError("the browser ended before it listened")

    def __enter__(self) -> Self:
        """Return the running browser."""
        return self

    def __exit__(self, *_: object) -> None:
        """End it."""
        self._tabs.close()
        self._process.kill()
        self._process.wait()
        assert self._process.stderr is not None
        self._process.stderr.close()

    def open(self, url: str, width: int = 1280, height: int = 800, *, touch: bool = False) -> "Tab":
        """Open a page in a tab of its own."""
        with urlopen(f"http://{self._host}/json/list") as answer:
            first = next(each for each in json.load(answer) if each["type"] == "page")
        tab = self._tabs.enter_context(Tab(first["webSocketDebuggerUrl"]))
        tab.begin(width, height, touch=touch)
        tab.go(url)
        return tab


class Tab:
    """One tab."""

    def __init__(self, address: str) -> None:
        self._lines = ExitStack()
        self._socket = self._lines.enter_context(connect(address, max_size=None))
        self._numbers = itertools.count(1)
        self.errors: list[str] = []
        """The errors and warnings of the page's console."""

    def __enter__(self) -> Self:
        """Return the tab."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close the line to it."""
        self._lines.close()

    def begin(self, width: int, height: int, *, touch: bool) -> None:
        """Give the page its size, and fingers in place of a mouse."""
        for domain in ("Page", "Runtime", "Log"):
            self.call(f"{domain}.enable")
        self.resize(width, height, touch=touch)
        if touch:
            self.call("Emulation.setTouchEmulationEnabled", enabled=True)
            self.call(
                "Emulation.setEmulatedMedia",
                features=[{"name": "pointer", "value": "coarse"}, {"name": "any-pointer", "value": "coarse"}],
            )

    def resize(self, width: int, height: int, *, touch: bool = False) -> None:
        """Give the page another size in CSS pixels."""
        self.call(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=touch,
        )

    def call(self, method: str, **values: Any) -> Any:
        """Call the browser, and return its answer; what the console says meanwhile is kept."""
        number = next(self._numbers)
        self._socket.send(json.dumps({"id": number, "method": method, "params": values}))
        while True:
            message = json.loads(self._socket.recv(PATIENCE_S))
            self._hear(message)
            if message.get("id") == number:
                assert "error" not in message, message["error"]
                return message["result"]

    def go(self, url: str) -> None:
        """Load a page."""
        self.call("Page.navigate", url=url)
        self.wait(lambda: self.run("document.readyState") == "complete")

    def run(self, script: str) -> Any:
        """Return the value of an expression of the page."""
        result = self.call("Runtime.evaluate", expression=script, returnByValue=True)
        assert "exceptionDetails" not in result, result["exceptionDetails"]
        return result["result"].get("value")

    def rows(self) -> list[str]:
        """Return what the page's picture shows, row by row; nothing while the page loads again."""
        try:
            rows: list[str] = self.run("globalThis.gloam ? gloam.rows() : []")
        except AssertionError as fault:
            if "Inspected target navigated" not in str(fault):
                raise
            return []
        return rows

    def wait_for(self, wanted: str | Callable[[list[str]], bool]) -> list[str]:
        """Wait until a text shows, or a predicate of the rows is true, and return the rows."""
        self.wait(
            lambda: wanted in "\n".join(self.rows()) if isinstance(wanted, str) else wanted(self.rows())
        )
        return self.rows()

    def wait(self, condition: Callable[[], bool], patience_s: float = PATIENCE_S) -> None:
        """Wait until a condition is true; fail with the rows."""
        deadline = time.monotonic() + patience_s
        while not condition():
            if time.monotonic() > deadline:
                raise AssertionError("never; the page shows:\n" + "\n".join(self.rows()))
            time.sleep(0.02)

    def join(self, name: str) -> None:
        """Give a name on the title, and wait until the player stands in the dungeon."""
        self.wait_for("Your name")
        self.type(name)
        self.wait_for(name)
        self.press("Enter")
        self.wait_for("HP")

    def press(self, *keys: str) -> None:
        """Press keys: signs, or names such as ArrowUp."""
        for key in keys:
            code, text = _NAMED.get(key, (ord(key[0].upper()), key))
            values: dict[str, Any] = {
                "key": key,
                "windowsVirtualKeyCode": code,
                **({"text": text} if text else {}),
            }
            self.call("Input.dispatchKeyEvent", type="keyDown", **values)
            self.call("Input.dispatchKeyEvent", type="keyUp", key=key, windowsVirtualKeyCode=code)

    def shift_tab(self) -> None:
        """Press Tab with Shift, which leads back to what has the keys before."""
        self.call(
            "Input.dispatchKeyEvent",
            type="keyDown",
            key="Tab",
            code="Tab",
            windowsVirtualKeyCode=9,
            modifiers=8,
        )
        self.call(
            "Input.dispatchKeyEvent",
            type="keyUp",
            key="Tab",
            code="Tab",
            windowsVirtualKeyCode=9,
            modifiers=8,
        )

    def type(self, text: str) -> None:
        """Insert a text as an input method does."""
        self.call("Input.insertText", text=text)

    def click(self, x: float, y: float, button: str = "left") -> None:
        """Press and release a button of the mouse."""
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button=button, clickCount=1)

    def tap(self, x: float, y: float) -> None:
        """Touch the page at a place."""
        self.call("Input.dispatchTouchEvent", type="touchStart", touchPoints=[{"x": x, "y": y}])
        self.call("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])

    def tap_button(self, words: str) -> None:
        """Touch the button with these words, or this label."""
        partition: list[float] | None = self.run(
            "(() => {const found = [...document.querySelectorAll('button')].find(one => one.offsetParent && "
            f"(one.textContent.trim() === {json.dumps(words)} || one.getAttribute('aria-label') === {json.dumps(words)}));"
            "if (!found) return null; found.scrollIntoView(); const box = found.getBoundingClientRect();"
            "return [box.x + box.width / 2, box.y + box.height / 2];})()"
        )
        assert partition is not None, f"no button {words!r}"
        self.tap(*partition)

    def picture(self, path: Path) -> None:
        """Write a picture of the page, in the format of the file's ending: png or webp."""
        shot = self.call("Page.captureScreenshot", format=path.suffix[1:])
        path.write_bytes(base64.b64decode(shot["data"]))

    def _hear(self, message: dict[str, Any]) -> None:
        values = message.get("params", {})
        match message.get("method"):
            case "Log.entryAdded" if values["entry"]["level"] in ("error", "warning"):
                self.errors.append(values["entry"]["text"])
            case "Runtime.exceptionThrown":
                self.errors.append(str(values["exceptionDetails"]))
