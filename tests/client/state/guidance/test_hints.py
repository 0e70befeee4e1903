"""First-life hints: few, each once, never in the way; and what works where something was refused."""

from pathlib import Path

import pytest
from msgspec import structs
from msgspec.structs import replace

from gloam_client.screens.play import Play
from gloam_client.state import client_events
from gloam_client.state.guidance import given_hints
from gloam_client.state.model import Model
from gloam_client.state.options import Options
from gloam_client.state.records import Guidance
from gloam_client.update import update
from gloam_shared.appearance import Terrain
from gloam_shared.protocol.commands import AnyCommand, Climb, Explore, Move, Rest, Run, Travel, Wait
from gloam_shared.protocol.messages.login import Joined, Welcome
from gloam_shared.protocol.messages.play import Answer, Pace
from gloam_shared.protocol.registry import FromServer
from gloam_shared.view.danger import danger_together
from gloam_shared.view.downed import marks_of_downed
from gloam_shared.view.view import (
    NOWHERE,
    Creature,
    CreatureFlag,
    Friend,
    InventoryItem,
    ItemFlag,
    Log,
    LogLine,
    MagicEffect,
    Spell,
    Stat,
    View,
)
from support.client.fake_server import level_view
from support.client.model_in_play import EASE, HELD, heard, in_danger, picture, playing, press

BARE = replace(level_view(), terrain=bytes(len(level_view().terrain)))


def first_life(options: Options | None = None) -> Model:
    model = Model(screens=(Play(),), name="Ann", options=options or Options())
    model, _ = update(model, client_events.JoinStarted("Ann", "here"), 0)
    return update(model, heard(Joined("Ann", 0, 1), view=BARE), 0)[0]


def hear(model: Model, now_ms: int, *messages: FromServer, view: View = BARE, pace: Pace = EASE) -> Model:
    return update(model, heard(*messages, view=view, pace=pace), now_ms)[0]


def played(model: Model, turns: int, view: View = BARE, pace: Pace = EASE) -> Model:
    """Return the model after this number of the player's commands, each answered with the same view."""
    for _ in range(turns):
        model, _ = update(model, client_events.CommandSent(Wait(), None), 0)
        model = hear(model, 0, view=view, pace=pace)
    return model


def hints(model: Model) -> list[str]:
    return [entry.text for entry in model.messages.entries if entry.tone == "note"]


def test_hint_given_once_moment() -> None:
    """Each hint is given once when it is needed, and some commands lie between two: U4."""
    model = first_life()
    assert len(hints(model)) == 1
    assert "Move with the arrows" in hints(model)[0]
    assert len(hints(played(model, 3, pace=HELD))) == 1
    model = played(model, 4, pace=HELD)
    assert "press Tab to fight" in hints(model)[-1]
    assert len(hints(played(model, 70, pace=HELD))) == 2


def test_no_hint_comes_by_the_clock() -> None:
    """Time alone brings no hint, however long the player waits."""
    model = first_life()
    carrying = replace(
        BARE, inventory=(InventoryItem(0, "?", "white", "scroll", ItemFlag.READABLE, 0, 0, 0),)
    )
    for now_ms in range(10_000, 900_000, 10_000):
        model = hear(model, now_ms, view=carrying)
        model, _ = update(model, client_events.TimerFired(), now_ms + 5_000)
    assert len(hints(model)) == 1


def test_a_fight_is_not_the_time_for_other_hints() -> None:
    """While a foe holds the player, only hints of fights are given."""
    carrying = replace(
        BARE, inventory=(InventoryItem(0, "?", "white", "scroll", ItemFlag.READABLE, 0, 0, 0),)
    )
    model = played(first_life(), 30, carrying, HELD)
    assert not any("something to read" in hint for hint in hints(model))
    assert any("something to read" in hint for hint in hints(played(model, 4, carrying)))


def test_hint_given_once_player() -> None:
    """A hint is given once a player and the others go on over runs and campaigns."""

    def begun(given: dict[str, frozenset[str]], number: int = 0, life: int = 1) -> Model:
        model = Model(screens=(Play(),), name="Ann", guidance=Guidance(given=given))
        model, _ = update(model, client_events.JoinStarted("Ann", "here"), 0)
        return update(model, heard(Joined("Ann", number, life), view=BARE), 0)[0]

    had = {"ann": frozenset({"move"})}
    for again in (begun(had), begun(had, number=5), begun(had, life=2)):
        assert hints(again) == []
        assert "press Tab to fight" in hints(played(again, 1, pace=HELD))[-1]
    assert "Move with" in hints(begun({"bert": frozenset({"move"})}))[0]


def test_hints_given_kept(tmp_path: Path) -> None:
    """The hints that were given are kept by player beside what else the file holds."""
    assert given_hints.read(tmp_path) == {}
    given_hints.write(tmp_path, "Ann", frozenset({"move", "foe"}))
    given_hints.write(tmp_path, "Bert", frozenset())
    given_hints.write(tmp_path, "ANN", frozenset({"move", "foe", "door"}))
    given_hints.write(tmp_path, "a\nb c", frozenset({"move"}))
    assert given_hints.read(tmp_path) == {"ann": {"move", "foe", "door"}, "bert": set()}
    assert [path.name for path in tmp_path.iterdir()] == [given_hints.FILE]
    (tmp_path / given_hints.FILE).write_bytes(b"\xff\x00 move\n\n \nann")
    assert given_hints.read(tmp_path)["ann"] == frozenset()
    given_hints.write(tmp_path / "none", "Ann", frozenset({"move"}))


def test_later_life_or_player() -> None:
    """A later life or a player who wants none gets none."""
    assert hints(playing()) == []
    heir, _ = update(Model(screens=(Play(),), name="Ann"), heard(Joined("Ann", 0, 2), view=BARE), 0)
    assert hints(heir) == []
    assert hints(first_life(Options(hints="off"))) == []


def test_keys_named_players_table() -> None:
    """The keys named are from the player's own table."""
    for keys in ("vi", "wasd"):
        assert "o explores" in hints(first_life(Options(keys=keys)))[0]


def test_plan_refused_beside_foe_names_works() -> None:
    """A plan refused beside a foe names what works and folds."""
    refused = Answer(1, "cannot", "You cannot explore while foes are near.")
    model = playing(pace=HELD)
    for _ in range(2):
        model, _ = update(model, client_events.CommandSent(Explore(), 0), 0)
        model = hear(model, 0, refused, pace=HELD)
    assert "You cannot explore while foes are near. Step away, or walk into one. x2" in picture(model)

    model, _ = update(model, client_events.CommandSent(Move(1, 0), 0), 0)
    model = hear(model, 0, Answer(2, "cannot", "The rock is in the way."), pace=HELD)
    assert model.flash.text == "The rock is in the way."


def hurt(view: View, hp: int = 19) -> View:
    """Return a view of a body that has so much of its 40 health."""
    return replace(view, sheet=(*view.sheet[: Stat.HP], hp, *view.sheet[Stat.HP + 1 :]))


def refused(view: View, asked: AnyCommand, options: Options | None = None) -> str:
    """Return the hint after a refused command next to a foe."""
    model = structs.replace(playing(view, HELD), options=options or Options())
    model, _ = update(model, client_events.CommandSent(asked, 0), 0)
    return hear(model, 0, Answer(1, "cannot", "No."), view=view, pace=HELD).flash.text


@pytest.mark.parametrize("asked", [Explore(), Rest(), Run(1, 0), Climb(down=True), Climb(down=False)])
def test_badly_hurt_not_sent_fight_key_refuses(asked: AnyCommand) -> None:
    """A badly hurt player is not sent to fight by a key that refuses them."""
    view = level_view()
    potion = replace(view, inventory=(InventoryItem(0, "!", "red", "potion", ItemFlag.QUAFFABLE, 0, 0, 0),))
    assert refused(hurt(beside_pack(view, 1), 20), asked) == "No. Tab fights."
    assert refused(hurt(view), asked) == "No. Step away, or walk into one."
    assert refused(hurt(potion), asked) == "No. Step away, walk into one, or q quaffs."


def beside_pack(view: View, foes: int) -> View:
    """Return a view with this number of foes, none of which is deadly alone."""
    marks = CreatureFlag.HOLDS_YOU | CreatureFlag.HOSTILE
    pack = [
        Creature(90 + each, view.cell + 1 + each, 20, 20, 1, marks, "k", "red", "kobold", 10, 1)
        for each in range(foes)
    ]
    return replace(view, creatures=(*view.creatures, *pack))


@pytest.mark.parametrize("asked", [Explore(), Travel(3), Climb(down=False)])
def test_deadly_pack_is_not_to_be_fought(asked: AnyCommand) -> None:
    """Foes that are deadly together are not to be fought by one key, though the player is unhurt and none is deadly alone."""
    view = level_view()
    healing = InventoryItem(0, "!", "red", "potion", ItemFlag.QUAFFABLE, 0, 0, 0, effect=MagicEffect.HEAL)
    potion = replace(view, inventory=(InventoryItem(0, "!", "red", "potion", ItemFlag.QUAFFABLE, 0, 0, 0),))
    pack = beside_pack(view, 4)
    assert danger_together(pack.creatures, pack, "excess") == "deadly"
    assert refused(beside_pack(view, 1), asked) == "No. Tab fights."
    assert refused(pack, asked) == "No. Step away, or walk into one."
    assert refused(beside_pack(potion, 4), asked) == "No. Step away, walk into one, or q quaffs."
    unhurt = hurt(beside_pack(replace(view, inventory=(healing,)), 4), view.fact(Stat.HP_MAX))
    assert refused(unhurt, asked) == "No. Step away, or walk into one."
    assert refused(hurt(unhurt, 39), asked) == "No. Step away, walk into one, or q quaffs."


@pytest.mark.parametrize("tile", [Terrain.STAIRS_DOWN, Terrain.FLOOR])
def test_stairs_no_foe_bars_refused_without_way(tile: Terrain) -> None:
    """Stairs that no foe bars are refused without a way out."""
    view = level_view()
    assert refused(replace(view, terrain=bytes([tile]) * len(view.terrain)), Climb(down=True)) == "No."


@pytest.mark.parametrize("asked", [Explore(), Climb(down=True), Climb(down=False)])
def test_command_refused_any_view_come_needs(asked: AnyCommand) -> None:
    """A command refused before any view has arrived needs no way out."""
    assert refused(NOWHERE, asked) == "No."


def test_badly_hurt_offered_helps() -> None:
    """A badly hurt player is offered what helps before all else."""

    def bottom(view: View) -> str:
        return picture(playing(view, HELD)).split("\n")[-1]

    potion = replace(
        level_view(), inventory=(InventoryItem(0, "!", "red", "potion", ItemFlag.QUAFFABLE, 0, 0, 0),)
    )
    assert bottom(potion).startswith("Tab fight")
    assert bottom(hurt(potion)).startswith("q quaff")
    assert "fight" not in bottom(hurt(potion))
    assert bottom(hurt(potion)).count("quaff") == 1


def test_held_friend_duel() -> None:
    """A player in a duel with a friend, or badly hurt, gets no hint about a foe to fight."""
    holder = Creature(
        9, BARE.cell + 1, 5, 5, 1, CreatureFlag.HOLDS_YOU | CreatureFlag.HOSTILE, "r", "brown", "rat"
    )
    rival = replace(holder, marks=holder.marks | CreatureFlag.PLAYER, name="Bert")
    for view, expected in (
        (replace(BARE, creatures=(*BARE.creatures, rival)), False),
        (replace(BARE, creatures=(*BARE.creatures, rival, holder)), True),
        (hurt(BARE), False),
    ):
        model = played(first_life(), 4, view, HELD)
        assert any("A foe has seen you" in hint for hint in hints(model)) == expected


def test_the_first_hint_names_the_letters_that_walk() -> None:
    assert "the arrows or hjklyubn;" in hints(first_life())[0]
    assert "the arrows, wasd or hjklyubn;" in hints(first_life(Options(keys="wasd")))[0]


def test_a_potion_is_named_when_it_is_needed() -> None:
    """The hint is given to a player who is badly hurt; a known potion is not called unknown."""
    healing = InventoryItem(
        0, "!", "red", "potion of healing", ItemFlag.QUAFFABLE, 0, 0, 0, words="It heals."
    )
    model = played(first_life(), 30, replace(BARE, inventory=(healing,)))
    assert not any("potion" in hint for hint in hints(model))
    model = played(model, 4, hurt(replace(BARE, inventory=(healing,))))
    assert hints(model)[-1] == (
        "You are badly hurt and carry a potion: q quaffs. You learn what an unknown one does when you see it work."
    )


def test_a_turn_that_waits_for_the_player_is_explained() -> None:
    """A player who reads in a fight beside friends learns how to get more time, before turns pass without them."""
    friend = Creature(9, 1, 9, 9, 1, CreatureFlag.PLAYER, "@", "cyan", "Bert")
    view = replace(BARE, creatures=(*BARE.creatures, friend), party=(Friend("Bert", 1, 1, 4, 0),))
    waits = Pace(held=True, ms=2_000, for_names=("Ann",))
    model = played(first_life(), 30, view)
    assert not any("turn waits" in hint for hint in hints(model))
    assert "F, then p: it waits longer still." in hints(played(model, 1, view, waits))[-1]


def test_a_downed_player_reads_no_hints() -> None:
    """They can neither quaff nor step."""
    healing = InventoryItem(0, "!", "red", "potion of healing", ItemFlag.QUAFFABLE, 0, 0, 0)
    view = hurt(replace(BARE, inventory=(healing,)), hp=1)
    down = Friend("Ann", 1, 1, 1, CreatureFlag.PLAYER | marks_of_downed(9))
    model = played(first_life(), 30, replace(view, party=(down,)))
    assert not any("potion" in hint for hint in hints(model))
    assert "potion" in hints(played(model, 4, view))[-1]


def test_a_plan_that_ended_is_news_and_no_refusal() -> None:
    model = hear(playing(), 0, Answer(1, "ended", "You found stairs down."))
    assert model.messages.entries[-1].text == "You found stairs down."
    assert press(model, "m")[0].top.state == "history"


def test_a_first_life_begins_with_what_is_to_be_done() -> None:
    model, _ = update(Model(screens=(Play(),), name="Ann"), client_events.JoinStarted("Ann", "here"), 0)
    welcome = Welcome(1, "The Cave", 0, 8, "Find the teddy bear.")
    first = hear(model, 0, welcome, Joined("Ann", 0, 1))
    assert "Find the teddy bear." in picture(first)
    assert "any key begin" in picture(first).split("\n")[-1]
    for life, number in ((1, 3), (2, 0)):
        later = hear(model, 0, welcome, Joined("Ann", number, life))
        assert "Find the teddy bear." not in picture(later)


@pytest.mark.parametrize(
    ("key", "state", "orders"), [("ESC", "play", 0), ("F7", "play", 0), ("l", "play", 1), ("?", "help", 0)]
)
def test_any_key_closes_story_and_means_done(key: str, state: str, orders: int) -> None:
    """Any key closes the story and what it means is done."""
    model, _ = update(Model(screens=(Play(),), name="Ann"), client_events.JoinStarted("Ann", "here"), 0)
    model = hear(model, 0, Welcome(1, "The Cave", 0, 8, "Find the teddy bear. " * 20), Joined("Ann", 0, 1))
    assert picture(model).count("Find") == 20
    model, wanted = press(model, key)
    assert (model.top.state, len(wanted)) == (state, orders)


def test_new_verbs_reported_once_when_use() -> None:
    """A scroll in the inventory and an item just picked up are explained once."""
    scroll = InventoryItem(0, "?", "white", "scroll", ItemFlag.READABLE, 0, 0, 0)
    model = played(first_life(), 90, replace(BARE, inventory=(scroll,)))
    assert len([hint for hint in hints(model) if "something to read: r" in hint]) == 1
    taken = replace(BARE, log=Log(1, (LogLine("picks_up", "you", "rock"),)))
    model = played(model, 9, taken)
    assert len([hint for hint in hints(model) if "i lists what you carry" in hint]) == 1


def test_there_are_at_most_twelve_hints_of_one_line() -> None:
    """A player meets every need, in and out of fights, and gets each hint once: U4."""
    view = replace(
        BARE,
        terrain=bytes([Terrain.STAIRS_DOWN, *[Terrain.FLOOR] * (len(BARE.terrain) - 1)]),
        inventory=(InventoryItem(0, "!", "red", "thing", ItemFlag.QUAFFABLE | ItemFlag.READABLE, 0, 0, 0),),
        spells=(Spell("heal", "heal", 1, "self", 0, 0, ""),),
        choices=("one",),
        creatures=(*BARE.creatures, Creature(9, 1, 9, 9, 1, CreatureFlag.PLAYER, "@", "cyan", "Bert")),
        sheet=(*BARE.sheet[: Stat.REACH], 5, *BARE.sheet[Stat.REACH + 1 :]),
        log=Log(1, (LogLine("picks_up", "you", "rock"),)),
        party=(Friend("Bert", 1, 1, 4, 0),),
    )
    waits = Pace(held=True, for_names=("Ann",))
    model = played(first_life(), 60, in_danger(view), waits)
    model = played(played(model, 60, in_danger(hurt(view)), waits), 60, view)
    assert 11 <= len(hints(model)) <= 12
    assert len(hints(model)) == len(set(hints(model)))


@pytest.mark.parametrize(
    ("inventory", "words"),
    [
        ((InventoryItem(0, "%", "red", "apple", int(ItemFlag.EDIBLE), 0, 0, 50),), "e eats."),
        ((), ", picks food up, then e eats it."),
    ],
)
def test_who_starves_beside_food_learns_which_key_eats(
    inventory: tuple[InventoryItem, ...], words: str
) -> None:
    model = playing(replace(BARE, inventory=inventory))
    model = hear(
        model, 1_000, Answer(1, "hungry", "You are starving: eat before you explore."), view=model.view
    )
    assert model.flash.text == f"You are starving: eat before you explore. {words}"
