"""The log: one line for each event on stderr, for people or as JSON.

Without control characters, bounded in size.

Every module logs by `logging.getLogger(__name__)`; Twisted's own events arrive by its observer. `structlog` and
`python-json-logger` would replace the 16 lines of `Json.format`, and neither limits bytes nor escapes text (decision 58).
"""

import json
import logging
import sys
import time
from functools import partial
from typing import Any, Final, Protocol, cast

from twisted.logger import ILogObserver, LogEvent, LogLevel, STDLibLogObserver, globalLogBeginner

from gloam_server.log_thread import LineThread

BYTES_PER_MINUTE_MAX: Final = 900_000
TEXT_MAX: Final = 2_000
"""The most characters of a record's text, and of each line of a traceback."""

TRACE_LINES_MAX: Final = 60
_MINUTE_S: Final = 60
_INDENT: Final = "    | "
_STDERR: Final = 2
_root: Final = logging.getLogger()


def fields(event: str, **named: object) -> dict[str, dict[str, object]]:
    """Return the `extra` of a log line: its event's name, and the fields for programs.

    Example: _log.info("%s joined", name, extra=fields("joined", name=name))
    """
    return {"fields": {"event": event, **named}}


class Stream(Protocol):
    """The part of a text stream that a log needs."""

    def write(self, text: str, /) -> object:
        """Write a text."""

    def flush(self) -> object:
        """Write what is held back."""


def begin(log_format: str, stream: Stream | None = None) -> "RateLimitedHandler":
    """Log to a stream (stderr) from now on, as `plain` or `json`; return the handler that does it."""
    handler = RateLimitedHandler(stream)
    handler.setFormatter(formatter_of(log_format))
    for former in [each for each in _root.handlers if isinstance(each, RateLimitedHandler)]:
        _root.removeHandler(former)
    _root.addHandler(handler)
    _root.setLevel(logging.INFO)
    return handler


def begin_in_thread(log_format: str, process: str = "") -> "RateLimitedHandler":
    """Log to stderr from now on by a thread of its own: play never waits for the reader of the log. `process` names this process in each line, if there are several."""
    formatter = formatter_of(log_format)

    def describe_loss(count: int) -> str:
        text = f"{count:,} line{'' if count == 1 else 's'} of the log were lost: stderr did not take them"
        return f"{formatter.format(_record(logging.WARNING, text, 'lost-lines', count=count))}\n"

    handler = begin(log_format, LineThread(_STDERR, describe_loss))
    if process:
        handler.addFilter(partial(_name_process, process))
    return handler


def _name_process(process: str, record: logging.LogRecord) -> bool:
    """Name the process of a record, in its text and its fields; the record stays."""
    record.msg, record.args = f"{process}: {record.getMessage()}", None
    record.__dict__["fields"] = {**getattr(record, "fields", {}), "process": process}
    return True


def formatter_of(log_format: str) -> logging.Formatter:
    """Return what makes a record's text: `plain` or `json`."""
    return Json() if log_format == "json" else Plain()


def json_entry(text: str, event: str, **named: object) -> str:
    """Return a record of a log for programs."""
    return Json().format(_record(logging.INFO, text, event, **named))


def say(sentence: str) -> None:
    """Write a sentence for the host to stderr; in a log for programs it is an entry as any other."""
    for handler in _root.handlers:
        if isinstance(handler, RateLimitedHandler):
            handler.say(sentence)
            return
    sys.stderr.write(_plain_sentence(sentence))


def observe_twisted(*, redirect: bool = False) -> None:
    """Write Twisted's events to the log. Call it once in a process, before the reactor runs.

    With `redirect` everything that Python code prints on stdout and stderr becomes entries of the log: warnings and
    tracebacks of threads and finalizers, too. So they cannot stop the reactor, and a log for programs has no other
    lines.
    """
    written = STDLibLogObserver(__name__)

    def observe(event: LogEvent) -> None:
        if not _is_chatter(event):
            written(event)

    globalLogBeginner.beginLoggingTo([cast(ILogObserver, observe)], redirectStandardIO=redirect)


def _is_chatter(event: LogEvent) -> bool:
    """Return whether this is Twisted's own message about a port: the server logs a better one."""
    return event.get("log_namespace") == "log_legacy" and event.get("log_level") == LogLevel.info


class Plain(logging.Formatter):
    """For people: time, level, text; a traceback follows line by line, each behind a bar."""

    def format(self, record: logging.LogRecord) -> str:
        """Return a record as its lines."""
        first, *rest = _lines(self, record)
        at = time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(record.created))
        return "\n".join([f"{at} {record.levelname} {first}", *(f"{_INDENT}{line}" for line in rest)])


class Json(logging.Formatter):
    """For programs: one object a line.

    Times are UTC; `text` is the text for people, `event` the kind of event.
    """

    def format(self, record: logging.LogRecord) -> str:
        """Return a record as one line."""
        first, *rest = _lines(self, record)
        at = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created))
        entry: dict[str, object] = {
            "time": f"{at}.{int(record.msecs):03}Z",
            "level": record.levelname.lower(),
            "source": record.name,
            "text": first,
        }
        if rest:
            entry["trace"] = rest
        named = _plain(getattr(record, "fields", {}))
        return json.dumps(entry | {key: value for key, value in named.items() if key not in entry})


class RateLimitedHandler(logging.Handler):
    """Writes a limited number of bytes in a minute; dropped records are counted, and reported with the next one that fits."""

    def __init__(self, stream: Stream | None) -> None:
        super().__init__()
        self._stream = stream
        self._minute = 0
        self._written = 0
        self._left_out = 0
        self._left_out_before = 0

    @property
    def lost(self) -> int:
        """The number of records since the start that were not written."""
        stuck = self._stream.lost if isinstance(self._stream, LineThread) else 0
        return self._left_out_before + self._left_out + stuck

    def emit(self, record: logging.LogRecord) -> None:
        """Write a record, unless the minute is full."""
        try:
            line = f"{self.format(record)}\n"
        except Exception:  # noqa: BLE001  # as each handler of the standard library: a bad call must not stop its caller
            self.handleError(record)
            return
        minute = int(record.created) // _MINUTE_S
        if minute != self._minute:
            self._minute, self._written = minute, 0
        self._written += len(line.encode())
        if self._written > BYTES_PER_MINUTE_MAX:
            self._left_out += 1
            return
        if self._left_out:
            left_out, self._left_out = self._left_out, 0
            self._left_out_before += left_out
            text = f"{left_out:,} lines were left out: too much in a minute"
            self.emit(_record(logging.WARNING, text, "left-out", count=left_out))
        self._write(line)

    def say(self, sentence: str) -> None:
        """Write a sentence for the host: plain, or as a record."""
        if isinstance(self.formatter, Json):
            self.handle(logging.LogRecord(__name__, logging.ERROR, "", 0, sentence, (), None))
        else:
            self._write(_plain_sentence(sentence))

    def drain(self) -> None:
        """Wait until all is written, but only for a moment."""
        if isinstance(self._stream, LineThread):
            self._stream.drain()

    def _write(self, text: str) -> None:
        stream = self._stream or sys.stderr
        try:
            stream.write(text)
            stream.flush()
        except OSError:
            self._left_out += 1


def _record(level: int, text: str, event: str, **named: object) -> logging.LogRecord:
    record = logging.LogRecord(__name__, level, "", 0, text, (), None)
    record.__dict__.update(fields(event, **named))
    return record


def _plain_sentence(sentence: str) -> str:
    return f"gloam-server: {escape(sentence)}\n"


def _lines(formatter: logging.Formatter, record: logging.LogRecord) -> list[str]:
    """Return a record's text and, behind it, its traceback; clean, and each within its bound."""
    whole = record.getMessage()
    if record.exc_info:
        whole = f"{whole}\n{formatter.formatException(record.exc_info)}"
    first, *rest = whole.split("\n")
    return [escape(line)[:TEXT_MAX] for line in (first, *rest[-TRACE_LINES_MAX:])]


def escape(text: str) -> str:
    """Return a text with all unprintable characters escaped: controls, direction marks, and similar ones."""
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() else repr(char)[1:-1] for char in text)


def _plain(value: object) -> Any:
    """Return a field as JSON has it: numbers, texts, and counts by name; anything else as its text."""
    if isinstance(value, bool | int | float) or value is None:
        return value
    if isinstance(value, dict):
        return {escape(str(key)): _plain(each) for key, each in value.items()}
    return escape(str(value))[:TEXT_MAX]
