"""A real Firefox without a window, driven over WebDriver BiDi: pages, their scripts, and keys."""

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

from websockets.sync.client import connect

PATIENCE_S: Final = 60
FIREFOX: Final = shutil.which("firefox-esr") or shutil.which("firefox")
_ENTER: Final = "\ue006"
"""The key Enter, as WebDriver writes it."""


class Firefox:
    """One browser with a profile of its own and one page; use it in a `with`."""

    def __init__(self, profile: Path) -> None:
        assert FIREFOX is not None
        profile.mkdir(exist_ok=True)
        self._lines = ExitStack()
        self._numbers = itertools.count(1)
        self._process = subprocess.Popen(
            [FIREFOX, "--headless", "--no-remote", "--remote-debugging-port=0", "--profile", str(profile)],
            stderr=subprocess.PIPE,
            text=True,
        )
        assert self._process.stderr is not None
        for said in self._process.stderr:
            if found := re.search(r"BiDi listening on (ws://\S+)", said):
                break
        else:
            raise AssertionError("the browser ended before it listened")
        self._socket = self._lines.enter_context(connect(f"{found[1]}/session", max_size=None))
        self.call("session.new", capabilities={})
        self._page = self.call("browsingContext.getTree")["contexts"][0]["context"]

    def __enter__(self) -> Self:
        """Return the running browser."""
        return self

    def __exit__(self, *_: object) -> None:
        """End it in order, so that its profile is whole for the next start."""
        self.call("browser.close")
        self._lines.close()
        self._process.wait(PATIENCE_S)
        assert self._process.stderr is not None
        self._process.stderr.close()

    def call(self, method: str, **values: Any) -> Any:
        """Call the browser, and return its answer."""
        number = next(self._numbers)
        self._socket.send(json.dumps({"id": number, "method": method, "params": values}))
        while True:
            message = json.loads(self._socket.recv(PATIENCE_S))
            if message.get("id") == number:
                assert message["type"] == "success", message
                return message["result"]

    def go(self, url: str) -> None:
        """Load a page."""
        self.call("browsingContext.navigate", context=self._page, url=url, wait="complete")

    def run(self, script: str) -> Any:
        """Return the value of an expression of the page: a text, a number or a truth."""
        result = self.call(
            "script.evaluate", expression=script, target={"context": self._page}, awaitPromise=False
        )
        assert result["type"] == "success", result
        return result["result"].get("value")

    def text(self) -> str:
        """Return what the page's picture shows."""
        shown: str = self.run("globalThis.gloam ? gloam.rows().join('\\n') : ''")
        return shown

    def wait_for(self, wanted: str | Callable[[str], bool]) -> str:
        """Wait until a text shows, or a predicate of the picture is true; return the picture."""
        deadline = time.monotonic() + PATIENCE_S
        while not (wanted in (shown := self.text()) if isinstance(wanted, str) else wanted(shown)):
            assert time.monotonic() < deadline, f"never; the page shows:\n{shown}"
            time.sleep(0.05)
        return shown

    def type(self, text: str, *, enter: bool = False) -> None:
        """Press the key of each sign, and Enter behind them."""
        keys = [*text, *([_ENTER] if enter else [])]
        presses = [{"type": kind, "value": key} for key in keys for kind in ("keyDown", "keyUp")]
        self.call(
            "input.performActions",
            context=self._page,
            actions=[{"type": "key", "id": "keyboard", "actions": presses}],
        )
