"""The client's second output: what has changed is said once, in lines of plain text."""

from string import printable

import pytest
from msgspec import structs
from msgspec.structs import replace

from gloam_client.linear.line_output import LineOutput
from gloam_client.linear.spoken_screen import SIZE
from gloam_client.state import client_events
from gloam_client.state.model import Model
from gloam_client.update import update
from gloam_shared.protocol.messages.chat import ChatLine
from gloam_shared.protocol.messages.lives import Died
from gloam_shared.protocol.messages.play import Pace
from gloam_shared.view.view import Creature, CreatureFlag, Item, Stat, StatusEffect, View
from support.client.aiming_views import ready
from support.client.fake_server import level_view
from support.client.model_in_play import EASE, HELD, heard, playing, press

GOBLIN = CreatureFlag.HOSTILE


def lines(output: LineOutput, model: Model) -> list[str]:
    """Return the lines that a state brings."""
    text = output.show(model)
    assert not text or text.endswith("\r\n")
    return text.split("\r\n")[:-1]


def begun(view: View | None = None) -> tuple[LineOutput, Model]:
    """Return an output that has said all of a game that has begun."""
    output, model = (
        LineOutput(),
        structs.replace(
            base := playing(view),
            surface=structs.replace(base.surface, size=SIZE),
            guidance=structs.replace(base.guidance, advice=None),
        ),
    )
    output.show(model)
    return output, model


def received(model: Model, view: View, pace: Pace = EASE) -> Model:
    """Return the model after a view has arrived."""
    return update(model, heard(view=view, pace=pace), 0)[0]


def goblin(view: View, dx: int, dy: int) -> View:
    """Return a view with a goblin some cells east and south of the player."""
    cell = view.cell + dx + dy * view.place.width
    one = Creature(50, cell, 5, 5, 1, GOBLIN, "g", "green", "goblin", 4)
    sight = bytearray(view.sight)
    sight[cell] = 1
    return replace(view, sight=bytes(sight), creatures=(*view.creatures, one))


def moved(view: View, dx: int) -> View:
    """Return a view whose player is some cells farther east."""
    width, own = view.place.width, view.sheet[Stat.HANDLE]
    creatures = tuple(
        replace(one, cell=one.cell + dx) if one.handle == own else one for one in view.creatures
    )
    assert width
    return replace(view, creatures=creatures)


def test_a_foe_is_said_with_distance_and_direction() -> None:
    """U37: "goblin, 3 north-east", once, and again when it has moved."""
    output, model = begun()
    model = received(model, goblin(level_view(), 3, -3))
    assert "goblin, 3 north-east" in lines(output, model)
    assert output.show(model) == ""

    model = received(model, goblin(level_view(), 2, -2))
    assert lines(output, model) == ["goblin, 2 north-east"]


def test_nothing_that_has_not_changed_is_repeated() -> None:
    """U37: no redraw noise: time, repeated messages and repeated states say nothing."""
    output, model = begun()
    for now_ms in range(0, 5_000, 100):
        model, _ = update(model, client_events.TimerFired(), now_ms)
        assert output.show(model) == ""
    assert output.show(received(model, level_view())) == ""


def test_a_step_is_said_and_a_plan_when_it_ends() -> None:
    output, model = begun()
    here = level_view()
    model = received(model, moved(here, 1))
    assert lines(output, model)[0] == "East."

    plan = Pace(held=False, waiting=False, plan=True)
    for dx in (2, 3, 4):
        model = received(model, moved(here, dx), plan)
        assert output.show(model) == ""
    assert lines(output, received(model, moved(here, 5)))[0] == "You went 4 east."


def test_new_items_and_places_are_said_once() -> None:
    output, model = begun()
    here = level_view()
    apple = Item(70, here.cell + 2, 1, "%", "red", "apple")
    model = received(model, replace(here, items=(apple,)))
    assert lines(output, model) == ["apple, 2 east"]
    assert output.show(received(model, replace(here, items=(apple,)))) == ""


def test_health_and_conditions_are_said_on_change() -> None:
    output, model = begun()
    here = level_view()
    sheet = list(here.sheet)
    sheet[Stat.HP] -= 9
    hurt = replace(here, sheet=tuple(sheet), states=(StatusEffect("poisoned"),))
    model = received(model, hurt)
    assert lines(output, model) == ["Health 31 of 40.", "Now poisoned."]
    assert lines(output, received(model, here)) == ["Health 40 of 40.", "No longer poisoned."]


def test_status_and_surroundings_are_said_on_demand() -> None:
    """U37: status on demand: health, level, position and turn; creatures, items, places and open ways."""
    output, model = begun(ready())
    status = lines(output, press(model, "s")[0])
    assert status[0] == "Ann: health 40 of 40, mana 20 of 20, level 1, 0 of 10 experience."
    assert any("column" in line and "row" in line for line in status)

    around = lines(output, press(model, "s", "X")[0])
    assert any(line.startswith("bat, 4 west, level 1") for line in around)
    assert any(line.startswith("Bert, 6 east, level 2, a player") for line in around)
    assert around[-1].startswith("Open: north")


def test_your_move_is_said_when_a_foe_hunts() -> None:
    output, model = begun()
    model = received(model, level_view(), HELD)
    assert "Your move." in lines(output, model)
    assert lines(output, received(model, level_view()))[-1] == "At ease."


def test_a_list_is_read_whole_and_its_mark_alone() -> None:
    """A list is read when it opens; then each key says the marked line alone."""
    output, model = begun(ready())
    model, _ = press(model, "i")
    opened = lines(output, model)
    assert opened[0] == "Inventory:"
    assert opened[1].startswith("Marked: a - dagger")
    assert opened[2].startswith("b - fireball scroll")
    assert opened[-1].startswith("Keys: a-c describe an item")

    model, _ = press(model, "DOWN")
    assert [line.split(" - ")[0] for line in lines(output, model)] == ["Marked: b"]
    assert lines(output, press(model, "ESC")[0]) == ["Closed."]


def test_what_is_typed_is_echoed_in_its_line() -> None:
    output, model = begun()
    output.show(press(model, ":")[0])
    model, _ = press(model, ":")
    echoed = ""
    for key in ("h", "o", " ", "i", "BACKSPACE"):
        model, _ = press(model, key)
        echoed += output.show(model)
    assert echoed.replace("\b \b", "<") == " ho i<<"
    assert output.show(press(model, "ESC")[0]) == "\r\nClosed.\r\n"


@pytest.mark.parametrize("words", ["\x1b[2Jgone", "\x07bell\r\nnew", "\u202eback"])
def test_words_of_others_reach_no_terminal_raw(words: str) -> None:
    output, model = begun()
    model, _ = update(model, heard(ChatLine("Bert", words)), 0)
    assert set(output.show(model)) <= set(printable)
    assert "\x1b" not in output.show(model)


def test_the_end_of_a_life_is_read() -> None:
    output, model = begun()
    model, _ = update(model, heard(Died("rat", 2, 3, 45, 678, 9, 5, False, (), ("sword",))), 0)
    said = lines(output, model)
    assert any(line.startswith("You are dead") and line.endswith(":") for line in said)
    assert any("a > sword" in line for line in said)


def test_a_lost_connection_is_said_once() -> None:
    output, model = begun()
    for now_ms in (0, 1_000, 2_000):
        model, _ = update(model, client_events.ConnectionLost("The line is cut.", 0, now_ms + 500), now_ms)
        said = lines(output, model)
        assert bool(said) is (now_ms == 0)


@pytest.mark.parametrize("keys", ["x", "f", "c", "t", "\r", "?", "m", "O", ":", "Q", "ia", "/", "@"])
def test_every_screen_has_words(keys: str) -> None:
    output, model = begun(ready())
    model, _ = press(model, *("ENTER" if key == "\r" else key for key in keys))
    said = lines(output, model)
    assert len(said) > 1
    assert all("  " not in line for line in said)
