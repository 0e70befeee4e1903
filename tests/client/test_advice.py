"""First-life hints: few, each once, never in the way; and what works where something was refused."""

import pytest
from msgspec.structs import replace

from client.screens.playing import EASE, HELD, heard, picture, playing, press
from gloam_client import inputs
from gloam_client.model import Model
from gloam_client.options import Options
from gloam_client.screens.play import Play
from gloam_client.update import update
from gloam_shared.appearance import Terrain
from gloam_shared.commands import Explore, Move
from gloam_shared.messages import Answer, FromServer, Joined, Pace, Welcome
from gloam_shared.view import Carried, Fact, Spell, Trait, View
from support.fake_server import level_view

BARE = replace(level_view(), terrain=bytes(len(level_view().terrain)))


def first_life(options: Options | None = None) -> Model:
    model = Model(screens=(Play(),), name="Ann", options=options or Options())
    model, _ = update(model, inputs.Joining("Ann", "here"), 0)
    return update(model, heard(Joined("Ann", 0, 1), view=BARE), 0)[0]


def hear(model: Model, now_ms: int, *messages: FromServer, view: View = BARE, pace: Pace = EASE) -> Model:
    return update(model, heard(*messages, view=view, pace=pace), now_ms)[0]


def hints(model: Model) -> list[str]:
    return [entry.text for entry in model.entries if entry.tone == "note"]


def test_each_hint_is_given_once_at_its_moment_and_none_crowds_the_other() -> None:
    model = first_life()
    assert len(hints(model)) == 1
    assert "Move with the arrows" in hints(model)[0]
    model = hear(model, 1_000, pace=HELD)
    assert len(hints(model)) == 1
    model = hear(model, 10_000, pace=HELD)
    assert "Tab fights" in hints(model)[-1]
    for now_ms in range(20_000, 90_000, 1_000):
        model = hear(model, now_ms, pace=HELD)
    assert len(hints(model)) == 2


def test_a_later_life_or_a_player_who_wants_none_gets_none() -> None:
    assert hints(playing()) == []
    assert hints(first_life(Options(hints="off"))) == []


def test_the_keys_named_are_those_of_the_players_own_table() -> None:
    for keys in ("vi", "wasd"):
        assert "o explores" in hints(first_life(Options(keys=keys)))[0]


def test_a_plan_refused_beside_a_foe_names_what_works_and_folds() -> None:
    refused = Answer(1, "cannot", "You cannot explore while foes are near.")
    model = playing(pace=HELD)
    for _ in range(2):
        model, _ = update(model, inputs.Sent(Explore(), 0), 0)
        model = hear(model, 0, refused, pace=HELD)
    assert "You cannot explore while foes are near. Tab fights. x2" in picture(model)

    model, _ = update(model, inputs.Sent(Move(1, 0), 0), 0)
    model = hear(model, 0, Answer(2, "cannot", "The rock is in the way."), pace=HELD)
    assert model.entries[-1].text == "The rock is in the way."


def test_a_plan_that_ended_is_news_and_no_refusal() -> None:
    model = hear(playing(), 0, Answer(1, "ended", "You found stairs down."))
    assert model.entries[-1].tone == "note"
    assert press(model, "m")[0].top.state == "history"


def test_u53_a_first_life_begins_with_what_is_to_be_done() -> None:
    model, _ = update(Model(screens=(Play(),), name="Ann"), inputs.Joining("Ann", "here"), 0)
    welcome = Welcome(1, "The Cave", 0, 8, "Find the teddy bear.")
    first = hear(model, 0, welcome, Joined("Ann", 0, 1))
    assert "Find the teddy bear." in [entry.text for entry in first.entries]
    later = hear(model, 0, welcome, Joined("Ann", 3, 1))
    assert "Find the teddy bear." not in [entry.text for entry in later.entries]


@pytest.mark.parametrize(
    ("things", "told"),
    [
        ((Trait.QUAFFABLE,), "something to quaff: q."),
        ((Trait.READABLE,), "something to read: r."),
        ((Trait.USABLE,), "the prize: a uses it."),
        ((Trait(0),), "i lists what you carry"),
    ],
)
def test_u4_new_verbs_are_told_once_when_there_is_something_to_use(
    things: tuple[Trait, ...], told: str
) -> None:
    carried = tuple(Carried(at, "!", "red", "thing", int(trait), 0, 0, 0) for at, trait in enumerate(things))
    model = first_life()
    for now_ms in range(10_000, 90_000, 10_000):
        model = hear(model, now_ms, view=replace(BARE, inventory=carried))
    assert len([hint for hint in hints(model) if told in hint]) == 1


def test_u4_there_are_at_most_twelve_hints_of_one_line() -> None:
    view = replace(
        BARE,
        terrain=bytes([Terrain.STAIRS_DOWN, *[Terrain.DOOR_OPEN] * (len(BARE.terrain) - 1)]),
        inventory=(
            Carried(0, "!", "red", "thing", Trait.QUAFFABLE | Trait.READABLE | Trait.USABLE, 0, 0, 0),
        ),
        spells=(Spell("heal", "heal", 1, "self", 0, 0, ""),),
        choices=("one",),
        sheet=(*BARE.sheet[: Fact.REACH], 5),
    )
    model = first_life()
    for now_ms in range(10_000, 300_000, 10_000):
        model = hear(model, now_ms, view=view, pace=HELD)
    assert 10 <= len(hints(model)) <= 12
    assert len(hints(model)) == len(set(hints(model)))
