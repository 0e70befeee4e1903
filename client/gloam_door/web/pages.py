"""The pages of a door and the headers of every answer. Pure: from a path to an answer.

A page with values is a template of `fill`, which escapes them all: no text of a player can become HTML.
"""

import mimetypes
import re
from collections.abc import Iterable, Mapping
from functools import cache
from html import escape
from importlib.resources import files
from string import Template
from types import MappingProxyType
from typing import Final, NamedTuple

from gloam_shared import limits
from gloam_shared.text import NAME_PATTERN

POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; manifest-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""The content policy: nothing of others, and no script or style in the page itself."""
HEADERS: Final = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cache-Control": "no-cache",
}
_FILES: Final = {
    "/page.js": "page.js",
    "/page.css": "page.css",
    "/report.css": "report.css",
    "/icon.svg": "icon.svg",
    "/manifest.webmanifest": "manifest.webmanifest",
}
"""The files of the pages by their paths; there is no other."""
WATCH_PATH: Final = re.compile(rf"/watch/(?=.{{{limits.NAME_MIN},{limits.NAME_MAX}}}$)({NAME_PATTERN})")
"""The path of a page that watches a player. It is the same page for every name: it tells nothing of who plays here."""
_HTML: Final = "text/html; charset=utf-8"
_TITLE: Final = "Gloam"
_DESCRIPTION: Final = "A shared dungeon for friends, where the monsters gain experience too. Play here, without installing anything."
_NOTHING_MORE: Final[Mapping[str, str]] = MappingProxyType({})


class Page(NamedTuple):
    """An answer: status, kind of content, body, and its own headers, beside the headers of every answer."""

    status: int
    kind: str
    body: bytes
    more: Mapping[str, str] = _NOTHING_MORE


class Markup(str):
    """HTML whose values are escaped; only `fill` and `joined` make it."""

    __slots__ = ()


NOT_FOUND: Final = Page(404, "text/plain; charset=utf-8", b"There is no such page here.\n")


def fill(template: str, **values: object) -> Markup:
    """Return a template with these values in place of its `$names`; each that is no markup is escaped."""
    escaped = {
        name: value if isinstance(value, Markup) else escape(str(value)) for name, value in values.items()
    }
    return Markup(Template(template).substitute(escaped))


def joined(parts: Iterable[Markup]) -> Markup:
    """Return parts one after another."""
    return Markup("".join(parts))


def page_at(path: str) -> Page | None:
    """Return the page at a path, without its query; None if there is none that needs no server."""
    path = path.partition("?")[0]
    if path == "/":
        return play_page(_TITLE, _DESCRIPTION)
    if (found := WATCH_PATH.fullmatch(path)) is not None:
        return play_page(f"Watch {found[1]} - Gloam", f"See what {found[1]} sees in the dungeon, 10 s late.")
    name = _FILES.get(path)
    return None if name is None else _file(name)


def play_page(title: str, description: str) -> Page:
    """Return the page that plays, with a title and a description for previews of its link."""
    return Page(200, _HTML, fill(_text("index.html"), head=_head(title, description)).encode())


def report_page(title: str, description: str, body: Markup, status: int = 200) -> Page:
    """Return a page to read."""
    filled = fill(_text("report.html"), head=_head(title, description), title=title, body=body)
    return Page(status, _HTML, filled.encode())


def _head(title: str, description: str) -> Markup:
    """Return what the heads of all pages have: title and description, for previews of links, too."""
    return fill(_text("head.html"), title=title, description=description)


@cache
def _file(name: str) -> Page:
    kind = mimetypes.guess_type(name)[0] or "application/manifest+json"
    text = f"{kind}; charset=utf-8" if kind.startswith("text/") else kind
    return Page(200, text, _text(name).encode())


@cache
def _text(name: str) -> str:
    return files("gloam_door.web").joinpath("static", name).read_text(encoding="utf-8")
