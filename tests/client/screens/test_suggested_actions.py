"""The actions that the bottom line of play leaves out, since they would be refused."""

import pytest
from msgspec.structs import replace

from gloam_client.screens.map.cursor import Cursor
from gloam_client.screens.map.exploration import mark_explored, next_exit
from gloam_client.screens.map.target import Target
from gloam_client.screens.play import Play
from gloam_client.screens.suggested_actions import suggested_actions
from gloam_client.state import client_events
from gloam_client.state.map.reachability import steps_to
from gloam_client.state.model import Model
from gloam_client.update import update
from gloam_shared.appearance import Terrain
from gloam_shared.protocol.messages.play import Pace
from gloam_shared.view.menace import Menace
from gloam_shared.view.view import (
    Creature,
    CreatureFlag,
    FloorItem,
    Friend,
    Hunger,
    InventoryItem,
    Item,
    ItemFlag,
    MagicEffect,
    Stat,
    View,
)
from support.client.fake_server import level_view
from support.client.model_in_play import EASE, HELD, playing, press

HERE = level_view()
BREAD = InventoryItem(0, "%", "brown", "bread", ItemFlag.EDIBLE, 0, 0, 0)


def with_facts(view: View, **facts: int) -> View:
    sheet = list(view.sheet)
    for name, value in facts.items():
        sheet[Stat[name.upper()]] = value
    return replace(view, sheet=tuple(sheet))


def test_no_game_key_shown_before_dungeon() -> None:
    """The bottom line has no game key before the dungeon exists."""
    assert suggested_actions(Model(screens=(Play(),), name="Ann")) == []


def test_no_key_needs_server_shown() -> None:
    """Without a connection the bottom line has no key that needs the server."""
    joining, _ = update(Model(screens=(Play(),), name="Ann"), client_events.JoinStarted("Ann", "here"), 0)
    assert [word for _, word in joining.top.hints(joining)] == ["actions", "help", "quit"]
    carrying = playing(replace(with_facts(HERE, hp=5), inventory=(BREAD,)), pace=HELD)
    cut, _ = update(carrying, client_events.ConnectionLost("The connection is lost.", 0, 200), 0)
    assert [word for _, word in cut.top.hints(cut)] == ["look", "items", "actions", "help", "quit"]


def test_eating_is_shown_to_the_hungry_who_carry_food() -> None:
    hungry = with_facts(HERE, hunger=Hunger.VERY_HUNGRY)
    assert "eat" not in suggested_actions(playing(hungry))
    assert "eat" in suggested_actions(playing(replace(hungry, inventory=(BREAD,))))


def test_rest_is_not_shown_to_the_very_hungry() -> None:
    hurt = with_facts(HERE, hp=30)
    assert "rest" in suggested_actions(playing(hurt))
    assert "rest" not in suggested_actions(playing(with_facts(hurt, hunger=Hunger.VERY_HUNGRY)))


def test_rest_is_not_shown_while_a_foe_holds() -> None:
    """A foe that has seen the player soon ends a rest, however easy it is."""
    hurt = with_facts(HERE, hp=30, attack=50, defence=50)
    rat = Creature(
        9, HERE.cell + 3, 4, 4, 1, CreatureFlag.HOLDS_YOU | CreatureFlag.HOSTILE, "r", "gray", "rat", 1, 1
    )
    held = playing(replace(hurt, creatures=(*hurt.creatures, rat)), pace=HELD)
    assert not held.threatened
    assert "rest" not in suggested_actions(held)


def test_friend_below_shown_while_way_down_known() -> None:
    """The line suggests a friend below while the client knows a way down."""
    stairs = {Terrain.STAIRS_DOWN, Terrain.HOLE}
    bare = replace(HERE, party=(*HERE.party, Friend("Bob", 2, 1, 4, CreatureFlag.PLAYER)))
    bare = replace(bare, terrain=bytes(Terrain.FLOOR if kind in stairs else kind for kind in bare.terrain))
    assert "friend" not in suggested_actions(playing(bare))
    known = bytearray(bare.terrain)
    known[bare.cell + 1] = Terrain.STAIRS_DOWN
    assert "friend" in suggested_actions(playing(replace(bare, terrain=bytes(known))))


def test_firing_is_shown_where_a_foe_is_within_reach() -> None:
    def archer(reach: int) -> Model:
        east = HERE.cell + 3
        open_ground = bytearray(HERE.terrain)
        open_ground[HERE.cell : east + 1] = bytes([Terrain.FLOOR]) * 4
        marks = CreatureFlag.HOSTILE | CreatureFlag.HOLDS_YOU
        jackal = Creature(99, east, 9, 9, 1, marks, "j", "red", "jackal", 1, 1)
        view = replace(
            HERE,
            terrain=bytes(open_ground),
            sight=bytes([1]) * len(HERE.terrain),
            creatures=(*HERE.creatures, jackal),
        )
        return playing(with_facts(view, reach=reach), pace=HELD)

    assert "fire" in suggested_actions(archer(3))
    assert "fire" not in suggested_actions(archer(2))
    assert "fire" not in suggested_actions(archer(0))


def barred(kind: Terrain, *creatures: Creature, stairs: bool = False) -> View:
    """Return a corridor to the east with one cell of some kind, and what is unexplored behind it."""
    ground = bytearray(bytes([Terrain.WALL]) * len(HERE.terrain))
    ground[HERE.cell - 1 : HERE.cell + 6] = bytes([Terrain.FLOOR]) * 7
    ground[HERE.cell + 1], ground[HERE.cell + 6] = kind, Terrain.UNKNOWN
    if stairs:
        ground[HERE.cell - 1] = Terrain.STAIRS_DOWN
    me = next(one for one in HERE.creatures if one.marks & CreatureFlag.SELF)
    sight = bytes([1]) * len(ground)
    return replace(HERE, terrain=bytes(ground), creatures=(me, *creatures), sight=sight, items=())


FUNGUS = Creature(9, HERE.cell + 2, 9, 9, 1, CreatureFlag.HOSTILE, "F", "white", "pale fungus")


def test_a_foe_in_the_only_way_is_fought() -> None:
    """Exploring would refuse; it comes first again when the foe is gone."""
    shown = suggested_actions(playing(barred(Terrain.FLOOR, FUNGUS)))
    assert shown[0] == "fight"
    assert "explore" not in shown
    assert suggested_actions(playing(barred(Terrain.FLOOR)))[0] == "explore"
    assert suggested_actions(playing(barred(Terrain.FLOOR, FUNGUS, stairs=True)))[:2] == ["descend", "fight"]


def test_a_trap_in_the_only_way_is_stepped_on() -> None:
    shown = suggested_actions(playing(barred(Terrain.TRAP)))
    assert shown[0] == "step east"
    assert "explore" not in shown
    assert suggested_actions(playing(barred(Terrain.TRAP, stairs=True)))[0] == "descend"


def test_throwing_spares_the_weapon_in_hand() -> None:
    """Missiles and potions that harm are; the list begins at one of them, not at the weapon."""
    foe = replace(FUNGUS, marks=CreatureFlag.HOSTILE | CreatureFlag.HOLDS_YOU, attack=60, hp=90)
    knife = InventoryItem(0, ")", "white", "knife", ItemFlag.WIELDABLE | ItemFlag.WIELDED, 2, 0, 0, thrown=3)
    coat, rock = (
        InventoryItem(1, "[", "white", "coat", 0, 0, 0, 0),
        InventoryItem(2, "*", "white", "rock", 0, 0, 0, 0, thrown=2),
    )
    view = replace(barred(Terrain.FLOOR, foe), inventory=(knife,))
    assert "throw" not in suggested_actions(playing(view, HELD))
    held = playing(replace(view, inventory=(knife, coat, rock)), HELD)
    assert "throw" in suggested_actions(held)
    listed, _ = press(held, "t", "ENTER")
    assert isinstance(listed.top, Target)
    assert listed.top.aim.name == "rock"


def test_a_wand_is_shown_where_it_reaches_a_foe() -> None:
    foe = replace(
        FUNGUS, cell=HERE.cell + 4, marks=CreatureFlag.HOSTILE | CreatureFlag.HOLDS_YOU, attack=60, hp=90
    )
    far, unknown = (
        InventoryItem(
            0,
            "/",
            "white",
            "wand of terror",
            ItemFlag.ZAPPABLE,
            0,
            0,
            0,
            "creature",
            3,
            effect=MagicEffect.FEAR,
        ),
        InventoryItem(1, "/", "white", "oak wand", ItemFlag.ZAPPABLE, 0, 0, 0),
    )
    view = replace(barred(Terrain.FLOOR, foe), inventory=(far,))
    assert "zap" not in suggested_actions(playing(view, HELD))
    assert "zap" in suggested_actions(playing(replace(view, inventory=(replace(far, range=4),)), HELD))
    both, _ = press(playing(replace(view, inventory=(far, unknown)), HELD), "z", "ENTER")
    assert isinstance(both.top, Target)
    assert both.top.aim.name == "oak wand"


def test_picking_shown_underfoot() -> None:
    """The line suggests to pick up where the player can take an item underfoot."""
    grave = FloorItem(1, "|", "gray", "grave of Bob", ItemFlag.BOUND)
    apple = FloorItem(2, "%", "red", "apple", ItemFlag.EDIBLE)
    assert "pick up" not in suggested_actions(playing(replace(HERE, pile=(grave,))))
    assert "pick up" in suggested_actions(playing(replace(HERE, pile=(grave, apple))))


def test_spare_food_underfoot_is_left_to_lie() -> None:
    """A corpse is no use to a player who carries food and is not hungry; food worth it, and all food of the hungry, is offered."""
    corpse = FloorItem(2, "%", "red", "rat corpse", ItemFlag.EDIBLE)
    fed = replace(HERE, pile=(corpse,), inventory=(BREAD,))
    assert "pick up" not in suggested_actions(playing(fed))
    assert "pick up" in suggested_actions(playing(replace(fed, inventory=())))
    assert "pick up" in suggested_actions(playing(with_facts(fed, hunger=Hunger.HUNGRY)))
    worth = replace(corpse, traits=ItemFlag.EDIBLE | ItemFlag.WORTH)
    assert "pick up" in suggested_actions(playing(replace(fed, pile=(worth,))))


def test_a_friend_in_a_corridor_does_not_bar_exploring() -> None:
    """A plan changes places with a friend, unless a foe may hold that friend, or they are down."""
    friend = Creature(9, HERE.cell + 2, 9, 9, 1, CreatureFlag.PLAYER, "@", "white", "Bob")
    assert "explore" in suggested_actions(playing(barred(Terrain.FLOOR, friend)))
    downed = replace(friend, marks=CreatureFlag.PLAYER | CreatureFlag.DOWN)
    assert "explore" not in suggested_actions(playing(barred(Terrain.FLOOR, downed)))
    foe = replace(FUNGUS, cell=HERE.cell + 3)
    assert "explore" not in suggested_actions(playing(barred(Terrain.FLOOR, friend, foe)))


def test_fighting_shown_way_leads_foe() -> None:
    """The line suggests a fight if a way leads to the foe around friends."""
    floor = bytearray(bytes([Terrain.WALL]) * len(HERE.terrain))
    for step in range(4):
        floor[HERE.cell + step] = Terrain.FLOOR
    corridor = replace(HERE, terrain=bytes(floor))
    me = next(one for one in HERE.creatures if one.marks & CreatureFlag.SELF)
    rat = Creature(
        9, HERE.cell + 3, 4, 4, 1, CreatureFlag.HOLDS_YOU | CreatureFlag.HOSTILE, "r", "gray", "rat"
    )
    bob = Creature(8, HERE.cell + 1, 4, 4, 1, CreatureFlag.PLAYER, "@", "cyan", "Bob")
    assert "fight" in suggested_actions(playing(replace(corridor, creatures=(me, rat))))
    assert "fight" not in suggested_actions(playing(replace(corridor, creatures=(me, bob, bat_at(3)))))
    beside = replace(rat, cell=HERE.cell + 1)
    assert "fight" in suggested_actions(playing(replace(corridor, creatures=(me, beside))))


def test_cursor_offers_travelling_way_known() -> None:
    """The cursor offers traveling where a way is known."""
    model = playing(HERE)
    there = next(cell for cell, steps in steps_to(model.view).items() if steps == 2)
    wall = next(cell for cell, terrain in enumerate(HERE.terrain) if terrain == Terrain.WALL)

    def offers(cell: int, pace: Pace = EASE) -> bool:
        shown = Cursor("look", cell).hints(playing(HERE, pace))
        return any(word == "travel here" for _, word in shown)

    assert offers(there)
    assert not offers(wall)
    assert not offers(model.view.cell)
    assert not offers(there, HELD)


def test_closing_is_shown_where_the_doorway_is_free() -> None:
    door = bytearray(HERE.terrain)
    door[HERE.cell + 1] = Terrain.DOOR_OPEN
    free = replace(HERE, terrain=bytes(door))
    bob = Creature(8, HERE.cell + 1, 4, 4, 1, CreatureFlag.PLAYER, "@", "cyan", "Bob")
    assert "close" in suggested_actions(playing(free))
    assert "close" not in suggested_actions(playing(replace(free, creatures=(*free.creatures, bob))))
    lying = Item(2, HERE.cell + 1, 1, "%", "red", "apple")
    assert "close" not in suggested_actions(playing(replace(free, items=(lying,))))


def test_friend_bars_way_not_shown() -> None:
    """An action that a friend bars is not shown while a foe may hold that friend."""
    floor = bytearray(bytes([Terrain.WALL]) * len(HERE.terrain))
    for step in range(4):
        floor[HERE.cell + step] = Terrain.FLOOR
    floor[HERE.cell + 4], floor[HERE.cell + 3] = Terrain.UNKNOWN, Terrain.STAIRS_DOWN
    corridor = replace(HERE, terrain=bytes(floor))
    me = next(one for one in HERE.creatures if one.marks & CreatureFlag.SELF)
    bob = Creature(8, HERE.cell + 1, 4, 4, 1, CreatureFlag.PLAYER, "@", "cyan", "Bob")
    assert {"explore", "descend"} <= set(suggested_actions(playing(replace(corridor, creatures=(me,)))))
    assert {"explore", "descend"} <= set(suggested_actions(playing(replace(corridor, creatures=(me, bob)))))
    assert not {"explore", "descend"} & set(
        suggested_actions(playing(replace(corridor, creatures=(me, bob, bat_at(3)))))
    )


def test_exploring_and_resting_not_shown_player() -> None:
    """Exploring and resting are not shown to a player who starves beside food."""
    starving = with_facts(HERE, hunger=Hunger.STARVING, mana=0, mana_max=5)
    apple = replace(BREAD, food=50)
    assert {"explore", "rest"} <= set(suggested_actions(playing(starving)))
    assert not {"explore", "rest"} & set(suggested_actions(playing(replace(starving, inventory=(apple,)))))


def test_no_key_is_shown_twice_on_an_explored_level() -> None:
    terrain = bytearray(HERE.terrain)
    terrain[HERE.cell + 1] = Terrain.STAIRS_DOWN
    shown = suggested_actions(mark_explored(playing(replace(HERE, terrain=bytes(terrain)))))
    assert shown.count("descend") == 1


def corridor(terrain: dict[int, Terrain], *others: Creature) -> View:
    """Return a view in which the player stands in a corridor from west to east, with terrain in it by the steps east."""
    cells = bytearray(bytes([Terrain.WALL]) * len(HERE.terrain))
    for steps, kind in terrain.items():
        cells[HERE.cell + steps] = kind
    me = next(one for one in HERE.creatures if one.marks & CreatureFlag.SELF)
    place = replace(HERE.place, depth=2)
    return replace(HERE, terrain=bytes(cells), creatures=(me, *others), items=(), place=place)


def friend_at(steps: int) -> Creature:
    return Creature(8, HERE.cell + steps, 4, 4, 1, CreatureFlag.PLAYER, "@", "cyan", "Bob")


def bat_at(steps: int) -> Creature:
    return Creature(9, HERE.cell + steps, 1, 1, 1, CreatureFlag.HOSTILE, "b", "brown", "bat")


WAYS = dict.fromkeys(range(-4, 4), Terrain.FLOOR)


def test_stairs_foe_not_shown_though_others_reach() -> None:
    """Seed 6 of rltut with two players: a bat stood on the nearest stairs, to which the key goes."""
    two = {**WAYS, 2: Terrain.STAIRS_DOWN, -3: Terrain.STAIRS_DOWN}
    assert "descend" in suggested_actions(mark_explored(playing(corridor(two))))
    shown = suggested_actions(mark_explored(playing(corridor(two, bat_at(2)))))
    assert ("descend" in shown, "explore" in shown) == (False, True)


def test_friend_way_stairs_explored_level_hides() -> None:
    """Seed 9 of gloam with two players: a friend in danger stood in the way, and did not change places."""
    one = {**WAYS, 3: Terrain.STAIRS_DOWN}
    free = suggested_actions(mark_explored(playing(corridor(one))))
    barred = suggested_actions(mark_explored(playing(corridor(one, friend_at(1), bat_at(-2)))))
    assert {"descend", "explore"} <= set(free)
    assert not {"descend", "explore"} & set(barred)


def test_stairs_no_known_way_leads_not_shown() -> None:
    """Seed 10 of gloam with two players: the stairs up were known, beyond ground that was not."""
    near = mark_explored(playing(corridor({**WAYS, -3: Terrain.STAIRS_UP})))
    far = mark_explored(playing(corridor({**WAYS, -3: Terrain.STAIRS_UP, -1: Terrain.UNKNOWN})))
    assert "ascend" in suggested_actions(near)
    assert "ascend" not in suggested_actions(far)
    assert (next_exit(near).intent, next_exit(far).intent) == ("ascend", "dig")


def in_a_fight(*foes: tuple[int, Menace | None], **facts: int) -> Model:
    """Return a player held by foes this many cells east, each of which takes half of an unhurt player's health in a turn."""
    marks = CreatureFlag.HOLDS_YOU | CreatureFlag.HOSTILE
    held_by = tuple(
        Creature(90 + at, HERE.cell + away, 90, 90, 9, marks, "O", "red", "ogre", 40, 9, 0, menace)
        for at, (away, menace) in enumerate(foes)
    )
    floor = replace(HERE, terrain=bytes([Terrain.FLOOR]) * len(HERE.terrain))
    return playing(with_facts(replace(floor, creatures=(*HERE.creatures, *held_by)), **facts), pace=HELD)


def carrying(model: Model, *things: InventoryItem) -> Model:
    return playing(replace(model.view, inventory=things), pace=HELD)


def thing(use: ItemFlag, effect: MagicEffect, words: str = "It does something.") -> InventoryItem:
    return InventoryItem(0, "?", "white", "thing", use, 0, 0, 0, words=words, effect=int(effect))


def test_a_deadly_fight_is_left_while_that_heals() -> None:
    """The first key steps out of reach, as long as health grows back on the way; unhurt players fight."""
    assert suggested_actions(in_a_fight((1, None), hp=30))[0].startswith("step ")
    assert suggested_actions(in_a_fight((1, None), hp=40))[0] == "fight"
    easy = with_facts(in_a_fight((1, None), hp=30).view, attack=200, defence=99)
    assert suggested_actions(playing(easy, pace=HELD))[0] == "fight"


def test_no_step_away_from_what_catches_or_shoots() -> None:
    for menace in (Menace(speed=2_000), Menace(ranged=40, reach=6)):
        assert suggested_actions(in_a_fight((1, menace), hp=30))[0] == "fight"


@pytest.mark.parametrize(("hp", "first"), [(33, "ascend"), (39, "fight"), (40, "fight")])
def test_stairs_up_are_left_by_before_a_deadly_fight(hp: int, first: str) -> None:
    """A crowd at the foot of the stairs: the way back is the first key for a hurt player, who can heal above."""
    view = in_a_fight((3, None), (4, Menace(speed=2_000)), hp=hp).view
    terrain = bytearray(view.terrain)
    terrain[view.cell] = Terrain.STAIRS_UP
    shown = suggested_actions(playing(replace(view, terrain=bytes(terrain)), pace=HELD))
    assert shown[0] == first
    assert "ascend" in shown


@pytest.mark.parametrize(
    ("use", "effect", "words", "first"),
    [
        (ItemFlag.ZAPPABLE, MagicEffect.NONE, "", "zap"),
        (ItemFlag.ZAPPABLE, MagicEffect.SLEEP, "It sleeps.", "zap"),
        (ItemFlag.ZAPPABLE, MagicEffect.DIG, "It digs.", "fight"),
        (ItemFlag.READABLE, MagicEffect.NONE, "", "read"),
        (ItemFlag.READABLE, MagicEffect.TELEPORT, "It moves you.", "read"),
        (ItemFlag.READABLE, MagicEffect.MAP, "It shows the level.", "fight"),
        (ItemFlag.READABLE, MagicEffect.NONE, "A book of spells.", "fight"),
    ],
)
def test_magic_goes_before_a_deadly_fight(use: ItemFlag, effect: MagicEffect, words: str, first: str) -> None:
    """An item that may end the fight is the first key, also one that is not identified; any other is not."""
    assert suggested_actions(carrying(in_a_fight((1, None), hp=40), thing(use, effect, words)))[0] == first
    fair = with_facts(in_a_fight((1, None), hp=40).view, attack=200, defence=99)
    held = playing(replace(fair, inventory=(thing(use, effect, words),)), pace=HELD)
    assert suggested_actions(held)[0] == "fight", "a fight that is won needs none of it"
