"""Devices in views and plans: what players, their clients and the autopilot know of them."""

from gloam_client.render.descriptions import describe_cell
from gloam_server.autopilot.plans import PlanEnded, begin_plan, continue_plan
from gloam_shared.protocol.commands import Explore, Move, Travel
from gloam_shared.protocol.updates import UpdateReader, UpdateWriter
from gloam_shared.view.view import View
from support.scenarios.device_scenario import machine
from support.scenarios.scenario import E, W


def next_step(view: View, plan: Travel | Explore) -> object:
    course = begin_plan(view, plan, 1)
    assert not isinstance(course, PlanEnded)
    following = continue_plan(view, course)
    return following[0] if isinstance(following, tuple) else following.text


def names(view: View) -> list[str]:
    looks = view.surface_looks
    return [looks[number - 1].name if number else "" for number in view.surfaces]


def test_a_view_has_the_devices_that_were_seen() -> None:
    scenario = machine("1..#.l#", "p..s..g")
    assert names(scenario.view()) == ["plate", "", "", "stone seal", "", "", ""]


def test_devices_out_of_sight_are_remembered() -> None:
    scenario = machine("#1.+....", "l.......")
    scenario.go("1", E)
    scenario.go("1", E)
    scenario.go("1", E)
    scenario.go("1", E)
    scenario.set_stats("1", sight=2)
    scenario.go("1", E)
    view = scenario.view()
    assert not view.sight[0]
    assert names(view)[0] == "lever"


def test_no_known_device_is_an_empty_record() -> None:
    """Use one form for a view without surfaces, so that the view of a new client equals the server's."""
    view = machine("1.#..#", "...p.l").view()
    assert not any(view.sight[3:])
    assert view.surfaces == b""


def test_an_open_gate_is_floor() -> None:
    scenario = machine("#1.#.", "l..gv")
    assert names(scenario.view())[3] == "iron gate"
    scenario.go("1", W)
    assert names(scenario.view())[3] == ""


def test_devices_have_numbers_before_surfaces() -> None:
    scenario = machine("#1..", "l.p.")
    scenario.give("1", "red_book")
    assert [look.name for look in scenario.view().surface_looks] == ["lever", "plate"]


def test_a_look_says_what_a_device_does() -> None:
    lines = describe_cell(machine("1.", ".p").view(), 1)
    assert "Plate. It sinks under a body, and opens a gate." in lines


def test_an_older_client_sees_wall_and_floor() -> None:
    scenario = machine("1.#", ".pg")
    writer, reader = UpdateWriter(), UpdateReader()
    view = reader.read(writer.write(scenario.view(), 0, whole=True))
    assert view.surfaces == b""
    assert view.terrain == bytes([1, 1, 2])


def test_a_client_follows_a_gate() -> None:
    scenario = machine("1..#.", ".p.gv")
    writer, reader = UpdateWriter(("surfaces",)), UpdateReader()
    for turn in range(3):
        assert reader.read(writer.write(scenario.view(), turn)) == scenario.view()
        scenario.go("1", E)


def test_plans_go_around_a_plate() -> None:
    view = machine("1...\n....", ".p..\n....").view()
    assert next_step(view, Travel(3)) == Move(1, 1)


def test_plans_lead_up_to_a_plate_in_the_only_way() -> None:
    assert next_step(machine("1....", "..p..").view(), Travel(4)) == Move(1, 0)


def test_plans_stop_before_a_plate_in_the_only_way() -> None:
    view = machine("1...", ".p..").view()
    assert next_step(view, Travel(3)) == "The only way on leads over a plate: step there by hand."


def test_travel_to_a_lever_ends_beside_it() -> None:
    scenario = machine("#..1", "l...")
    assert next_step(scenario.view(), Travel(0)) == Move(-1, 0)
    scenario.go("1", W)
    scenario.go("1", W)
    assert next_step(scenario.view(), Travel(0)) == "You are beside the lever: walk into it to use it."


def test_exploring_stops_once_for_each_kind_of_device() -> None:
    scenario = machine("1..+..\n######", "......\n#ll###")
    course = begin_plan(scenario.view(), Explore(), 1)
    assert not isinstance(course, PlanEnded)
    assert {word for *_, word in course.sights} == {"a lever"}
