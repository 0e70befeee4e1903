"""A page that watches one player: it gets the player's view, and can do nothing but leave, and have it as text."""

import asyncio

from websockets.asyncio.server import ServerConnection

from gloam_client.net.tls_connect import ConnectFailed
from gloam_door.surfaces.flood_limit import FloodLimit
from gloam_door.surfaces.shared_surface import WatchPage
from gloam_door.visits import FOLDER_FAULT, TooMany
from gloam_door.watched_players import Guest, WatchedPlayers
from gloam_door.web import page_messages
from gloam_door.web.page_line import PageLine
from gloam_shared.text import clean


async def watch(
    connection: ServerConnection,
    players: WatchedPlayers,
    name: str,
    guest: Guest,
    hello: page_messages.Hello,
) -> None:
    """Show a player on a page until one of the two leaves. Raises BadMessage and ConnectionClosed."""
    line = PageLine(connection)
    page = WatchPage(hello.size, line.put, say=hello.say)
    try:
        await players.require_admission(guest)
        leave = players.join(name, guest, page, line.end)
    except (TooMany, ConnectFailed) as refused:
        await line.refuse(clean(str(refused)))
        return
    except OSError:
        await line.refuse(FOLDER_FAULT)
        return
    writing = asyncio.get_running_loop().create_task(line.write(page.frames))
    try:
        await _read(connection, page)
        line.end("You no longer watch.")
        await writing
    finally:
        page.frames.stop()
        leave()
        writing.cancel()


async def _read(connection: ServerConnection, page: WatchPage) -> None:
    """Take the page's messages until it leaves; most mean nothing here."""
    loop = asyncio.get_running_loop()
    flood = FloodLimit(loop.time())
    while True:
        data = await connection.recv()
        if flood.is_flood(loop.time()):
            raise page_messages.BadMessage
        if not flood.takes(loop.time()):
            continue
        match page_messages.read_message(data):
            case page_messages.Key("ESC"):
                return
            case page_messages.Say(on):
                page.speak(on=on)
            case page_messages.Size(columns, rows):
                page.fit((columns, rows))
