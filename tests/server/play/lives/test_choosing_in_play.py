"""Players who have a list open in a shared fight: how long they are waited for, and what the others see."""

import pytest

from gloam_shared.protocol.commands import AnyCommand, PickUp, Stop, Wait
from gloam_shared.protocol.messages.play import Pace, Thinking
from support.server.parties import actions, company, threatened, turn, waiting_time, waiting_times
from support.server.sim_server import SimClient, SimServer


def choosing_times(server: SimServer, eager: SimClient, other: SimClient, times: int) -> list[int]:
    """Return how long a player's commands waited for a friend who says at each that they choose."""
    waited_ms = []
    for _ in range(times):
        other.send(Thinking())
        waited_ms.append(waiting_time(server, eager))
    return waited_ms


def test_list_open_waited_eight_seconds() -> None:
    """A player who has a list open is waited for eight seconds."""
    server, (anna, bert) = company("Anna", "Bert")
    threatened(server, anna, bert)
    bert.send(Thinking())
    assert waiting_times(server, anna, 2) == pytest.approx([8_000, 2_000], abs=20)


@pytest.mark.thorough
@pytest.mark.parametrize(("missing", "waited_ms"), [(-1, 8_000), (0, 8_000), (1, 12_000)])
def test_below_half_health_twelve_seconds(missing: int, waited_ms: int) -> None:
    """Below half of ones health it is twelve seconds."""
    server, (anna, bert) = company("Anna", "Bert")
    threatened(server, anna, bert)
    body = server.body(bert)
    body.hp = (body.hp_max + 1) // 2 - missing
    bert.send(Thinking())
    assert waiting_times(server, anna, 1) == pytest.approx([waited_ms], abs=20)


def test_list_opens_while_turn_waits_lengthens() -> None:
    """A list that opens while the turn waits lengthens it."""
    server, (anna, bert) = company("Anna", "Bert")
    threatened(server, anna, bert)
    before = actions(server, anna)
    anna.command(Wait())
    server.advance(1_900)
    bert.send(Thinking())
    server.advance(6_000)
    assert actions(server, anna) == before
    turn(server, bert)
    assert actions(server, anna) == before + 1, "the choice is made, and the turn runs at once"


def test_says_choose_holds_fight_two_turns() -> None:
    """A player in another's fight who does nothing but think cannot hold its turns up permanently."""
    server, (anna, bert) = company("Anna", "Bert")
    threatened(server, anna, bert)
    assert choosing_times(server, anna, bert, 6) == pytest.approx(
        [8_000, 8_000, 2_000, 1_000, 500, 250], abs=20
    )


def test_saying_time_lengthens_no_turn_further() -> None:
    """Saying it all the time lengthens no turn further."""
    server, (anna, bert) = company("Anna", "Bert")
    threatened(server, anna, bert)
    waited_ms = []
    for _ in range(4):
        before, began_ms = actions(server, anna), server.now_ms
        anna.command(Wait())
        while actions(server, anna) == before:
            bert.send(Thinking())
            server.advance(100)
        waited_ms.append(server.now_ms - began_ms)
    assert waited_ms == pytest.approx([8_000, 8_000, 2_000, 1_000], abs=120)


@pytest.mark.thorough
def test_choices_count_again_after_a_turn_of_ones_own() -> None:
    server, (anna, bert) = company("Anna", "Bert")
    threatened(server, anna, bert)
    choosing_times(server, anna, bert, 3)
    bert.command(Wait())
    turn(server, anna)
    assert choosing_times(server, anna, bert, 3) == pytest.approx([8_000, 8_000, 2_000], abs=20)


@pytest.mark.thorough
@pytest.mark.parametrize("refused", [Stop(), PickUp()])
def test_command_waits_no_turn_restores_nothing(refused: AnyCommand) -> None:
    """A command that waits for no turn restores nothing."""
    server, (anna, bert) = company("Anna", "Bert")
    threatened(server, anna, bert)
    waited_ms = []
    for _ in range(5):
        bert.send(Thinking())
        bert.command_at_once(refused)
        waited_ms.append(waiting_time(server, anna))
    assert waited_ms == pytest.approx([8_000, 8_000, 2_000, 1_000, 500], abs=20)


def test_the_others_see_who_chooses_and_how_long() -> None:
    server, (anna, bert) = company("Anna", "Bert")
    threatened(server, anna, bert)
    anna.command(Wait())
    server.advance(1_000)
    assert (anna.link.pace.for_names, anna.link.pace.choosing) == (("Bert",), ())
    bert.send(Thinking())
    server.advance(20)
    for pace in (anna.link.pace, bert.link.pace):
        assert (pace.for_names, pace.choosing) == (("Bert",), ("Bert",))
        assert pace.ms == pytest.approx(7_000, abs=20)
    turn(server, bert)
    assert anna.link.pace == Pace(held=True)


def test_realms_patience_scales_choice_given() -> None:
    """A realms patience scales what a choice is given."""
    server, (anna, bert) = company("Anna", "Bert", patience_ms=600)
    threatened(server, anna, bert)
    bert.send(Thinking())
    assert waiting_times(server, anna, 1) == pytest.approx([2_400], abs=20)
