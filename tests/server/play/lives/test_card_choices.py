"""Choices of bents and cards that arrive twice, late, for another level or from a dead life take nothing (rules F106, F107)."""

import msgpack
import pytest
from msgspec import UNSET

from gloam_server.rules.absence import DEFAULT_CHOICE_MS
from gloam_server.rules.dice import Dice
from gloam_server.rules.growth import least_experience_beyond
from gloam_server.world.growth.experience import gain_experience
from gloam_server.world.model.context import TurnContext
from gloam_shared.protocol.commands import Choose, ChooseFor
from gloam_shared.protocol.messages.chat import ChatLine
from gloam_shared.protocol.messages.login import Bye, Login, Welcome
from gloam_shared.protocol.messages.parties import LENDS
from gloam_shared.protocol.registry import PROTOCOL_VERSION
from support.content.campaigns import shipped
from support.server.parties import SPACING_MS, answers, clear, slain, turn, with_a_choice
from support.server.raw_client import RawClient
from support.server.sim_server import SimClient, SimServer

GLOAM = shipped("gloam")

pytestmark = [pytest.mark.rule("F106", "F107"), pytest.mark.by_hand]


def grown(level: int, *, lacks: str = "") -> tuple[SimServer, SimClient]:
    """Return a server of the flagship and a player who has just reached a level, and has chosen nothing yet."""
    server = SimServer(campaign=GLOAM)
    ann = server.join("Ann", lacks=lacks)
    server.advance(200)
    clear(server, ann)
    wanted = least_experience_beyond(GLOAM.experience, level - 1)
    gain_experience(TurnContext(server.level_of(ann), Dice(1, 1, 1)), server.body(ann), wanted)
    turn(server, ann)
    assert server.body(ann).level == level
    answers(ann)
    return server, ann


def state(server: SimServer, player: SimClient) -> tuple[object, ...]:
    """Return everything that a choice changes."""
    body = server.body(player)
    return body.bent, list(body.learned), body.points, body.attack, body.hp_max, body.offer


def test_a_choice_sent_twice_takes_nothing_of_the_next() -> None:
    """The second message for the bent does not take a card, nor the second for a card another one."""
    server, ann = grown(6)
    bents = list(GLOAM.bents)
    ann.command(ChooseFor(1, 1))
    again = ann.command(ChooseFor(0, 1))
    server.advance(SPACING_MS)
    assert (again, "choice") in answers(ann)
    assert (server.body(ann).bent, server.body(ann).learned) == (bents[1], [])
    ann.command(ChooseFor(0, 3))
    again = ann.command(ChooseFor(0, 3))
    server.advance(SPACING_MS)
    assert (again, "choice") in answers(ann)
    assert (len(server.body(ann).learned), server.body(ann).points) == (1, 1)


@pytest.mark.parametrize("level", [0, 2, 3, 6, 999])
def test_a_choice_for_another_level_is_refused(level: int) -> None:
    server, ann = grown(3)
    before = state(server, ann)
    number = ann.command(ChooseFor(0, level))
    server.advance(SPACING_MS)
    assert answers(ann) == [(number, "choice")]
    assert state(server, ann) == before


@pytest.mark.parametrize("option", [5, 7])
def test_an_option_that_is_not_offered_is_refused(option: int) -> None:
    server, ann = grown(3)
    before = state(server, ann)
    number = ann.command(ChooseFor(option, 1))
    server.advance(SPACING_MS)
    assert answers(ann) == [(number, "choice")]
    assert state(server, ann) == before


def test_a_late_choice_finds_the_default_taken() -> None:
    """After a minute in safety the kit's bent is taken, then a step in place of each card: never a card."""
    server, ann = grown(3)
    server.advance(2 * DEFAULT_CHOICE_MS + 2_000)
    before = state(server, ann)
    assert before[:3] == (next(iter(GLOAM.bents)), [], 0)
    answers(ann)
    for level in (1, 3):
        number = ann.command(ChooseFor(1, level))
        server.advance(SPACING_MS)
        assert answers(ann) == [(number, "state")]
    assert state(server, ann) == before


def test_a_choice_of_a_dead_life_reaches_no_heir() -> None:
    """The choices that waited end with the life; a message from its window changes nothing, and ends no connection."""
    server, ann = grown(3)
    server.body(ann).hp = 1
    slain(server, ann)
    ann.command(ChooseFor(0, 1))
    ann.begin_again()
    server.advance(SPACING_MS)
    ann.command(ChooseFor(0, 1))
    server.advance(SPACING_MS)
    assert state(server, ann)[:3] == (UNSET, [], 0)
    assert ann.of_kind(Bye) == []


def test_a_choice_at_a_cut_is_made_once() -> None:
    """The client sends it again with its number when it is back: one bent, one card."""
    server, ann = grown(3)
    ann.command(ChooseFor(2, 1))
    ann.cut()
    server.advance(SPACING_MS)
    ann.dial()
    server.advance(200)
    assert (server.body(ann).bent, server.body(ann).points) == (list(GLOAM.bents)[2], 1)
    ann.command(ChooseFor(0, 3))
    server.advance(SPACING_MS)
    assert (len(server.body(ann).learned), server.body(ann).points) == (1, 0)


def test_a_campaign_without_cards_refuses_them() -> None:
    """It does not offer the ability; the message is refused, and the plain choice stays."""
    plain = SimServer().join("Bert")
    assert "cards" not in plain.of_kind(Welcome)[0].abilities
    server, (ann,) = with_a_choice("Ann")
    number = ann.command(ChooseFor(0, 3))
    server.advance(SPACING_MS)
    assert answers(ann) == [(number, "choice")]
    assert server.body(ann).points == 1


def test_a_client_without_cards_takes_the_defaults() -> None:
    """An older client reads the options in words and takes one by its number; what waits takes the defaults."""
    server, ann = grown(3, lacks="cards")
    assert len(ann.view.choices) == len(GLOAM.bents)
    ann.command(Choose(1))
    server.advance(SPACING_MS)
    assert server.body(ann).bent == list(GLOAM.bents)[1]
    server.advance(DEFAULT_CHOICE_MS + 2_000)
    assert (server.body(ann).learned, server.body(ann).points) == ([], 0)


def told_to(*first: str) -> list[str]:
    """Return what a client reads about itself that greets with one list of abilities, as clients of 0.3.0 do."""
    server = SimServer(campaign=GLOAM)
    client = RawClient(server)
    client.say_raw(msgpack.packb([1, PROTOCOL_VERSION, "gloam/0.3.0", 2, first]))
    client.say(Login("Ann", b"a" * 32))
    server.advance(500)
    return [line.text for line in client.heard() if isinstance(line, ChatLine) and "older" in line.text]


def test_an_older_client_reads_what_it_cannot_do() -> None:
    """One sentence at the beginning of a life, with the defaults; none where nothing is missing."""
    [told] = told_to("party", "recap")
    assert told == (
        "Your client is older. It cannot choose a kit, so you have the usual one; it cannot say which level a choice is for, "
        "and a choice that waits becomes a step of your bent; it cannot drag a friend who is down; it cannot lend what is "
        "bound to you; it cannot begin a life at a lit beacon, so it begins at the entrance; it cannot see fire, ice, levers "
        "and the like on the map. A newer one can."
    )
    assert told_to("kits", "cards") == [
        (
            "Your client is older. It cannot drag a friend who is down; it cannot lend what is bound to you; it cannot begin "
            "a life at a lit beacon, so it begins at the entrance; it cannot see fire, ice, levers and the like on the map. A newer one can."
        )
    ]
    assert told_to("kits", "cards", "rescue", LENDS, "surfaces", "beacons") == []
