"""The status line and the panel beside a wide map."""

import pytest
from msgspec import structs
from msgspec.structs import replace

from gloam_client.render.panels.side_panel import draw_side, sheet_words
from gloam_client.terminal.canvas import Canvas, Rect
from gloam_shared.narration.rendering import HUNGER_WORDS
from gloam_shared.text import cells
from gloam_shared.view.view import (
    Creature,
    CreatureFlag,
    Friend,
    Hunger,
    InventoryItem,
    ItemFlag,
    Spell,
    Stat,
    StatusEffect,
    View,
)
from support.client.fake_server import level_view
from support.client.model_in_play import picture, playing


def with_facts(**facts: int) -> View:
    view = level_view()
    sheet = list(view.sheet)
    for name, value in facts.items():
        sheet[Stat[name]] = value
    return replace(view, sheet=tuple(sheet))


def status(view: View) -> str:
    return picture(playing(view)).split("\n")[-2]


@pytest.mark.rule("J14.13", "F62")
def test_one_status_line_serves_all_campaigns() -> None:
    """One status line serves all campaigns, and shows hunger when it matters."""
    screen = status(with_facts(HP=12, HP_MAX=40, LEVEL=3, EXPERIENCE=55, ATTACK=20))
    for words in ("HP 12/40!", "L 3", "XP 55/", "Atk 20"):
        assert words in screen
    assert HUNGER_WORDS[Hunger.NOT_HUNGRY] not in status(with_facts(HUNGER=Hunger.NOT_HUNGRY))
    assert HUNGER_WORDS[Hunger.HUNGRY] in status(with_facts(HUNGER=Hunger.HUNGRY))


def test_mana_is_reported_where_there_is_any() -> None:
    assert "MP 5/20" in status(with_facts(MANA=5, MANA_MAX=20))
    assert "MP" not in status(level_view())


def test_states_body_reported_and_fade_marked() -> None:
    """States of the body are shown and those that fade are marked."""
    view = replace(level_view(), states=(StatusEffect("poisoned"), StatusEffect("strong", fading=True)))
    assert "poisoned strong..." in status(view)


def test_reach_is_reported_to_who_shoots() -> None:
    assert "Reach 6" in status(with_facts(REACH=6))
    assert "Reach" not in status(level_view())


@pytest.mark.rule("JG.15", "TG.18", "RG.18")
@pytest.mark.parametrize("hunger", [state for state in Hunger if state is not Hunger.NOT_HUNGRY])
def test_every_state_of_hunger_has_its_word(hunger: Hunger) -> None:
    assert HUNGER_WORDS[hunger] in status(with_facts(HUNGER=hunger))


def test_hunger_kills_marked_besides_colour() -> None:
    """Hunger that kills is marked besides its color."""
    assert "Starving!!!" in status(with_facts(HUNGER=Hunger.STARVING))
    assert "Famished!!" in status(with_facts(HUNGER=Hunger.FAMISHED))


@pytest.mark.rule("RG.28", "F62")
def test_the_side_panel_tells_the_sheet_with_gear() -> None:
    sword = InventoryItem(0, ")", "white", "sword", ItemFlag.WIELDABLE | ItemFlag.WIELDED, 10, 0, 0)
    view = replace(
        with_facts(ATTACK=30, DEFENCE=4, KILLS=7, REACH=5),
        inventory=(sword,),
        spells=(Spell("heal", "heal", 4, "self", 0, 0, "It heals."),),
        states=(StatusEffect("poisoned", fading=True),),
    )
    assert sheet_words(playing(view)) == [
        "Attack 30  Defense 4  Reach 5",
        "Wielding sword",
        "Wearing nothing",
        "Items 1  Spells 1  Kills 7",
        "poisoned (fading)",
    ]
    wide = picture(
        structs.replace(base := playing(view), surface=structs.replace(base.surface, size=(140, 40)))
    )
    for words in sheet_words(playing(view)):
        assert words in wide


def test_beside_map_stand_friends_and_foes_danger() -> None:
    """Beside the map stand friends and foes with their danger."""
    view = level_view()
    rat = Creature(
        20, view.cell + 2, 3, 5, 1, CreatureFlag.HOSTILE | CreatureFlag.ASLEEP, "r", "brown", "rat", 2
    )
    view = replace(
        view,
        creatures=(*view.creatures, rat),
        party=(*view.party, Friend("Bert", 2, 1, 4, CreatureFlag.PLAYER)),
    )
    wide = picture(
        structs.replace(base := playing(view), surface=structs.replace(base.surface, size=(140, 40)))
    )
    assert "rat (asleep) 3/5 L1 easy, 2 east" in wide
    assert "Bert (depth 2, L 1, unhurt)" in wide


def test_beside_map_a_monster_that_has_grown_is_marked() -> None:
    """Beside the map a monster that has grown is marked."""
    view = level_view()
    rat = Creature(
        20, view.cell + 2, 3, 5, 3, CreatureFlag.HOSTILE | CreatureFlag.GROWN, "r", "brown", "rat", 2, grown=2
    )
    wide = picture(
        structs.replace(
            base := playing(replace(view, creatures=(*view.creatures, rat))),
            surface=structs.replace(base.surface, size=(140, 40)),
        )
    )
    assert "rat 3/5 L3 (+2) easy, 2 east" in wide


def test_the_title_never_cuts_a_friend_in_the_middle() -> None:
    party = tuple(Friend(name, 1, 1, 4, 32) for name in ("Bert", "Cyd", "Dee", "Emil"))
    model = playing(replace(level_view(), party=party))
    for width in range(60, 140):
        top = picture(structs.replace(model, surface=structs.replace(model.surface, size=(width, 24)))).split(
            "\n"
        )[0]
        assert top.rstrip().endswith("at ease")
        assert top.count("(") == top.count(")")
        assert "more" in top or "other" in top or "Emil" in top


def test_status_line_keeps_health() -> None:
    """The status line keeps health and depth with anything else to tell."""
    view = level_view()
    facts = {Stat.HUNGER: int(Hunger.STARVING), Stat.POINTS: 2}
    sheet = tuple(facts.get(fact, view.sheet[fact]) for fact in Stat)
    states = tuple(StatusEffect(word) for word in ("poisoned", "slowed", "blinded", "confused"))
    model = playing(replace(view, sheet=sheet, states=states))
    for width in (60, 80):
        status = picture(
            structs.replace(model, surface=structs.replace(model.surface, size=(width, 24)))
        ).split("\n")[-2]
        assert "Depth 1" in status
        assert "HP 40/40" in status


def test_hunger_kills_counted_status_line() -> None:
    """Hunger that kills is counted on the status line."""
    view = level_view()
    sheet = list(view.sheet)
    sheet[Stat.HUNGER], sheet[Stat.FOOD_TURNS] = Hunger.STARVING, 12
    assert "Starving!!!: 12 turns" in picture(playing(replace(view, sheet=tuple(sheet))))
    sheet[Stat.FOOD_TURNS] = 1
    assert "Starving!!!: 1 turn " in picture(playing(replace(view, sheet=tuple(sheet))))


@pytest.mark.parametrize("name", ["Skatok the kobold", "\u6f22\u5b57\u9f8d\u738b\u6f22\u5b57\u9f8d\u738b"])
@pytest.mark.parametrize("room", range(16, 60))
def test_danger_and_way_stay_whole_beside_the_map(room: int, name: str) -> None:
    """A narrow panel leaves out health, shortens the way, cuts the name, in any alphabet, and at last the level."""
    view = level_view()
    foe = Creature(20, view.cell + 2, 99, 99, 4, CreatureFlag.HOSTILE, "k", "red", name, 90, grown=3)
    area = Rect(0, 0, room + 2, 8)
    canvas = Canvas(room + 2, 8)
    draw_side(canvas, area, playing(replace(view, creatures=(*view.creatures, foe))))
    [line] = [row for row in canvas.rows() if row.startswith("k ")]

    assert "deadly, 2 east" in line or "deadly E2" in line
    assert ("L4" in line) == (room >= 5 + cells(" L4 deadly E2"))
    assert ("L4 (+3)" in line) == (room >= 5 + cells(" L4 (+3) deadly E2"))
    assert ("99/99" in line) == (room >= cells(f"{name} 99/99 L4 (+3) deadly, 2 east"))


def test_a_foe_has_the_color_of_its_danger() -> None:
    """A deadly foe is red on its letter and its bar while it is unhurt; a friend's bar tells of health."""
    view = level_view()
    foes = [
        Creature(20 + at, view.cell + 2 + at, 9, 9, 1, CreatureFlag.HOSTILE, "k", "blue", name, attack)
        for at, (name, attack) in enumerate((("mouse", 1), ("ogre", 90)))
    ]
    canvas = Canvas(60, 8)
    for foe in foes:
        draw_side(canvas, Rect(0, 0, 60, 8), playing(replace(view, creatures=(*view.creatures, foe))))
        [y] = [at for at, row in enumerate(canvas.rows()) if foe.name in row]
        word = next(word for word in ("easy", "deadly") if word in list(canvas.rows())[y])
        colors = {canvas.cells[y][x][1].color for x in (0, 2)}
        assert colors == {{"easy": "green", "deadly": "red"}[word]}, foe.name
