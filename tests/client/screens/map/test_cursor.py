"""The cursor on the map."""

import pytest
from msgspec.structs import replace

from gloam_client.render.descriptions import describe_cell
from gloam_client.screens.map.cursor import Cursor
from gloam_client.state.client_effects import SendCommand
from gloam_client.state.model import Model
from gloam_client.update import update
from gloam_shared.appearance import Terrain
from gloam_shared.protocol.commands import Travel
from gloam_shared.protocol.messages.login import Welcome
from gloam_shared.view.view import Creature, CreatureFlag, View
from support.client.fake_server import level_view
from support.client.model_in_play import heard, picture, playing, press


def with_foes() -> View:
    view = level_view()
    foes = tuple(
        Creature(20 + away, view.cell + away, 3, 5, 1, CreatureFlag.HOSTILE, "r", "brown", "rat")
        for away in (5, 2)
    )
    return replace(view, creatures=(*view.creatures, *foes))


def cell(model: Model) -> int:
    assert isinstance(model.top, Cursor)
    return model.top.cell


def test_moves_or_eight_and_stays_level() -> None:
    """It moves by one or by eight and stays on the level."""
    start = level_view().cell
    model, _ = press(playing(), "x", "l")
    assert cell(model) == start + 1
    assert cell(press(model, "L")[0]) == start + 9
    width = level_view().place.width
    assert cell(press(model, *["H"] * 5, *["K"] * 5)[0]) == 0
    assert cell(press(model, *["L"] * 20)[0]) % width == width - 1


def test_jumps_nearest_thing_next_and_back() -> None:
    """It jumps from the nearest thing to the next and back."""
    start = level_view().cell
    model, _ = press(playing(with_foes()), "x")
    assert cell(model) == start + 2
    assert cell(press(playing(with_foes()), "_")[0]) == start
    model, _ = press(model, "TAB")
    assert cell(model) == start + 5
    assert cell(press(model, "-")[0]) == start + 2
    assert cell(press(model, "@")[0]) == start


def test_a_foe_is_reported_in_words_and_numbers() -> None:
    model, _ = press(playing(with_foes()), "x")
    assert "r - A rat (level: 1, attack: 0, defense: 0, hp: 3/5), hostile." in picture(model)
    assert "2 steps east." in picture(model)


def test_ones_own_cell_is_reported_as_where_one_stands() -> None:
    rows = [row.strip(" |│") for row in picture(press(playing(), "x")[0]).split("\n")]
    at = rows.index("You stand here.")
    assert rows[at + 1].startswith("You, Ann (level: ")
    assert rows[at + 2] == "A cave floor."


def test_a_player_is_marked_as_a_player() -> None:
    view = level_view()
    bert = Creature(9, view.cell + 3, 5, 5, 1, CreatureFlag.PLAYER, "@", "cyan", "Bert")
    model, _ = press(playing(replace(view, creatures=(*view.creatures, bert))), "x", "TAB")
    assert "@ - Bert (level: 1, attack: 0, defense: 0, hp: 5/5), a player." in picture(model)


def test_it_jumps_to_known_stairs() -> None:
    model, _ = press(playing(), "_", "<")
    assert "a rock staircase leading upwards" in picture(model).casefold()


def with_ground(*tiles: tuple[int, Terrain]) -> View:
    """Return a view of bare floor with some tiles, by how far east of the body they lie."""
    view = level_view()
    ground = bytearray(bytes([Terrain.FLOOR]) * len(view.terrain))
    for offset, tile in tiles:
        ground[view.cell + offset] = tile
    return replace(view, terrain=bytes(ground))


def test_jumps_holes_and_exits_stairs_stand() -> None:
    """It jumps to holes and exits as the stairs they stand for."""
    view = with_ground((3, Terrain.HOLE), (-4, Terrain.EXIT))
    assert cell(press(playing(view), "_", ">")[0]) == view.cell + 3
    assert cell(press(playing(view), "_", "<")[0]) == view.cell - 4


def test_ways_out_and_shrines_are_of_interest_too() -> None:
    view = with_ground((3, Terrain.HOLE), (-4, Terrain.EXIT), (1, Terrain.SHRINE), (2, Terrain.DOOR_OPEN))
    cells = [cell(press(playing(view), "x", *["TAB"] * times)[0]) - view.cell for times in (1, 2, 3, 4)]
    assert cells == [3, -4, 1, 3]


@pytest.mark.rule("TG.3")
def test_tiles_use_the_campaigns_words_first() -> None:
    """Tiles are described in the campaign's words, all others in the common ones."""
    words = ("", "a dirt and rock cave floor", "a \x1b[2Jwall", "a stone staircase that goes up")
    model, _ = update(playing(), heard(Welcome(1, "The Caves", 1, 8, terrain=words)), 0)
    assert "A dirt and rock cave floor." in picture(press(model, "x", "l")[0])
    assert "A stone staircase that goes up." in picture(press(model, "x", "<")[0])
    assert words_of(model, Terrain.WALL) == "A [2Jwall."
    assert words_of(model, Terrain.STAIRS_DOWN) == "A rock staircase leading downwards."
    model, _ = update(model, heard(Welcome(1, "The Cave", 1, 8)), 0)
    assert "A cave floor." in picture(press(model, "x", "l")[0])


def words_of(model: Model, tile: Terrain) -> str:
    """Return the description of a tile next to the body."""
    ground = replace(model.view, terrain=bytes([tile]) * len(model.view.terrain))
    return describe_cell(ground, ground.cell + 1, model.world.damage, model.world.terrain_words)[-2]


def test_what_was_never_seen_is_not_reported() -> None:
    unseen = replace(
        level_view(), terrain=bytes(len(level_view().terrain)), sight=bytes(len(level_view().sight))
    )
    model, _ = press(playing(unseen), "x", "l")
    assert "You have not seen this place." in picture(model)
    model, _ = press(model, ">")
    assert "You know of no stairs down on this level; o explores." in model.flash.text


def test_it_travels_or_is_left() -> None:
    start = level_view().cell
    assert [SendCommand(Travel(start - 1))] == press(playing(), "_", "h", "ENTER")[1]
    model, wanted = press(playing(), "x", "h", "ESC")
    assert (wanted, model.top.state) == ([], "play")


@pytest.mark.rule("JG.22")
def test_line_leads_player_looked() -> None:
    """A line leads from the player to what is looked at."""
    rows = picture(press(playing(), "x", "l", "l", "l")[0]).split("\n")
    assert any("@1{.}" in row for row in rows)
    rows = picture(press(playing(), "_", "l", "l", "l")[0]).split("\n")
    assert any("@.{.}" in row for row in rows)


@pytest.mark.rule("F14")
def test_looking_costs_no_time_and_orders_nothing() -> None:
    assert press(playing(with_foes()), "x", "TAB", "l", "HOME", "ESC")[1] == []


@pytest.mark.rule("RG.25")
def test_home_brings_the_cursor_back_to_the_player() -> None:
    assert cell(press(playing(), "x", "L", "HOME")[0]) == level_view().cell
