"""Compares everything that the servers of a test run send with shared/protocol.json: fields, values and order.

`watch` looks at every message that leaves a connection of a real server in this process. Each process of a run keeps
what it saw, with the test that first saw it; the end of the run judges all of it together.
"""

import json
import os
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any, Final, TypeAlias
from weakref import WeakKeyDictionary

import msgpack

from gloam_server.gateway.front import Front
from gloam_server.net.connection import Connection
from gloam_shared import limits
from gloam_shared.protocol.framing import Framer, first_frame, frame
from gloam_shared.view import run_length
from gloam_shared.view.view import CreatureFlag

FILE: Final = Path(__file__).parents[3] / "shared" / "protocol.json"

MAPS: Final = 500
EVERY: Final = 16
"""The number of maps of a process that are read first, and the interval of those read after that."""

Document: TypeAlias = dict[str, Any]
Note: TypeAlias = Callable[[str, Any], None]
"""Takes the name of a table, "order" or "shape", and what was seen of it."""


def read_document() -> Document:
    """Return what shared/protocol.json holds."""
    document: Document = json.loads(FILE.read_text(encoding="utf-8"))
    return document


class Reader:
    """Reads the bodies of frames from a server by a document alone, and notes what stands in them."""

    def __init__(self, document: Document, note: Note) -> None:
        self._note = note
        self._maps = 0
        self._messages = {kind["tag"]: kind for kind in document["messages"]["from_server"]}
        self._tagged = {
            name: {kind["tag"]: kind for kind in document[section]}
            for name, section in (("Command", "commands"), ("Change", "changes"))
        }
        self._parts = {kind["name"]: kind for kind in document["parts"]}
        self._hunger = next(each["number"] for each in document["sheet"] if each["name"] == "HUNGER")

    def read(self, body: bytes) -> str:
        """Return the name of a message after its contents are noted."""
        tag, *values = msgpack.unpackb(body)
        kind = self._messages.get(tag, {"name": f"tag {tag}", "fields": []})
        self._fields(kind, values)
        return str(kind["name"])

    def _fields(self, kind: dict[str, Any], values: list[Any]) -> None:
        fields = kind["fields"]
        fewest = sum("default" not in field for field in fields)
        if not fewest <= len(values) <= len(fields):
            self._note("shape", f"{kind['name']} with {len(values)} fields")
        for field, value in zip(fields, values, strict=False):
            if not self._fits(field, value):
                self._note("shape", f"{kind['name']}.{field['name']} = {value!r:.60}")
            if field.get("packed") == "values":
                self._note_map(field["table"], value)
            elif "table" in field:
                self._note(field["table"], value)
            if "pairs" in field:
                self._note_pairs(field["pairs"], value)

    def _note_map(self, table: str, packed: bytes) -> None:
        """Note the values of some maps: a map takes longer to read than all the rest of a message."""
        self._maps += 1
        if self._maps <= MAPS or not self._maps % EVERY:
            for value in _packed_values(packed):
                self._note(table, value)

    def _note_pairs(self, of: list[str], numbers: list[int]) -> None:
        for first, second in zip(numbers[::2], numbers[1::2], strict=True):
            if of == ["handle", "marks"]:
                self._note("marks", second)
            if of == ["handle", "heading"]:
                self._note("headings", second)
            if of == ["sheet", "value"]:
                self._note("sheet", first)
                if first == self._hunger:
                    self._note("hunger", second)

    def _fits(self, entry: dict[str, Any], value: Any) -> bool:
        """Return whether a value is of the type that its field tells; what it is made of is noted on the way."""
        match entry["type"], value:
            case _, None:
                return bool(entry.get("nil"))
            case "list", list():
                return _within(entry, len(value)) and all(self._fits(entry["of"], each) for each in value)
            case ("text", str()) | ("bytes", bytes()):
                return _within(entry, len(value)) and value in entry.get("one_of", [value])
            case ("bool", bool()):
                return True
            case ("int", int()):
                return not isinstance(value, bool) and _within(entry, value)
            case ("any", _):
                return any(self._fits(each, value) for each in entry["of"])
            case (str(name), list()) if name in self._parts:
                self._fields(self._parts[name], value)
                return True
            case (str(name), [int(tag), *values]) if tag in self._tagged.get(name, {}):
                self._fields(self._tagged[name][tag], values)
                return True
        return False


def _packed_values(packed: bytes) -> Iterator[int]:
    """Yield the new values in a packed difference."""
    numbers = run_length._numbers(packed)
    next(numbers, None)  # the order; nothing follows in an empty difference
    for _ in numbers:
        for _ in range(next(numbers) + 1):
            yield next(numbers)


def _within(entry: dict[str, Any], size: int) -> bool:
    return bool(entry.get("min", size) <= size <= entry.get("max", size))


class Sent:
    """Everything sent in one process: (table, value) -> the test that was running when it was first seen."""

    def __init__(self, document: Document) -> None:
        self.seen: dict[tuple[str, Any], str] = {}
        self._phases = {each["phase"]: each["messages"] for each in document["phases"]}
        self._conversations: WeakKeyDictionary[object, tuple[Framer, str]] = WeakKeyDictionary()
        reader = Reader(document, self._note)
        self._read = lru_cache(maxsize=4_096)(reader.read)

    def take(self, connection: object, framed: bytes) -> None:
        """Look at one frame that leaves on a connection."""
        first = Framer(limits.FRAME_FROM_SERVER_MAX), next(iter(self._phases))
        framer, phase = self._conversations.get(connection, first)
        [body] = framer.feed(framed)
        message = self._read(body)
        if message in self._phases[phase]:
            phase = self._phases[phase][message]
        else:
            self._note("order", f"{message} while {phase}")
        self._conversations[connection] = framer, phase

    def framed(self, connection: object, body: bytes) -> bytes:
        """Return a message as the next frame on a connection."""
        return frame(body) if connection in self._conversations else first_frame(body)

    def _note(self, table: str, value: Any) -> None:
        self.seen.setdefault((table, value), os.environ.get("PYTEST_CURRENT_TEST", ""))


def watch(sent: Sent) -> None:
    """Look at every frame that a connection of a real server sends in this process from now on."""
    send_framed, send_encoded = Connection.send_framed, Connection.send_encoded

    def watched(self: Connection, framed: bytes, *, secret: bool = False) -> None:
        if self.is_open and isinstance(self._host, Front):
            sent.take(self, framed)
        send_framed(self, framed, secret=secret)

    def relayed(self: Connection, body: bytes) -> None:
        if self.is_open and isinstance(self._host, Front):
            sent.take(self, sent.framed(self, body))
        send_encoded(self, body)

    Connection.send_framed = watched  # type: ignore[method-assign]
    Connection.send_encoded = relayed  # type: ignore[method-assign]


def faults(document: Document, seen: Iterable[tuple[str, Any, str]]) -> list[str]:
    """Return a sentence for everything that was sent and is not in the document."""
    return [
        f"A server sent {table}: {value}, which {FILE.name} does not list; first in {test or 'no test'}."
        for table, value, test in sorted(seen, key=str)
        if not _is_listed(document, table, value)
    ]


def _is_listed(document: Document, table: str, value: Any) -> bool:
    match table.split("."):
        case ["codes", "Reason"] if not value:
            return True  # the code says all
        case ["codes", message]:
            return value in {each["code"] for each in document["codes"][message]}
        case ["marks" | "member_marks" | "traits"]:
            turns, flags = divmod(value, 65_536) if table == "marks" else (0, value)
            known = sum(each["number"] for each in document[table])
            return bool(0 <= flags <= known and turns <= (100 if flags & CreatureFlag.DOWN else 0))
        case ["terrain" | "hunger" | "sheet" | "effects" | "gains" | "damage"]:
            return value in {each["number"] for each in document[table]}
        case ["lines"]:
            return value in {each["kind"] for each in document[table]}
        case ["colours"]:
            return value in {each["name"] for each in document[table]}
        case ["headings"]:
            return value in range(8)
        case _:  # an order or a shape is only noted where it is wrong
            return False
