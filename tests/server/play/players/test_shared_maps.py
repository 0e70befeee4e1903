"""Members of a party share the map of their level, by choice (F94)."""

import pytest

from gloam_shared import limits
from gloam_shared.appearance import Terrain
from gloam_shared.protocol.commands import Climb
from gloam_shared.protocol.messages.parties import SetPartyChoices
from support.server import party_requests
from support.server.parties import (
    company,
    turn,
)


@pytest.mark.rule("F94")
def test_what_one_sees_the_others_remember() -> None:
    """The map reaches a member who shares it in the patches of their own view, and not to a stranger."""
    server, (anna, bert, cora) = company("Anna", "Bert", "Cora")
    party_requests.join(server, anna, bert)
    before = party_requests.known(cora)
    seen = party_requests.stroll(server, anna)
    assert seen - before
    assert party_requests.known(bert) == seen
    assert party_requests.known(cora) == before


@pytest.mark.rule("F94")
def test_maps_are_shared_by_choice() -> None:
    """A player who does not share gets nothing, gives nothing, and shows no place; what was shared stays."""
    server, (anna, bert) = party_requests.party("Anna", "Bert")
    party_requests.ask(server, bert, SetPartyChoices(False, 0))
    before = party_requests.known(bert)
    assert party_requests.stroll(server, anna) - before
    assert party_requests.known(bert) == before
    assert party_requests.member(anna, "Bert").cell == -1
    party_requests.ask(server, bert, SetPartyChoices(True, 0))
    server.advance(limits.GATHER_MAX_MS)
    assert party_requests.known(bert) == party_requests.known(anna)


@pytest.mark.rule("F94")
def test_a_member_on_another_level_learns_later() -> None:
    """Both are on other levels: the later one knows immediately what the other saw there."""
    server, (anna, bert) = party_requests.party("Anna", "Bert")
    for client in (anna, bert):
        server.walk_to(client, Terrain.STAIRS_DOWN)
        turn(server, client, Climb(down=True))
        server.advance(limits.GATHER_MAX_MS)
        if client is anna:
            seen = party_requests.stroll(server, anna)
            assert party_requests.member(bert, "Anna").depth == 2
    assert bert.view.place.depth == 2
    assert seen <= party_requests.known(bert)
