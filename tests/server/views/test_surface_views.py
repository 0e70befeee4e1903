"""Surfaces in views, patches and plans: what players, their clients and the autopilot know of them."""

import pytest

from gloam_client.render.descriptions import describe_cell
from gloam_server.autopilot.plans import PlanEnded, begin_plan, continue_plan
from gloam_shared.protocol.commands import Explore, Move, Rest, Travel, Wait
from gloam_shared.protocol.updates import UpdateReader, UpdateWriter
from gloam_shared.view.patch import apply, diff
from gloam_shared.view.view import View
from support.content.surface_campaign import tinder
from support.scenarios.scenario import Scenario


def scene(drawing: str, surfaces: str) -> View:
    return Scenario(drawing, campaign=tinder(), surfaces=surfaces).view()


def next_step(view: View, plan: Travel | Explore | Rest) -> object:
    course = begin_plan(view, plan, 1)
    assert not isinstance(course, PlanEnded)
    following = continue_plan(view, course)
    return following[0] if isinstance(following, tuple) else following.text


def test_a_view_has_the_surfaces_in_sight_alone() -> None:
    view = scene("1..#..", ".f..f.")
    assert list(view.surfaces) == [0, 1, 0, 0, 0, 0]
    assert [look.name for look in view.surface_looks] == ["fire"]


def test_a_patch_brings_surfaces_and_takes_them() -> None:
    bare, burning = scene("1...", "...."), scene("1...", "..f.")
    for before, after in ((bare, burning), (burning, bare), (burning, burning)):
        assert apply(before, diff(before, after)) == after


def test_an_older_client_gets_no_surfaces() -> None:
    scenario = Scenario("1...", campaign=tinder(), surfaces="..f.")
    writer, reader = UpdateWriter(), UpdateReader()
    view = reader.read(writer.write(scenario.view(), 0, whole=True))
    assert view.surfaces == b""
    scenario.turn(("1", Wait()))
    assert reader.read(writer.write(scenario.view(), 1)).surface_looks == ()


def test_a_newer_client_gets_them() -> None:
    scenario = Scenario("1...", campaign=tinder(), surfaces="..f.")
    writer, reader = UpdateWriter(("surfaces",)), UpdateReader()
    for turn in range(8):
        assert reader.read(writer.write(scenario.view(), turn)) == scenario.view()
        scenario.turn(("1", Wait()))


def test_a_look_says_what_a_surface_does() -> None:
    lines = describe_cell(scene("1...", "..f."), 2)
    assert "Fire. It burns. It takes 5 health by fire a turn." in lines


def test_plans_go_around_a_fire() -> None:
    view = scene("1...\n....", ".f..\n....")
    assert next_step(view, Travel(3)) == Move(1, 1)


@pytest.mark.parametrize("ground", [".f..", "..f."])
def test_plans_stay_away_from_a_fire_in_the_only_way(ground: str) -> None:
    view = scene("1...", ground)
    assert next_step(view, Travel(3)) == "The only way on leads through fire: step there by hand."


def test_no_player_rests_beside_a_fire() -> None:
    scenario = Scenario("1...", campaign=tinder(), surfaces=".f..")
    scenario.set_health("1", hp=3)
    assert next_step(scenario.view(), Rest()) == "You cannot rest beside fire."
