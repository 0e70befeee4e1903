"""Crash reports: one file each in the data folder, few and small, and one log line that names it."""

import logging
import traceback
from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from twisted.internet.defer import Deferred, fail, maybeDeferred
from twisted.python.failure import Failure

FOLDER: Final = "faults"
"""The folder of the reports, in the data folder."""

KEPT_MAX: Final = 100
"""The number of kept reports, the newest ones."""

BYTES_MAX: Final = 65_536
"""The longest report; a longer one is cut in the middle."""

SAME_MAX: Final = 10
"""The most reports for faults at one line of code, until the server restarts."""

_TEXT_MAX: Final = 200
_log: Final = logging.getLogger(__name__)


class CrashReports:
    """Writes reports into a folder; without one, into the log. `wall_s` is the time of day in seconds since 1970.

    `call` runs what writes the files: a server gives a thread for it. What is not written before a stop is over is lost.
    `suffix` tells the files of several processes apart.
    """

    def __init__(
        self,
        folder: Path | None = None,
        wall_s: Callable[[], int] = lambda: 0,
        call: Callable[..., Deferred[Any]] = maybeDeferred,
        suffix: str = "",
    ) -> None:
        self._folder = folder
        self._wall_s = wall_s
        self._call = call
        self._suffix = suffix
        self._seen: Counter[tuple[str, str, int]] = Counter()
        self.written = 0

    def write(self, what: str, error: BaseException, facts: Callable[[], list[str]]) -> None:
        """Report a fault: `what` names the activity, `facts` are lines about the place. Never raises."""
        site = _site(error)
        self._seen[site] += 1
        if self._seen[site] > SAME_MAX:
            return
        last = "; no more of this one are reported" if self._seen[site] == SAME_MAX else ""
        summary = f"{type(error).__name__}: {error}"[:_TEXT_MAX]

        def kept(where: str) -> None:
            _log.error("a fault of ours in %s (%s); report: %s%s", what, _plain(summary), where, last)

        def failed(failure: Failure) -> None:
            words = "a fault of ours in %s (%s); its report could not be written"
            _log.error(words, what, _plain(summary), exc_info=failure.value)

        self.written += 1
        try:
            writing = self._call(self._keep, self.written, self._wall_s(), what, error, facts())
        except Exception:  # noqa: BLE001  # a report that cannot be made must not be one more fault
            writing = fail()
        writing.addCallbacks(kept, failed)

    def _keep(self, number: int, at_s: int, what: str, error: BaseException, facts: list[str]) -> str:
        """Write a report and return where it is. The trace is made here, too: it reads the program's source files."""
        text = _text(what, error, facts)
        if self._folder is None:
            return text
        self._folder.mkdir(mode=0o700, exist_ok=True)
        at = datetime.fromtimestamp(at_s, UTC)
        path = self._folder / f"{at:%Y%m%dT%H%M%SZ}-{number:06d}{self._suffix}.txt"
        path.write_text(f"At {at:%Y-%m-%d %H:%M:%S} UTC\n{text}", encoding="utf-8")
        for old in sorted(self._folder.glob("*.txt"))[:-KEPT_MAX]:
            old.unlink(missing_ok=True)
        return str(path)


def _text(what: str, error: BaseException, facts: list[str]) -> str:
    trace = "".join(traceback.format_exception(error))
    text = "\n".join([f"A fault of ours in {what}.", *facts, "", trace])
    if len(text) > BYTES_MAX // 4:  # in characters, of which none has more than four bytes
        half = BYTES_MAX // 8 - 64
        text = f"{text[:half]}\n...\n{text[-half:]}"
    return _plain(text)


def _plain(text: str) -> str:
    """Return a text that is safe on a terminal: an error may quote anything."""
    return "".join(letter if letter.isprintable() or letter == "\n" else "?" for letter in text)


def _site(error: BaseException) -> tuple[str, str, int]:
    """Return the type and line of an error, or of its cause."""
    error = error.__cause__ or error
    last = error.__traceback__
    while last is not None and last.tb_next is not None:
        last = last.tb_next
    if last is None:
        return type(error).__name__, "", 0
    return type(error).__name__, last.tb_frame.f_code.co_filename, last.tb_lineno
