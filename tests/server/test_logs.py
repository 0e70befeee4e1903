"""The log: clean, structured, bounded, and silent about secrets."""

import io
import json
import logging
import re
import sys
from collections.abc import Iterator

import pytest

from gloam_server import logs
from gloam_server.logs import BYTES_PER_MINUTE_MAX, TEXT_MAX, fields

_log = logging.getLogger("gloam_server.test")


@pytest.fixture
def stream(request: pytest.FixtureRequest) -> Iterator[io.StringIO]:
    """Log into memory, in the format that the test asks for."""
    taken = io.StringIO()
    handler = logs.begin(getattr(request, "param", "json"), taken)
    yield taken
    logging.getLogger().removeHandler(handler)


def emit(text: str, **attributes: object) -> None:
    """Log past pytest, which cannot pass on every character to its other processes."""
    record = logging.LogRecord("test", logging.INFO, "", 0, text, (), None)
    record.__dict__.update(attributes)
    next(each for each in logging.getLogger().handlers if isinstance(each, logs.RateLimitedHandler)).handle(
        record
    )


in_plain_text = pytest.mark.parametrize("stream", ["plain"], indirect=True)
in_both = pytest.mark.parametrize("stream", ["plain", "json"], indirect=True)


def test_line_json_holds_time_level_source_text(stream: io.StringIO) -> None:
    """A line of json holds time level source text and the event s fields."""
    _log.info("%s joined", "Anna", extra=fields("joined", name="Anna", depth=3, reasons={"rate": 2}))
    record = json.loads(stream.getvalue())
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", record.pop("time"))
    assert record == {
        "level": "info",
        "source": "gloam_server.test",
        "text": "Anna joined",
        "event": "joined",
        "name": "Anna",
        "depth": 3,
        "reasons": {"rate": 2},
    }


@in_plain_text
def test_a_plain_line_is_for_people(stream: io.StringIO) -> None:
    _log.warning("%s: %s refused", "203.0.113.7", "1,000", extra=fields("refused", count=1_000))
    assert re.fullmatch(
        r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d WARNING 203\.0\.113\.7: 1,000 refused\n", stream.getvalue()
    )


@in_both
def test_no_control_character(stream: io.StringIO) -> None:
    """No control character and no mark of direction is ever written."""
    hostile = "".join(map(chr, range(0x20))) + "\x7f\x9b\u202e\u2066\u200b\ufeff\ud800é日"
    for evil in hostile:
        emit(f"said {evil}!", **fields("said", **{"name": evil, f"k{evil}": 1}))
    raw = stream.getvalue()
    raw.encode()
    shown = [char for char in raw if not char.isprintable() and char != "\n"]
    assert shown == []
    if raw.startswith("{"):
        for line in raw.splitlines():
            record = json.loads(line)
            assert all(f"{each}".isprintable() for pair in record.items() for each in pair)


@in_plain_text
def test_a_line_cannot_be_forged_by_a_line_feed(stream: io.StringIO) -> None:
    _log.info("hello %s", "x\n2026-01-01 00:00:00 CRITICAL forged")
    assert stream.getvalue().splitlines()[1].startswith("    | 2026")


def refuse(words: str) -> None:
    raise ValueError(words)


@in_both
def test_a_traceback_stands_behind_its_event(stream: io.StringIO) -> None:
    try:
        refuse("one\x1b[2J\ntwo")
    except ValueError:
        _log.exception("a fault in a beat")
    raw = stream.getvalue()
    assert "\x1b" not in raw
    if raw.startswith("{"):
        record = json.loads(raw)
        assert record["text"] == "a fault in a beat"
        assert record["trace"][-2:] == ["ValueError: one\\x1b[2J", "two"]
    else:
        first, *rest = raw.splitlines()
        assert first.endswith("ERROR a fault in a beat")
        assert all(line.startswith("    | ") for line in rest)


def test_what_is_logged_is_never_an_object(stream: io.StringIO) -> None:
    _log.info("it", extra=fields("it", thing=object, nothing=None, yes=True))
    record = json.loads(stream.getvalue())
    assert (record["thing"], record["nothing"], record["yes"]) == ("<class 'object'>", None, True)


def test_a_line_is_cut_off_at_its_bound(stream: io.StringIO) -> None:
    _log.info("x" * 10_000, extra=fields("long", text_of_it="y" * 10_000))
    record = json.loads(stream.getvalue())
    assert (len(record["text"]), len(record["text_of_it"])) == (TEXT_MAX, TEXT_MAX)


@pytest.mark.rule("A72")
def test_a_minute_of_log_stays_below_a_megabyte(stream: io.StringIO) -> None:
    """A minute holds less than a megabyte and names what was left out."""
    for _ in range(1_000):
        emit("x" * TEXT_MAX, created=600)
    size = len(stream.getvalue())
    assert BYTES_PER_MINUTE_MAX * 0.99 < size <= BYTES_PER_MINUTE_MAX
    written = stream.getvalue().count("\n")
    emit("the next minute", created=660)
    *_, left_out, last = map(json.loads, stream.getvalue().splitlines())
    assert left_out["count"] == 1_000 - written
    assert left_out["text"] == f"{1_000 - written:,} lines were left out: too much in a minute"
    assert last["text"] == "the next minute"


def test_twisted_events_come_tracebacks() -> None:
    """Twisted's own events are logged with their tracebacks."""
    import subprocess

    code = (
        "from gloam_server import logs; logs.begin('json'); logs.observe_twisted()\n"
        "from twisted.logger import Logger\nfrom twisted.internet.defer import fail\nimport gc\n"
        "Logger('there').info('said {what}', what='\\x1b[2J')\n"
        "fail(ValueError('nobody hears'))\ngc.collect()\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )
    records = [json.loads(line) for line in done.stderr.splitlines()]
    assert records[0]["text"] == "said \\x1b[2J"
    assert any("ValueError: nobody hears" in line for each in records for line in each.get("trace", []))


def test_twisted_chatter_ports_stays() -> None:
    """Twisted's chatter about ports stays out and its errors are logged."""
    import subprocess

    code = (
        "from gloam_server import logs; logs.begin('json'); logs.observe_twisted()\n"
        "from twisted.internet import reactor\nfrom twisted.internet.protocol import Factory\n"
        "from twisted.python import log\n"
        "class Doorsteps(Factory):\n    noisy = False\n"
        "reactor.listenTCP(0, Doorsteps(), interface='127.0.0.1')\n"
        "log.err(ValueError('a port broke'))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )
    assert "starting on" not in done.stderr
    assert "a port broke" in done.stderr


def test_all_that_python_prints_is_an_entry() -> None:
    """Warnings, finalizers and threads write no lines of their own into a log for programs."""
    import subprocess

    code = (
        "from gloam_server import logs; log = logs.begin_in_thread('json'); logs.observe_twisted(redirect=True)\n"
        "import gc, threading, warnings\n"
        "class Loud:\n    def __del__(self): raise ValueError('at the end')\n"
        "Loud(); gc.collect()\n"
        "thread = threading.Thread(target=lambda: 1 / 0); thread.start(); thread.join()\n"
        "warnings.warn('some day it ends', DeprecationWarning, stacklevel=1)\n"
        "import logging; logging.info('%d', 'no number')\n"
        "print('a word'); logs.say('the last sentence'); log.drain()\n"
    )
    done = subprocess.run(
        [sys.executable, "-W", "always", "-c", code], capture_output=True, text=True, check=True, timeout=60
    )
    texts = [json.loads(line)["text"] for line in done.stderr.splitlines()]
    assert done.stdout == ""
    for each in ("at the end", "ZeroDivisionError", "some day it ends", "number", "a word"):
        assert any(each in text for text in texts), each
    assert texts[-1] == "the last sentence"


@in_both
def test_a_sentence_for_the_host(stream: io.StringIO) -> None:
    """It is a plain line for people, and an entry of a log for programs; clean in both."""
    logs.say("The world\x1b[2J is damaged.")
    line = stream.getvalue()
    if line.startswith("{"):
        assert (json.loads(line)["level"], json.loads(line)["text"]) == (
            "error",
            "The world\\x1b[2J is damaged.",
        )
    else:
        assert line == "gloam-server: The world\\x1b[2J is damaged.\n"
