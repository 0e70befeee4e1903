"""The mouse: a click does what some key does, the wheel scrolls, and a movement describes what is under it."""

from collections.abc import Callable

import pytest
from msgspec import structs
from msgspec.structs import replace

from gloam_client.input.mouse import MouseAction, MouseEvent
from gloam_client.render.frame import draw
from gloam_client.screens.map.cursor import Cursor
from gloam_client.screens.title.title import Title
from gloam_client.state import client_events
from gloam_client.state.client_effects import ClientEffect, SendCommand, StartJoining
from gloam_client.state.model import Model
from gloam_client.update import update
from gloam_shared.protocol.commands import Choose, Climb, Fight, Fire, Move, Travel, Wait
from gloam_shared.protocol.messages.lives import Died
from gloam_shared.protocol.messages.parties import PartyMember, PartyState
from gloam_shared.view.view import Creature, CreatureFlag, FloorItem, View
from support.client.aiming_views import ready
from support.client.fake_server import level_view
from support.client.model_in_play import heard, picture, playing, press, to_option

SIZES = [(44, 20), (44, 24), (60, 20), (80, 24), (120, 40), (200, 60)]


def use(
    model: Model, x: int, y: int, action: MouseAction = "left", now_ms: int | None = None
) -> tuple[Model, list[ClientEffect]]:
    """Return the model after an action of the mouse, and what it wants done."""
    now_ms = model.keys.quiet_until_ms if now_ms is None else now_ms
    model, wanted = update(model, client_events.MouseUsed(MouseEvent(action, x, y)), now_ms)
    return model, list(wanted)


def place_of(model: Model, cell: int) -> tuple[int, int]:
    """Return the column and row where a cell of the level is drawn."""
    part = draw(model).map_part
    assert part is not None
    return next(
        (x, y)
        for y in range(part.area.y, part.area.y + part.area.height)
        for x in range(part.area.x, part.area.x + part.area.width)
        if part.cell_at(x, y) == cell
    )


def on(model: Model, words: str) -> tuple[int, int]:
    """Return the column and row of words on the screen, in the lowest row that has them."""
    rows = picture(model).split("\n")
    y = max(at for at, row in enumerate(rows) if words in row)
    return rows[y].index(words), y


def sized(model: Model, size: tuple[int, int]) -> Model:
    return update(model, client_events.Resized(*size), 0)[0]


def with_foe(dx: int) -> View:
    """Return a view with a foe in sight some cells east of the player."""
    view = level_view()
    foe = Creature(50, view.cell + dx, 5, 5, 1, CreatureFlag.HOSTILE, "g", "green", "goblin", 1)
    return replace(view, creatures=(*view.creatures, foe), sight=b"\1" * len(view.sight))


@pytest.mark.parametrize("size", SIZES)
def test_a_click_travels(size: tuple[int, int]) -> None:
    model = sized(playing(), size)
    goal = model.view.cell + 7
    assert use(model, *place_of(model, goal))[1] == [SendCommand(Travel(goal))]


def test_a_click_beside_steps_and_attacks() -> None:
    model = playing(with_foe(1))
    wanted = use(model, *place_of(model, model.view.cell + 1))[1]
    assert [type(one.command) for one in wanted if isinstance(one, SendCommand)] == [Move]


def test_a_click_on_a_far_foe_fights_or_shoots() -> None:
    model = playing(with_foe(5))
    assert use(model, *place_of(model, model.view.cell + 5))[1] == [SendCommand(Fight())]

    archer = playing(ready(reach=6))
    foe = archer.view.cell + 5
    assert use(archer, *place_of(archer, foe))[1] == [SendCommand(Fire(foe))]


def test_a_click_on_oneself_waits_or_climbs() -> None:
    model = playing()
    here = model.view.cell
    assert use(model, *place_of(model, here))[1] == [SendCommand(Wait())]
    terrain = bytearray(model.view.terrain)
    terrain[here] = 4
    down = playing(replace(model.view, terrain=bytes(terrain)))
    assert use(down, *place_of(down, here))[1] == [SendCommand(Climb(down=True))]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("keys", ["", "x", "i", "\r", "?", "O", ":", "Q", "m", "f", "@", "ia"])
def test_each_hint_can_be_clicked(keys: str, size: tuple[int, int]) -> None:
    """A click on a hint does what its key does; hints that name several keys say so."""
    model = press(sized(playing(ready()), size), *("ENTER" if key == "\r" else key for key in keys))[0]
    last = picture(model).split("\n")[-1]
    for key, word in model.top.hints(model):
        if f"{key} {word}" not in last:
            continue
        after, wanted = use(model, last.index(f"{key} {word}"), size[1] - 1)
        assert wanted or after.screens != model.screens or after.flash != model.flash, (key, word)


def test_a_row_of_a_list_can_be_clicked() -> None:
    model = press(playing(ready()), "i")[0]
    opened, _ = use(model, *on(model, "healing scroll"))
    assert opened.top.state == "examine"
    assert "healing scroll" in picture(opened)


def test_a_row_of_the_menu_is_done() -> None:
    model = press(playing(ready()), "ENTER")[0]
    done, wanted = use(model, *on(model, "let one turn pass"))
    assert wanted == [SendCommand(Wait())]
    assert done.top.state == "play"


@pytest.mark.parametrize("size", [(44, 20), (60, 20), (80, 40)])
@pytest.mark.parametrize(
    ("words", "name"), [("Motion", "motion"), ("Hints", "hints"), ("Ask before", "ask_stairs")]
)
def test_a_row_under_a_heading_can_be_clicked(words: str, name: str, size: tuple[int, int]) -> None:
    """In one column of options and in two, each under the headings of sections."""
    keys = to_option(name)[:-1] if name == "ask_stairs" else to_option(name)
    model = press(sized(playing(), size), *keys)[0]
    changed_, _ = use(model, *on(model, f"  {words}"))
    assert getattr(model.options, name) != getattr(changed_.options, name)


def test_a_click_answers_a_question() -> None:
    model = press(playing(), "Q")[0]
    assert use(model, *on(model, "n  stay"))[0].top.state == "play"


def test_a_click_marks_a_keepsake_and_begins_no_life() -> None:
    died = Died("rat", 2, 3, 45, 678, 9, 5, False, (), ("sword", "apple"))
    model, _ = update(playing(), heard(died), 0)
    marked, wanted = use(model, *on(model, "apple"))
    assert not wanted
    assert "> apple" in picture(marked)


def test_a_click_takes_a_level_up_choice() -> None:
    model = press(playing(replace(level_view(), choices=("attack", "defense"))), "+")[0]
    assert use(model, *on(model, "defense"))[1] == [SendCommand(Choose(1))]


def test_a_click_on_the_title_begins() -> None:
    model = Model(screens=(Title("Ann"),))
    assert use(model, *on(model, "Continue here"))[1] == [StartJoining("Ann")]
    assert use(model, *on(model, "Options"))[0].top.state == "options"


def test_the_cursor_goes_where_a_click_is() -> None:
    """The first click moves the cursor, a second one on the same cell travels there."""
    model = press(playing(), "_")[0]
    goal = model.view.cell + 4
    model, _ = use(model, *place_of(model, goal))
    assert use(model, *place_of(model, goal))[1] == [SendCommand(Travel(goal))]


def test_the_right_button_looks_and_leads_back() -> None:
    model = playing(with_foe(5))
    looking, _ = use(model, *place_of(model, model.view.cell + 5), action="right")
    assert looking.top.state == "cursor"
    assert "A goblin" in picture(looking)
    assert use(looking, 3, 3, action="right")[0].top.state == "play"


def test_the_wheel_scrolls_lists_and_opens_the_log() -> None:
    model = press(playing(ready()), "i")[0]
    down, _ = use(model, 5, 5, "wheel down")
    assert down == press(model, "DOWN")[0]
    assert use(down, 5, 5, "wheel up")[0].screens == model.screens
    assert use(playing(), 5, 5, "wheel up")[0].top.state == "history"


def test_a_movement_describes_what_is_there() -> None:
    """Hovering looks: the words stand until the next key, and cost no command."""
    model = playing(with_foe(5))
    at = place_of(model, model.view.cell + 5)
    hovering, wanted = use(model, *at, action="move", now_ms=10)
    assert not wanted
    assert "5 steps east. g - A goblin" in picture(hovering)
    assert "steps east" not in picture(press(hovering, "CTRL_L", now_ms=20)[0])
    assert "steps east" not in picture(use(hovering, 0, 0, action="move", now_ms=30)[0])


def narrow(view: View, width: int = 52) -> View:
    """Return a view of a level that leaves room for the side panel at 80x24; the player stays in sight."""
    old, cells = view.place.width, range(0, len(view.terrain), view.place.width)
    terrain, sight = (
        b"".join(plane[at : at + width] for at in cells) for plane in (view.terrain, view.sight)
    )

    def moved(cell: int) -> int:
        return cell // old * width + cell % old

    creatures = tuple(replace(one, cell=moved(one.cell)) for one in view.creatures)
    place = replace(view.place, width=width)
    return replace(view, place=place, terrain=terrain, sight=sight, creatures=creatures, items=())


PILE = (FloorItem(90, "%", "red", "pear"),)
BESIDE = [((80, 24), narrow), ((120, 40), lambda view: view), ((200, 60), lambda view: view)]


@pytest.mark.parametrize(("size", "on_level"), BESIDE)
def test_a_creature_in_the_side_panel_is_its_cell(
    size: tuple[int, int], on_level: Callable[[View], View]
) -> None:
    """A click fights it, the right button looks at it, a movement describes it, and the cursor goes to it."""
    model = sized(playing(on_level(with_foe(5))), size)
    row = on(model, "g goblin")
    foe = model.view.creatures[-1].cell
    assert use(model, *row)[1] == [SendCommand(Fight())]
    assert "A goblin" in picture(use(model, *row, action="right")[0])
    assert "5 steps east. g - A goblin" in picture(use(model, *row, action="move", now_ms=10)[0])
    cursor = use(press(model, "_")[0], *row)[0].top
    assert isinstance(cursor, Cursor)
    assert cursor.cell == foe


@pytest.mark.parametrize(("size", "on_level"), BESIDE)
def test_an_item_in_the_side_panel_is_opened(size: tuple[int, int], on_level: Callable[[View], View]) -> None:
    model = sized(playing(on_level(ready())), size)
    opened, _ = use(model, *on(model, "healing scroll"))
    assert opened.top.state == "examine"
    assert "healing scroll" in picture(opened)
    assert use(model, *on(model, "You carry"))[0].top.state == "inventory"


@pytest.mark.parametrize(("size", "on_level"), BESIDE)
def test_what_lies_here_is_picked_up(size: tuple[int, int], on_level: Callable[[View], View]) -> None:
    model = sized(playing(replace(on_level(level_view()), pile=PILE)), size)
    assert use(model, *on(model, "pear"))[1] == press(model, "g")[1] != []


def test_a_member_in_the_side_panel_opens_the_party() -> None:
    model = structs.replace(
        base := sized(playing(), (120, 40)),
        world=structs.replace(base.world, abilities=frozenset({"parties"})),
    )
    members = tuple(PartyMember(name, 1, -1, 9, 9, 1, 0) for name in ("Ann", "Bob"))
    model, _ = update(model, heard(PartyState(members)), 0)
    assert use(model, *on(model, "Bob"))[0].top.state == "party"


def test_a_click_under_a_box_means_nothing() -> None:
    model = press(playing(with_foe(5)), "x")[0]
    x, y = on(model, "A goblin")
    assert use(model, x, y) == (structs.replace(model, keys=structs.replace(model.keys, pressed_ms=0)), [])


@pytest.mark.parametrize("action", ["left", "right", "wheel up", "wheel down", "move"])
@pytest.mark.parametrize("keys", ["", "x", "f", "i", "\r", "?", "O", ":", "Q", "m", "/", "+"])
def test_the_mouse_may_be_anywhere(keys: str, action: MouseAction) -> None:
    """No place of any screen is a fault, beyond the window neither."""
    model = press(playing(ready()), *("ENTER" if key == "\r" else key for key in keys))[0]
    for x in (0, 20, 41, 79, 80, 5_000):
        for y in (0, 4, 11, 19, 23, 24, 5_000):
            after, _ = use(model, x, y, action)
            assert after.surface.size == (80, 24)
