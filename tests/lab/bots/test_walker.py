"""The walker: never at rest, and never in doubt."""

from msgspec.structs import replace

from gloam_lab.bots import Walker
from gloam_shared.protocol.commands import Fight, Move, Wait
from support.bots.bot_runs import Outing
from support.bots.drawn_views import view
from support.content.campaigns import arena


def test_it_walks_about() -> None:
    walk = Outing(arena(), 1, Walker(), 60)
    steps = [command for command in walk.given if isinstance(command, Move)]
    assert len(steps) > 50
    assert walk.server.body(walk.client).actions == len(walk.given)


def test_two_walkers_go_different_ways() -> None:
    assert Outing(arena(), 1, Walker(1), 30).given != Outing(arena(), 1, Walker(2), 30).given


def test_the_same_one_goes_the_same_way_again() -> None:
    assert Outing(arena(), 1, Walker(5), 30).given == Outing(arena(), 1, Walker(5), 30).given


def test_it_strikes_what_holds_it_while_it_is_well() -> None:
    assert Walker().decide(view(18, hp=20)) == Fight()
    assert Walker().decide(view(18, hp=19)) != Fight()


def test_where_nothing_is_known_it_waits() -> None:
    walled = replace(view(), terrain=bytes(17) + b"\x01" + bytes(17))
    assert Walker().decide(walled) == Wait()
