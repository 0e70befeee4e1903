"""No message tells of a player who is out of sight, or who blocks the other: the answers are those to a name of no player."""

from collections.abc import Callable
from typing import Final, get_args

import pytest
from msgspec.structs import fields

from gloam_shared.protocol import commands
from gloam_shared.protocol.messages.chat import Ignore
from gloam_shared.protocol.messages.lives import JoinFriend
from gloam_shared.protocol.messages.login import Error
from gloam_shared.protocol.messages.parties import AnswerInvite, InviteToParty, LeadParty, LeaveParty
from gloam_shared.protocol.messages.play import Answer
from gloam_shared.protocol.messages.records import AskHistory, History
from gloam_shared.protocol.registry import FromClient
from support.server.parties import SPACING_MS, company, granted
from support.server.sim_server import SimClient, SimServer

NONE: Final = 9_999
"""A handle that no creature has."""
BY_HANDLE: Final[dict[type, Callable[[int], commands.AnyCommand | FromClient]]] = {
    commands.Give: lambda handle: commands.Give(0, handle),
    commands.Drag: lambda handle: commands.Drag(handle, 1, 0),
    commands.Duel: commands.Duel,
    commands.OfferTrade: lambda handle: commands.OfferTrade(handle, (0, 1)),
    commands.ConfirmTrade: lambda handle: commands.ConfirmTrade(handle, 1),
    AskHistory: AskHistory,
}
BY_NAME: Final[dict[type, Callable[[str], FromClient]]] = {
    InviteToParty: InviteToParty,
    AnswerInvite: lambda name: AnswerInvite(name, accept=True),
    LeadParty: LeadParty,
    LeaveParty: LeaveParty,
}
ELSEWHERE: Final = frozenset(
    "Login Resume WatchLogin Watch EndWatching JoinFriend Ignore Report AskLadder Speak SetPartyChoices".split()
)
"""Messages about names that anyone may know: accounts, those in the list of friends, the public ladder (A56, A79, F92)."""


def hidden(how: str) -> tuple[SimServer, SimClient, int]:
    """Return a server, a player with an apple, and the handle of another on the level, out of their sight."""
    server, (anna, bert) = company("Anna", "Bert")
    granted(server, anna, "apple", 1)
    level, body = server.level_of(anna), server.body(bert)
    handle = level.handles[body.number]
    far = max(
        range(level.grid.size),
        key=lambda cell: level.grid.distance(cell, server.body(anna).cell) * level.is_free(cell),
    )
    level.move(body, far)
    server.advance(SPACING_MS)
    assert not level.field_of_view(server.body(anna))[far]
    if how == "blocks":
        bert.send(Ignore("Anna", "block"))
    elif how == "is cut off":
        bert.cut()
    elif how == "has an older client":
        bert.connection.session.abilities -= {"trade"}
    server.advance(SPACING_MS)
    return server, anna, handle


def answers(
    server: SimServer, client: SimClient, message: commands.AnyCommand | FromClient
) -> list[tuple[str, str]]:
    """Return the replies to a message that no check of a client has seen."""
    client.hear()
    if isinstance(message, get_args(FromClient)):
        client.send(message)
    else:
        client.command_at_once(message)  # type: ignore[arg-type]
    server.advance(SPACING_MS)
    return [
        (type(each).__name__, getattr(each, "text", ""))
        for each in client.hear()
        if isinstance(each, Answer | Error | History)
    ]


@pytest.mark.rule("A41", "A79")
@pytest.mark.parametrize("kind", BY_HANDLE, ids=lambda kind: kind.__name__)
@pytest.mark.parametrize("how", ["is there", "blocks", "is cut off", "has an older client"])
def test_player_out_of_sight_is_no_player(kind: type, how: str) -> None:
    server, anna, handle = hidden(how)
    make = BY_HANDLE[kind]
    replies = answers(server, anna, make(handle))
    assert replies
    assert replies == answers(server, anna, make(NONE))


@pytest.mark.rule("A67", "A79")
@pytest.mark.parametrize("kind", BY_NAME, ids=lambda kind: kind.__name__)
def test_player_who_blocks_is_no_player(kind: type) -> None:
    server, (anna, bert) = company("Anna", "Bert")
    bert.send(Ignore("Anna", "block"))
    server.advance(SPACING_MS)
    make = BY_NAME[kind]
    replies = answers(server, anna, make("Bert"))
    assert [(kind, text.replace("Bert", "Nemo")) for kind, text in replies] == answers(
        server, anna, make("Nemo")
    )


def test_every_message_that_names_a_player_is_here() -> None:
    kinds = (*get_args(commands.ActionCommand), *get_args(commands.FreeCommand), *get_args(FromClient))
    naming = {kind for kind in kinds if {"handle", "name", "friend"} & {each.name for each in fields(kind)}}
    assert {kind for kind in naming if kind.__name__ not in ELSEWHERE} == {*BY_HANDLE, *BY_NAME}
    assert JoinFriend in naming
