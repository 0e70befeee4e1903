"""What the bottom line of play leaves out, since it would be refused."""

from msgspec.structs import replace

from client.screens.playing import playing
from gloam_client.model import Model
from gloam_client.screens.bottom import wishes
from gloam_client.screens.exploring import as_explored
from gloam_client.screens.play import Play
from gloam_shared.appearance import Terrain
from gloam_shared.view import Carried, Fact, Friend, Hunger, Mark, Trait, View
from support.fake_server import level_view

HERE = level_view()
BREAD = Carried(0, "%", "brown", "bread", Trait.EDIBLE, 0, 0, 0)


def with_facts(view: View, **facts: int) -> View:
    sheet = list(view.sheet)
    for name, value in facts.items():
        sheet[Fact[name.upper()]] = value
    return replace(view, sheet=tuple(sheet))


def test_no_game_key_is_shown_before_there_is_a_dungeon() -> None:
    assert wishes(Model(screens=(Play(),), name="Ann")) == []


def test_eating_is_shown_to_the_hungry_who_carry_food() -> None:
    hungry = with_facts(HERE, hunger=Hunger.VERY_HUNGRY)
    assert "eat" not in wishes(playing(hungry))
    assert "eat" in wishes(playing(replace(hungry, inventory=(BREAD,))))


def test_rest_is_not_shown_to_the_very_hungry() -> None:
    hurt = with_facts(HERE, hp=30)
    assert "rest" in wishes(playing(hurt))
    assert "rest" not in wishes(playing(with_facts(hurt, hunger=Hunger.VERY_HUNGRY)))


def test_a_friend_below_is_shown_while_a_way_down_is_known() -> None:
    stairs = {Terrain.STAIRS_DOWN, Terrain.HOLE}
    bare = replace(HERE, party=(*HERE.party, Friend("Bob", 2, 1, 4, Mark.PLAYER)))
    bare = replace(bare, terrain=bytes(Terrain.FLOOR if kind in stairs else kind for kind in bare.terrain))
    assert "friend" not in wishes(playing(bare))
    known = bytearray(bare.terrain)
    known[bare.cell + 1] = Terrain.STAIRS_DOWN
    assert "friend" in wishes(playing(replace(bare, terrain=bytes(known))))


def test_exploring_and_resting_are_not_shown_to_a_player_who_starves_beside_food() -> None:
    starving = with_facts(HERE, hunger=Hunger.STARVING, mana=0, mana_max=5)
    apple = replace(BREAD, food=50)
    assert {"explore", "rest"} <= set(wishes(playing(starving)))
    assert not {"explore", "rest"} & set(wishes(playing(replace(starving, inventory=(apple,)))))


def test_no_key_is_shown_twice_on_an_explored_level() -> None:
    terrain = bytearray(HERE.terrain)
    terrain[HERE.cell + 1] = Terrain.STAIRS_DOWN
    shown = wishes(as_explored(playing(replace(HERE, terrain=bytes(terrain)))))
    assert shown.count("descend") == 1
