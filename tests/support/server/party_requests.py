"""Requests about parties, and what players were sent about theirs."""

from gloam_server.engine.player import Player
from gloam_shared import limits
from gloam_shared.protocol.messages import parties
from gloam_shared.protocol.messages.chat import ChatLine
from gloam_shared.protocol.messages.login import Error
from support.server.parties import (
    SPACING_MS,
    company,
)
from support.server.sim_server import SimClient, SimServer


def ask(server: SimServer, client: SimClient, *requests: object) -> None:
    """Let a player ask for something about parties, and time enough for its news."""
    for request in requests:
        client.send(request)  # type: ignore[arg-type]
    server.advance(limits.PARTY_EVERY_MS + SPACING_MS)


def join(server: SimServer, host: SimClient, *guests: SimClient) -> None:
    """Let players join the party of the first."""
    for guest in guests:
        ask(server, host, parties.InviteToParty(guest.link.name))
        ask(server, guest, parties.AnswerInvite(host.link.name))


def party(*names: str, patience_ms: int = 2_000) -> tuple[SimServer, list[SimClient]]:
    """Return a server with players who are all of one party; the first leads it."""
    server, players = company(*names, patience_ms=patience_ms)
    join(server, players[0], *players[1:])
    return server, players


def player_of(server: SimServer, client: SimClient) -> Player:
    """Return the server's record of a player."""
    player = server.engine.players.by_account(client.connection.player)
    assert player is not None
    return player


def state(client: SimClient) -> parties.PartyState:
    """Return what a player was sent of their party last."""
    newest: parties.PartyState = client.of_kind(parties.PartyState)[-1]
    return newest


def names(client: SimClient) -> list[str]:
    return [member.name for member in state(client).members]


def member(client: SimClient, name: str) -> parties.PartyMember:
    return next(each for each in state(client).members if each.name == name)


def leader(client: SimClient) -> str:
    [leads] = [each.name for each in state(client).members if each.marks & parties.MemberMark.LEADER]
    return leads


def errors(client: SimClient) -> list[str]:
    """Return the refusals of this kind since the last time."""
    return [each.text for each in client.hear() if isinstance(each, Error) and each.code == "party"]


def words(client: SimClient) -> list[str]:
    return [line.text for line in client.of_kind(ChatLine) if not line.name]


def known(client: SimClient) -> set[int]:
    """Return the cells of the level that a client remembers."""
    return {cell for cell, terrain in enumerate(client.view.terrain) if terrain}


def stroll(server: SimServer, client: SimClient, far: int = 12) -> set[int]:
    """Let a player walk to a cell some steps away; return the cells that they know then."""
    cells = server.ground(client)
    level, here = server.level_of(client), server.body(client).cell
    server.walk(client, next(cell for cell in cells if level.grid.distance(cell, here) >= far))
    server.advance(limits.GATHER_MAX_MS)
    return known(client)
