"""The pages of a door and the headers of every answer. Pure: from a path to an answer."""

import mimetypes
from functools import cache
from importlib.resources import files
from typing import Final, NamedTuple

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
    "/": "index.html",
    "/page.js": "page.js",
    "/page.css": "page.css",
    "/icon.svg": "icon.svg",
    "/manifest.webmanifest": "manifest.webmanifest",
}
"""The files of the page by their paths; there is no other."""


class Page(NamedTuple):
    """An answer: status, kind of content, and body."""

    status: int
    kind: str
    body: bytes


NOT_FOUND: Final = Page(404, "text/plain; charset=utf-8", b"There is no such page here.\n")


def page_at(path: str) -> Page:
    """Return the page at a path, without its query."""
    name = _FILES.get(path.partition("?")[0])
    return NOT_FOUND if name is None else _file(name)


@cache
def _file(name: str) -> Page:
    kind = mimetypes.guess_type(name)[0] or "application/manifest+json"
    text = f"{kind}; charset=utf-8" if kind.startswith("text/") else kind
    return Page(200, text, files("gloam_door.web").joinpath("static", name).read_bytes())
