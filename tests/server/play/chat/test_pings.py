"""Pings: all players get them immediately, and urgent ones stop the plans of players on the level."""

import pytest

from gloam_shared.protocol.commands import Explore
from gloam_shared.protocol.messages.base import Word
from gloam_shared.protocol.messages.chat import MapPing, MapPinged
from gloam_shared.protocol.messages.play import Answer
from support.server.parties import company
from support.server.sim_server import SimClient


def calls(client: SimClient) -> list[MapPinged]:
    return [each for each in client.hear() if isinstance(each, MapPinged)]


def test_everybody_hears_a_call_and_where_it_is_meant() -> None:
    server, (anna, bert) = company("Anna", "Bert")
    anna.hear(), bert.hear()
    anna.send(MapPing("danger", 1, 33))
    server.advance(1)
    assert calls(anna) == calls(bert) == [MapPinged("Anna", "danger", 1, 33)]


def test_a_call_waits_for_no_disk() -> None:
    server, (anna, bert) = company("Anna", "Bert", write_s=0.3)
    anna.command(Explore())
    server.advance(60)
    bert.hear()
    anna.send(MapPing("thanks", 1, 0))
    assert calls(bert) == [MapPinged("Anna", "thanks", 1, 0)]


@pytest.mark.parametrize(("depth", "cell"), [(2, 33), (1, 65_535)], ids=["another level", "no cell of it"])
def test_call_not_level_dropped(depth: int, cell: int) -> None:
    """A call for what is not of their level is dropped."""
    server, (anna, bert) = company("Anna", "Bert")
    bert.hear()
    anna.send(MapPing("danger", depth, cell))
    server.advance(1)
    assert calls(bert) == []
    assert anna.up


def test_last_cell_level_called() -> None:
    """The last cell of a level may be called for and the one after it not."""
    server, (anna, bert) = company("Anna", "Bert")
    end = len(anna.view.terrain)
    anna.send(MapPing("mine", 1, end - 1))
    anna.send(MapPing("mine", 1, end))
    server.advance(1)
    assert calls(bert) == [MapPinged("Anna", "mine", 1, end - 1)]


@pytest.mark.parametrize(
    ("word", "stops"), [("come", True), ("danger", True), ("mine", False), ("thanks", False)]
)
def test_urgent_call_ends_plans_others_level(word: Word, *, stops: bool) -> None:
    """An urgent call ends the plans of the others on the level."""
    server, (anna, bert) = company("Anna", "Bert")
    anna.command(Explore())
    bert.command(Explore())
    server.advance(60)
    assert anna.link.pace.plan
    assert bert.link.pace.plan
    anna.hear()
    bert.send(MapPing(word, 1, bert.view.cell))
    server.advance(20)
    answers = [each for each in anna.hear() if isinstance(each, Answer)]

    assert [(each.code, each.text) for each in answers] == (
        [("ended", "You stop: Bert calls.")] if stops else []
    )
    assert anna.link.pace.plan is not stops
    assert bert.link.pace.plan
