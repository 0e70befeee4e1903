"""The ladder of a server: one board, asked for without a login; of an own world by its private server."""

from pathlib import Path

from gloam_client.net import local_server
from gloam_client.net.guest.one_question import ask
from gloam_client.net.tls_connect import ConnectFailed, TlsConnector, dial_plainly
from gloam_client.user_files.address import Address
from gloam_client.user_files.known_servers import KnownServers
from gloam_client.user_files.user_folders import world_folder
from gloam_shared.protocol.messages.records import AskLadder, Ladder


async def ask_board(place: Address, data: Path, question: AskLadder) -> Ladder:
    """Ask the server at an address for a board; no key is remembered. Raises ConnectFailed."""
    line = await TlsConnector(KnownServers(data), remember=False).dial(place)
    try:
        return await ask(place, line, question, Ladder)
    except ConnectFailed as error:
        raise _explained(place, error) from error


async def ask_own_board(data: Path, campaign: str, question: AskLadder) -> Ladder:
    """Ask this user's own world of a campaign, whose server starts for it. Raises ConnectFailed or NoLocalServer."""
    folder = world_folder(data, campaign)
    if not (folder / "world.sqlite3").exists():
        raise ConnectFailed(f"You have no world of {campaign or 'gloam'} yet; gloam starts one.")
    running = await local_server.ensure(folder, campaign)
    return await ask(running.place, await dial_plainly(running.place), question, Ladder)


def _explained(place: Address, error: ConnectFailed) -> ConnectFailed:
    """Return the error in words for the user: an older server does not know the question."""
    if error.code != "unknown":
        return error
    return ConnectFailed(f"The server at {place} is older and has no ladder.", code=error.code)
