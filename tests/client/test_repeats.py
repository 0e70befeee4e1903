"""A held key: one command under way, one behind it, none after danger."""

from msgspec.structs import replace

from client.links import joined_link, sent, wire
from gloam_client.repeats import Repeats
from gloam_shared.commands import Move, Wait
from gloam_shared.messages import Answer, Do, Joined, Pace
from gloam_shared.view import Fact, View
from support.fake_server import level_view

EAST = Move(1, 0)


def commands(data: list[object]) -> list[object]:
    return [message.command for message in data if isinstance(message, Do)]


def with_hp(view: View, hp: int) -> View:
    sheet = list(view.sheet)
    sheet[Fact.HP] = hp
    return replace(view, sheet=tuple(sheet))


def test_a_held_key_keeps_one_command_under_way_and_one_behind_it() -> None:
    link = joined_link()
    repeats = Repeats(link)
    for now_ms in range(10):
        repeats.want(EAST, now_ms)
    assert commands([*sent(link)]) == [EAST]

    link.receive(wire(Answer(1, "done")), 20)
    repeats.heard(level_view(), 20)
    assert commands([*sent(link)]) == [EAST]

    link.receive(wire(Answer(2, "done")), 40)
    repeats.heard(level_view(), 40)
    assert commands([*sent(link)]) == []


def test_another_command_goes_out_at_once_and_replaces_the_repeat() -> None:
    link = joined_link()
    repeats = Repeats(link)
    repeats.want(EAST, 0)
    repeats.want(EAST, 1)
    repeats.want(Wait(), 2)
    assert [EAST, Wait()] == commands([*sent(link)])

    link.receive(wire(Answer(2, "done")), 20)
    repeats.heard(level_view(), 20)
    assert commands([*sent(link)]) == []


def test_lost_health_drops_the_repeat() -> None:
    link = joined_link()
    repeats = Repeats(link)
    repeats.heard(with_hp(level_view(), 40), 0)
    repeats.want(EAST, 1)
    repeats.want(EAST, 2)
    sent(link)
    link.receive(wire(Answer(1, "done")), 20)
    repeats.heard(with_hp(level_view(), 39), 20)

    assert commands([*sent(link)]) == []


def test_being_held_drops_the_repeat() -> None:
    link = joined_link()
    repeats = Repeats(link)
    repeats.heard(level_view(), 0)
    repeats.want(EAST, 1)
    repeats.want(EAST, 2)
    sent(link)
    link.receive(wire(Answer(1, "done"), Pace(held=True, waiting=False, plan=False)), 20)
    repeats.heard(level_view(), 20)

    assert commands([*sent(link)]) == []


def test_a_command_that_waits_for_others_is_not_repeated() -> None:
    link = joined_link()
    repeats = Repeats(link)
    repeats.want(EAST, 0)
    link.receive(wire(Pace(held=True, waiting=True, plan=False), Joined("Ann", 0, 1)), 1)
    sent(link)
    repeats.want(EAST, 2)
    link.receive(wire(Answer(1, "done")), 20)
    repeats.heard(level_view(), 20)

    assert commands([*sent(link)]) == []


def test_the_repeats_of_a_step_that_may_dig_go_on_with_it() -> None:
    link = joined_link()
    repeats = Repeats(link)
    held = Move(1, 0, digs=False)
    repeats.want(EAST, 0)
    repeats.want(held, 40)
    assert commands([*sent(link)]) == [EAST]

    link.receive(wire(Answer(1, "done")), 60)
    repeats.heard(level_view(), 60)
    assert commands([*sent(link)]) == [held]
