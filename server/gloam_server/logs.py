"""The log: one line for each event on stderr, for people or as JSON.

Without control characters, bounded in size.

Every module logs by `logging.getLogger(__name__)`; Twisted's own events come in by its observer.
"""

import json
import logging
import sys
import time
from typing import Any, Final, TextIO, cast

from twisted.logger import ILogObserver, LogEvent, LogLevel, STDLibLogObserver, globalLogBeginner

BYTES_PER_MINUTE_MAX: Final = 900_000
TEXT_MAX: Final = 2_000
"""The most characters of a record's text, and of each line of a traceback."""

TRACE_LINES_MAX: Final = 60
_MINUTE_S: Final = 60
_INDENT: Final = "    | "
_root: Final = logging.getLogger()


def fields(event: str, **named: object) -> dict[str, dict[str, object]]:
    """Return the `extra` of a log line: its event's name, and the fields for programs.

    Example: _log.info("%s joined", name, extra=fields("joined", name=name))
    """
    return {"fields": {"event": event, **named}}


def begin(log_format: str, stream: TextIO | None = None) -> logging.Handler:
    """Log to a stream (stderr) from now on, as `plain` or `json`; return the handler that does it."""
    handler = RateLimitedHandler(stream)
    handler.setFormatter(Json() if log_format == "json" else Plain())
    for former in [each for each in _root.handlers if isinstance(each, RateLimitedHandler)]:
        _root.removeHandler(former)
    _root.addHandler(handler)
    _root.setLevel(logging.INFO)
    logging.getLogger("alembic").setLevel(
        logging.WARNING
    )  # its dozen lines about new tables do not help a host
    return handler


def observe_twisted() -> None:
    """Write Twisted's events to the log. Call it once in a process, before the reactor runs."""
    written = STDLibLogObserver(__name__)

    def observe(event: LogEvent) -> None:
        if not _is_chatter(event):
            written(event)

    globalLogBeginner.beginLoggingTo([cast(ILogObserver, observe)], redirectStandardIO=False)


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


class RateLimitedHandler(logging.StreamHandler[TextIO]):
    """Writes a limited number of bytes in a minute; dropped records are counted, and reported with the next one that fits."""

    def __init__(self, stream: TextIO | None) -> None:
        super().__init__(stream)
        self._follows_stderr = stream is None
        self._minute = 0
        self._written = 0
        self._left_out = 0

    def emit(self, record: logging.LogRecord) -> None:
        """Write a record, unless the minute is full."""
        if self._follows_stderr:
            self.stream = sys.stderr
        minute = int(record.created) // _MINUTE_S
        if minute != self._minute:
            self._minute, self._written = minute, 0
        self._written += len(self.format(record).encode()) + 1
        if self._written > BYTES_PER_MINUTE_MAX:
            self._left_out += 1
            return
        if self._left_out:
            left_out, self._left_out = self._left_out, 0
            self.emit(_notice(left_out))
        super().emit(record)


def _notice(left_out: int) -> logging.LogRecord:
    extra_fields = fields("left-out", count=left_out)
    record = logging.LogRecord(
        __name__, logging.WARNING, "", 0, f"{left_out:,} lines were left out: too much in a minute", (), None
    )
    record.__dict__.update(extra_fields)
    return record


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
