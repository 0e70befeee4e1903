"""The messages of a page: one JSON object each, checked field by field. Pure.

A page that sends anything else is not the door's own, and its visit ends.
"""

import re
from typing import Annotated, Final, Literal, TypeAlias, TypeVar

import msgspec
from msgspec import Meta, Struct

from gloam_client.state.model import HEIGHT_MIN, WIDTH_MIN

PAGE_VERSION: Final = 2
"""The version of the page and of the parts that it gets: raised when a page that was loaded before cannot read them."""
MESSAGE_MAX: Final = 4_096
"""The most bytes of a message."""
SIZE_LEAST: Final = (WIDTH_MIN, HEIGHT_MIN)
SIZE_MOST: Final = (200, 60)
_TEXT_MAX: Final = 800
_KEY_NAME: Final = re.compile(r"(?:(?:CTRL|ALT|SHIFT)_)*(?:[A-Z]|[A-Z][A-Z0-9]{1,9}|KP_[0-9])")

_Column = Annotated[int, Meta(ge=0, lt=SIZE_MOST[0])]
_Row = Annotated[int, Meta(ge=0, lt=SIZE_MOST[1])]
_Size = tuple[
    Annotated[int, Meta(ge=SIZE_LEAST[0], le=SIZE_MOST[0])],
    Annotated[int, Meta(ge=SIZE_LEAST[1], le=SIZE_MOST[1])],
]


class Hello(Struct, frozen=True, forbid_unknown_fields=True):
    """The first message: the version of the page, the cells that fit, what the player wants, and the page's path."""

    hello: int
    size: _Size
    say: bool = False
    name: Annotated[str, Meta(max_length=64)] = ""
    invite: Annotated[str, Meta(max_length=200)] = ""
    at: Annotated[str, Meta(max_length=200)] = "/"


class _Later(Struct, frozen=True, forbid_unknown_fields=True):
    """Any message after the first; exactly one field is set."""

    key: Annotated[str, Meta(min_length=1, max_length=20)] | None = None
    text: Annotated[str, Meta(min_length=1, max_length=_TEXT_MAX)] | None = None
    mouse: tuple[Literal["left", "right", "wheel up", "wheel down", "move"], _Column, _Row] | None = None
    size: _Size | None = None
    say: bool | None = None


class Key(Struct, frozen=True):
    """A pressed key, by its name in the key table."""

    name: str


class Text(Struct, frozen=True):
    """Typed or pasted text."""

    text: str


class Mouse(Struct, frozen=True):
    """An action of the mouse, or a tap, at a cell."""

    action: Literal["left", "right", "wheel up", "wheel down", "move"]
    x: int
    y: int


class Size(Struct, frozen=True):
    """The columns and rows that fit now."""

    columns: int
    rows: int


class Say(Struct, frozen=True):
    """Whether the page wants lines of text beside its picture."""

    on: bool


M = TypeVar("M", bound=Struct)
FromPage: TypeAlias = Key | Text | Mouse | Size | Say


class BadMessage(Exception):
    """A message that the door's own page does not send."""


class OtherPage(Exception):
    """A page of another version of the door: it was loaded before the door was updated."""


def read_hello(data: str | bytes) -> Hello:
    """Return the first message of a page. Raises BadMessage and OtherPage."""
    hello = _decode(data, Hello)
    if hello.hello != PAGE_VERSION:
        raise OtherPage
    return hello


def read_message(data: str | bytes) -> FromPage:
    """Return a later message of a page. Raises BadMessage."""
    match _decode(data, _Later):
        case _Later(key=str(name), text=None, mouse=None, size=None, say=None) if _is_key(name):
            return Key(name)
        case _Later(key=None, text=str(text), mouse=None, size=None, say=None):
            return Text(text)
        case _Later(key=None, text=None, mouse=(action, x, y), size=None, say=None):
            return Mouse(action, x, y)
        case _Later(key=None, text=None, mouse=None, size=(columns, rows), say=None):
            return Size(columns, rows)
        case _Later(key=None, text=None, mouse=None, size=None, say=bool(on)):
            return Say(on)
        case _:
            raise BadMessage


def _is_key(name: str) -> bool:
    return (len(name) == 1 and name.isprintable()) or _KEY_NAME.fullmatch(name) is not None


def _decode(data: str | bytes, kind: type[M]) -> M:
    if not isinstance(data, str) or len(data) > MESSAGE_MAX:
        raise BadMessage
    try:
        return msgspec.json.decode(data, type=kind)
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        raise BadMessage from error
