"""The door's web server: pages, and the WebSocket on which a page plays."""

import asyncio
import gzip
import logging
import secrets
import socket
import ssl
from contextlib import suppress
from functools import lru_cache
from http import HTTPStatus
from http.cookies import CookieError, SimpleCookie
from ipaddress import IPv4Network, IPv6Network, ip_address
from pathlib import Path
from typing import Final, NamedTuple

from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.datastructures import Headers
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Request, Response

from gloam_client.input.bracketed_paste import Pasted
from gloam_client.input.mouse import MouseEvent
from gloam_client.net.tls_connect import ConnectFailed
from gloam_door.identity import SECRET_SIZE, DoorKey, Identity, cookie_secret, cookie_text, guest
from gloam_door.own_links import read_own_link
from gloam_door.replays import Replays
from gloam_door.surfaces.cell_surface import CellSurface
from gloam_door.surfaces.flood_limit import FloodLimit
from gloam_door.upstream import Visitor
from gloam_door.visits import FOLDER_FAULT, Arrival, TooMany, Visit, Visits
from gloam_door.watched_players import Guest, WatchedPlayers
from gloam_door.web import page_messages
from gloam_door.web.page_line import PageLine
from gloam_door.web.pages import HEADERS, WATCH_PATH, Page, page_at
from gloam_door.web.realm_pages import REPLAY_PATH, RealmPages
from gloam_door.web.watching import watch
from gloam_shared.protocol.invite_code import read_ticket
from gloam_shared.text import clean, name_fault

SOCKET: Final = "/play"
"""The path of the WebSocket."""
COOKIE: Final = "__Host-gloam"
_COOKIE_DAYS: Final = 400
_PACKED: Final = range(512, 262_144)
"""The sizes in bytes of pages that are packed: smaller ones gain nothing, larger ones would hold up the visitors."""
_FIRST_S: Final = 5
"""The time for a handshake, and for the first message after it."""
_PING_S: Final = 15
_IDLE_S: Final = 30 * 60
_RETURN_S: Final = 60
"""The time for which a visit waits for a page whose line was cut."""
_WRITE_BUFFER: Final = 32 * 1024
_OTHER_PAGE: Final = "This page is older than its door: load it again."
_log: Final = logging.getLogger(__name__)


class WebSettings(NamedTuple):
    """The socket that listens, the origins whose pages may play, the proxies that name the visitor's address, and TLS."""

    listener: socket.socket
    origins: tuple[str, ...]
    trusted_proxies: tuple[IPv4Network | IPv6Network, ...] = ()
    tls: ssl.SSLContext | None = None


class WebDoor:
    """Serves the page, and one visit for each page that plays."""

    def __init__(self, settings: WebSettings, key: DoorKey, visits: Visits, replays: Replays) -> None:
        self._settings = settings
        self._key = key
        self._visits = visits
        self._replays = replays
        self._realm = RealmPages(visits.upstream, visits.address, replays)
        self._watched = WatchedPlayers(visits)
        self._server: Server | None = None

    async def start(self) -> None:
        """Serve on the socket."""
        settings = self._settings
        self._server = await serve(
            self._play,
            sock=settings.listener,
            origins=[*settings.origins],  # type: ignore[list-item]  # texts are origins
            process_request=self._answer,
            process_response=self._identify,
            compression=None,
            max_size=page_messages.MESSAGE_MAX,
            max_queue=16,
            write_limit=_WRITE_BUFFER,
            open_timeout=_FIRST_S,
            ping_interval=_PING_S,
            ping_timeout=_PING_S,
            server_header=None,
            ssl=settings.tls,
        )

    async def stop(self) -> None:
        """Stop listening, and close every page's line."""
        if self._server is not None:
            self._server.close()
            with suppress(TimeoutError):
                async with asyncio.timeout(2):
                    await self._server.wait_closed()

    async def _answer(self, connection: ServerConnection, request: Request) -> Response | None:
        """Answer a request for a page; None goes on with a WebSocket's handshake."""
        if request.path == SOCKET and request.headers.get("Upgrade", "").lower() == "websocket":
            # websockets lets a handshake without an origin pass only if None is listed; so a missing one is refused
            return None
        page = page_at(request.path) or await self._realm.at(
            request.path, self._visitor_of(connection, request)
        )
        more = {} if self._settings.tls is None else {"Strict-Transport-Security": "max-age=31536000"}
        return _respond(page, more, packed="gzip" in request.headers.get("Accept-Encoding", ""))

    def _identify(self, connection: ServerConnection, request: Request, response: Response) -> Response:
        """Give a browser without a cookie one, in the answer to the handshake and nowhere else.

        A link from another site loads the page without the strict cookie: an identity that pages set would replace the
        player's own.
        """
        secret = cookie_in(request.headers)
        if secret is None and response.status_code == HTTPStatus.SWITCHING_PROTOCOLS:
            secret = secrets.token_bytes(SECRET_SIZE)
            age = _COOKIE_DAYS * 86_400
            response.headers["Set-Cookie"] = (
                f"{COOKIE}={cookie_text(secret)}; Secure; HttpOnly; SameSite=Strict; Path=/; Max-Age={age}"
            )
        connection.secret = secret  # type: ignore[attr-defined]  # the handler finds it there
        return response

    async def _play(self, connection: ServerConnection) -> None:
        secret: bytes = connection.secret  # type: ignore[attr-defined]  # `_identify` has put it there
        assert connection.request is not None
        visitor = self._visitor_of(connection, connection.request)
        identity = self._key.identify("web", secret)
        page = _PagePlays(connection, identity, visitor, self._visits, self._replays, self._watched)
        try:
            await page.run()
        except ConnectionClosed:
            pass
        except TimeoutError:
            await connection.close(1008, "no first message")
        except page_messages.OtherPage:
            await PageLine(connection).refuse(_OTHER_PAGE)
        except page_messages.BadMessage:
            _log.info("a page sent what no page of this door sends; its visit ends")
            await connection.close(1008, "not a page of this door")

    def _visitor_of(self, connection: ServerConnection, request: Request) -> Visitor:
        """Return the origin of a page: its own address, or the one that a trusted proxy names last."""
        host, port = connection.remote_address[:2]
        named = request.headers.get_all("X-Forwarded-For")
        proxy = ip_address(host.partition("%")[0])
        if named and any(proxy in network for network in self._settings.trusted_proxies):
            last = named[-1].rpartition(",")[2].strip()
            host, port = (last, 0) if _is_address(last) else (host, port)
        return Visitor("web", host.partition("%")[0], port)


class _PagePlays:
    """One page on its line, and the visit that it shows."""

    def __init__(
        self,
        connection: ServerConnection,
        identity: Identity,
        visitor: Visitor,
        visits: Visits,
        replays: Replays,
        watched: WatchedPlayers,
    ) -> None:
        self._watched = watched
        self._connection = connection
        self._identity = identity
        self._visitor = visitor
        self._visits = visits
        self._replays = replays
        self._line = PageLine(connection)
        self._surface: CellSurface
        self._visit: Visit

    async def run(self) -> None:
        """Play until the page's line or the visit ends. Raises BadMessage and ConnectionClosed."""
        async with asyncio.timeout(_FIRST_S):
            hello = page_messages.read_hello(await self._connection.recv())
        if (found := WATCH_PATH.fullmatch(hello.at)) is not None:
            await watch(
                self._connection,
                self._watched,
                found[1],
                Guest(self._visitor, self._identity.token),
                hello,
            )
            return
        try:
            replay = await self._replay_at(hello.at)
            self._begin(hello, replay)
        except (TooMany, ConnectFailed) as refused:
            await self._line.refuse(clean(str(refused)))
            return
        except OSError:
            await self._line.refuse(FOLDER_FAULT)
            return
        writing = asyncio.get_running_loop().create_task(self._line.write(self._surface.frames))
        try:
            await self._read()
            await writing
        finally:
            self._left()
            writing.cancel()

    async def _replay_at(self, path: str) -> Path | None:
        """Return the replay that a page is for; None for one that plays. Raises ConnectFailed."""
        found = REPLAY_PATH.fullmatch(path)
        return None if found is None else await self._replays.file(found[1], self._visitor)

    def _begin(self, hello: page_messages.Hello, replay: Path | None) -> None:
        """Go on with the visit that this browser left, or begin one. A replay has nothing to go on with."""
        if replay is not None:
            self._identity = guest()
        own = read_own_link(hello.invite)
        left = self._visits.left_by(self._identity)
        if left is not None and own is not None:  # the link may be for another name
            left.end()
            left = None
        if left is not None and isinstance(left.surface, CellSurface):
            self._visit, self._surface = left, left.surface
            self._surface.begin_again(hello.size, self._line.put, say=hello.say)
            left.ended = self._ended
            left.reattach()
            return
        name = own.name if own else hello.name if not name_fault(hello.name) else ""
        self._surface = CellSurface(hello.size, self._line.put, say=hello.say)
        self._visit = self._visits.begin(
            Arrival(
                self._identity,
                self._visitor,
                name,
                read_ticket(hello.invite),
                titled=not (replay or own),
                replay=replay,
                key=own.key if own else "",
            ),
            self._surface,
        )
        self._visit.ended = self._ended
        self._visit.start()

    async def _read(self) -> None:
        """Take the page's messages, until its player is away."""
        loop = asyncio.get_running_loop()
        flood = FloodLimit(loop.time())
        while True:
            try:
                async with asyncio.timeout(_IDLE_S):
                    data = await self._connection.recv()
            except TimeoutError:
                self._line.goodbye = "You were away for half an hour; come again when you like."
                self._visit.end()
                return
            if flood.takes(loop.time()):
                self._take(page_messages.read_message(data))
            elif flood.is_flood(loop.time()):
                raise page_messages.BadMessage

    def _take(self, message: page_messages.FromPage) -> None:
        match message:
            case page_messages.Key(name):
                self._surface.press(name)
            case page_messages.Text(text):
                self._surface.press(text if len(text) == 1 else Pasted(text))
            case page_messages.Mouse(action, x, y):
                self._surface.press(MouseEvent(action, x, y))
            case page_messages.Size(columns, rows):
                self._surface.size = (columns, rows)
                self._visit.app.resize()
            case page_messages.Say(on):
                self._surface.speak(on=on)
                self._visit.app.resize()

    def _ended(self, words: str) -> None:
        """The visit is over: say so, and close the line."""
        self._line.end(words)

    def _left(self) -> None:
        """The line is over; the visit waits a while for the page to connect again."""
        visit = self._visit
        if visit.over:
            return
        if self._identity.folder is None:
            visit.end()
            return
        visit.leave()
        asyncio.get_running_loop().call_later(_RETURN_S, lambda: None if visit.is_here else visit.end())


def cookie_in(headers: Headers) -> bytes | None:
    """Return the secret in a request's cookie; None without a valid one."""
    try:
        cookies: SimpleCookie = SimpleCookie("; ".join(headers.get_all("Cookie")))
    except CookieError:
        return None
    return cookie_secret(cookies[COOKIE].value) if COOKIE in cookies else None


def _respond(page: Page, more: dict[str, str], *, packed: bool) -> Response:
    """Return a page with the headers of every answer, `packed` for a browser that takes gzip. The line is closed after it."""
    headers = Headers({**HEADERS, **page.more, **more, "Content-Type": page.kind, "Vary": "Accept-Encoding"})
    body = page.body
    if packed and len(body) in _PACKED:  # no page has a secret that its size could tell
        body = _gzip(body)
        headers["Content-Encoding"] = "gzip"
    headers["Content-Length"] = str(len(body))
    headers["Connection"] = "close"
    return Response(page.status, HTTPStatus(page.status).phrase, headers, body)


@lru_cache(maxsize=16)  # the files of the pages, and the newest pages with values
def _gzip(body: bytes) -> bytes:
    return gzip.compress(body, 6, mtime=0)


def _is_address(text: str) -> bool:
    try:
        ip_address(text)
    except ValueError:
        return False
    return True
