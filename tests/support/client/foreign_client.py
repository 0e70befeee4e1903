"""A client made from shared/protocol.json only: it uses msgpack, a socket and the schema, and no module of Gloam."""

import json
import os
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Self

import msgpack

PATIENCE_S = 60.0
_SCHEMA = json.loads((Path(__file__).parents[3] / "shared" / "protocol.json").read_text(encoding="utf-8"))
_SENT = {kind["name"]: kind for kind in (*_SCHEMA["messages"]["from_client"], *_SCHEMA["commands"])}
_MESSAGES = {kind["tag"]: kind for kind in _SCHEMA["messages"]["from_server"]}
_CHANGES = {kind["tag"]: kind for kind in _SCHEMA["changes"]}
_PARTS = {kind["name"]: kind for kind in _SCHEMA["parts"]}
_SHEET = {each["name"]: each["number"] for each in _SCHEMA["sheet"]}
_HEADINGS = _SCHEMA["headings"]
WALKABLE = {each["number"] for each in _SCHEMA["terrain"] if each["walkable"]}


def packed(name: str, *values: Any) -> list[Any]:
    """Return a message to the server, or a command, as a list."""
    return [_SENT[name]["tag"], *values]


def read(kind: dict[str, Any], values: list[Any]) -> dict[str, Any]:
    """Return the fields of a list by their names; what was left off has its default, what is unknown is left out."""
    fields = kind["fields"]
    given = values + [field["default"] for field in fields[len(values) :]]
    return {field["name"]: _read(field, value) for field, value in zip(fields, given, strict=False)}


def _read(entry: dict[str, Any], value: Any) -> Any:
    if value is None:
        return None
    if entry["type"] == "list":
        return [_read(entry["of"], each) for each in value]
    if entry["type"] == "Change":
        kind = _CHANGES.get(value[0], {"name": "", "fields": []})
        return kind["name"], read(kind, value[1:])
    return read(_PARTS[entry["type"]], value) if entry["type"] in _PARTS else value


def numbers(data: bytes) -> Iterator[int]:
    """Yield the numbers of a packed difference: three bits a half byte, lowest first."""
    number = shift = 0
    for half in (half for byte in data for half in (byte >> 4, byte & 15)):
        number |= (half & 7) << shift
        shift += 3
        if half < 8:
            yield number
            number = shift = 0


def unpacked(old: bytes, data: bytes, width: int, *, flags: bool) -> bytes:
    """Return a map after a packed difference."""
    rest, new, height = numbers(data), bytearray(old), len(old) // width
    by_columns, at = next(rest), 0
    for gap in rest:
        at += gap
        for count in range(at, at + next(rest) + 1):
            cell = count % height * width + count // height if by_columns else count
            new[cell] = 1 - new[cell] if flags else next(rest)
            at = count + 1
    return bytes(new)


class ForeignClient:
    """One connection. `view` is the model that patches make: parts by name; creatures, items and slots by their keys."""

    def __init__(self, port: int, name: str) -> None:
        self.view: dict[str, Any] = {}
        self.joined: dict[str, Any] = {}
        self._socket = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE_S)
        self._held, self._first = b"", True
        self._number = self._patch = self.done = 0
        newest = _SCHEMA["protocol"]["newest"]
        body = msgpack.packb(packed("Hello", newest))
        self._socket.sendall(len(body).to_bytes(_SCHEMA["framing"]["first_head_bytes"], "big") + body)
        self.send("Login", name, os.urandom(_SCHEMA["limits"]["token_size"]))

    def __enter__(self) -> Self:
        """Wait for the first view."""
        while not (self.view and self.joined):
            self.hear()
        return self

    def __exit__(self, *_: object) -> None:
        """Hang up."""
        self._socket.close()

    def send(self, name: str, *values: Any) -> None:
        """Send a message."""
        body = msgpack.packb(packed(name, *values))
        head = [len(body)] if len(body) < 128 else [len(body) & 127 | 128, len(body) >> 7]
        self._socket.sendall(bytes(head) + body)

    def do(self, command: str, *values: Any) -> None:
        """Send a command and wait until it is answered."""
        self._number += 1
        self.send("SubmitCommand", self._number, self._patch, packed(command, *values))
        while self.done < self._number:
            self.hear()

    def hear(self) -> tuple[str, dict[str, Any]]:
        """Wait for a message, do what it asks for, and return it."""
        tag, *values = msgpack.unpackb(self._frame())
        kind = _MESSAGES.get(tag, {"name": "", "fields": []})
        name, fields = kind["name"], read(kind, values)
        if name == "Heartbeat":
            self.send("HeartbeatReply", fields["number"])
        elif name == "Joined":
            self.joined = fields
        elif name == "Answer":
            self.done = max(self.done, fields["number"])
        elif name == "Update":
            self._patch += 1
            self.done = max(self.done, fields["done"])
            if fields["whole"]:
                self._begin()
            for change, entry in fields["changes"]:
                self._apply(change, entry)
            self.send("Acknowledge", self._patch)
        return name, fields

    @property
    def own(self) -> dict[str, Any]:
        """The player's own body."""
        body: dict[str, Any] = self.view["creatures"][self.view["sheet"][_SHEET["HANDLE"]]]
        return body

    def _frame(self) -> bytes:
        """Return the next frame's body."""
        while True:
            head = self._head()
            if head is not None and len(self._held) >= sum(head):
                body, self._held = self._held[head[0] : sum(head)], self._held[sum(head) :]
                self._first = False
                return body
            came = self._socket.recv(65_536)
            assert came, "the server hung up"
            self._held += came

    def _head(self) -> tuple[int, int] | None:
        """Return how long the next frame's head and body are, if that much has arrived."""
        if self._first:
            length = _SCHEMA["framing"]["first_head_bytes"]
            return (length, int.from_bytes(self._held[:length], "big")) if len(self._held) >= length else None
        size = 0
        for at, byte in enumerate(self._held[: _SCHEMA["framing"]["head_bytes_max"]]):
            size |= (byte & 127) << 7 * at
            if byte < 128:
                return at + 1, size
        return None

    def _begin(self) -> None:
        self.view = {"terrain": b"", "sight": b"", "creatures": {}, "items": {}, "inventory": {}}
        self.view |= {"pile": [], "spells": [], "states": [], "choices": [], "party": [], "lines": []}
        self.view["sheet"] = [0] * len(_SHEET)

    def _apply(self, change: str, entry: dict[str, Any]) -> None:
        view = self.view
        match change:
            case "Entered":
                blank = bytes(entry["place"]["width"] * entry["place"]["height"])
                view |= {"place": entry["place"], "terrain": blank, "sight": blank, "pile": []}
                view |= {"creatures": {}, "items": {}}
            case "Ground" | "Sight":
                part, width = {"Ground": "terrain", "Sight": "sight"}[change], view["place"]["width"]
                view[part] = unpacked(view[part], entry["packed"], width, flags=change == "Sight")
            case "Creatures" | "Items" | "Inventory":
                self._exchange(view[change.lower()], entry, "slot" if change == "Inventory" else "handle")
            case "Step":
                self._step(self.own, entry["heading"])
            case "Steps":
                for handle, heading in _pairs(entry["pairs"]):
                    self._step(view["creatures"][handle], heading)
            case "Sheet":
                for place, value in _pairs(entry["pairs"]):
                    view["sheet"][place] = value
            case "Lines":
                view["lines"] = view["lines"][entry["forgotten"] :] + entry["new"]
            case "LogReset":
                view["lines"] = entry["log"]["lines"]
            case _:
                [(_, view[change.lower()])] = entry.items()

    def _exchange(self, things: dict[int, Any], entry: dict[str, Any], key: str) -> None:
        for gone in entry["gone"]:
            del things[gone]
        things |= {each[key]: each for each in entry["come"]}
        for part, field in (("hurt", "hp"), ("marked", "marks"), ("moved", "cell")):
            for handle, value in _pairs(entry.get(part, [])):
                things[handle][field] = value
        for each in entry.get("coloured", []):
            things[each["handle"]]["colour"] = each["colour"]

    def _step(self, creature: dict[str, Any], heading: int) -> None:
        dx, dy = _HEADINGS[heading]
        creature["cell"] += dx + dy * self.view["place"]["width"]

    def ways(self) -> Iterator[tuple[int, int]]:
        """Yield the steps to cells that are walkable and free."""
        width, taken = self.view["place"]["width"], {each["cell"] for each in self.view["creatures"].values()}
        for dx, dy in _HEADINGS:
            cell = self.own["cell"] + dx + dy * width
            if self.view["terrain"][cell] in WALKABLE and cell not in taken:
                yield dx, dy


def _pairs(flat: list[int]) -> Iterator[tuple[int, int]]:
    return zip(flat[::2], flat[1::2], strict=True)
