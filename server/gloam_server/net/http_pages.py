"""A few HTTP pages for the host's programs: each is a function that is called for each request.

`twisted.web` speaks HTTP. The resource of `prometheus_client` is not used: it collects in a thread of its own.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple, cast

from twisted.web.resource import Resource
from twisted.web.server import Request, Site

_IDLE_S: Final = 10


class HttpPage(NamedTuple):
    """The content of a page."""

    kind: str
    body: bytes
    status: int = 200


class _Leaf(Resource):
    def __init__(self, ask: Callable[[], HttpPage]) -> None:
        super().__init__()  # type: ignore[no-untyped-call]  # Twisted's
        self._ask = ask

    def render_GET(self, request: Request) -> bytes:
        page = self._ask()
        request.setResponseCode(page.status)
        request.setHeader(b"content-type", page.kind.encode())
        return page.body


class _Pages(Site):
    noisy = False
    displayTracebacks = False  # noqa: N815  # Twisted's name

    def log(self, request: Any) -> None:
        """Write no log line for a request."""


def site_of(pages: Mapping[str, Callable[[], HttpPage]]) -> Site:
    """Return the site that serves these pages by name, to GET and HEAD only."""
    root = Resource()
    for name, ask in pages.items():
        root.putChild(name.encode(), cast(Any, _Leaf(ask)))
    return _Pages(root, timeout=_IDLE_S)  # type: ignore[no-untyped-call]  # Twisted's
