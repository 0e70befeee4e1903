"""The goal line, the three small goals of a first life, and the tip in an empty log."""

from pathlib import Path

import pytest
from msgspec import structs
from msgspec.structs import replace

from gloam_client.screens.play import Play
from gloam_client.state import client_events
from gloam_client.state.guidance import tips
from gloam_client.state.guidance.goals import SMALL_GOALS, goal_line
from gloam_client.state.model import Model
from gloam_client.state.options import Options
from gloam_client.state.records import Guidance, Guide
from gloam_client.update import update
from gloam_shared.appearance import Terrain
from gloam_shared.protocol.messages.login import Joined, Welcome
from gloam_shared.view.view import Friend, InventoryItem, ItemFlag, Log, LogLine, MagicEffect, Stat, View
from support.client.fake_server import level_view
from support.client.model_in_play import heard, picture, playing, press

BARE = replace(level_view(), terrain=bytes(len(level_view().terrain)))
WELCOME = Welcome(1, "The Gloam", 0, 8, goal="Kill the Gloam on depth 27")


def first_life(options: Options | None = None, **known: frozenset[str]) -> Model:
    model = Model(screens=(Play(),), name="Ann", options=options or Options(), guidance=Guidance(given=known))
    model, _ = update(model, client_events.JoinStarted("Ann", "here"), 0)
    return update(model, heard(WELCOME, Joined("Ann", 0, 1), view=BARE), 0)[0]


def seen(model: Model, view: View) -> Model:
    return update(model, heard(view=view), 0)[0]


def with_kill(view: View) -> View:
    return replace(view, sheet=(*view.sheet[: Stat.KILLS], 1, *view.sheet[Stat.KILLS + 1 :]))


@pytest.mark.parametrize("size", [(44, 20), (60, 20), (80, 24), (120, 40), (200, 60)])
def test_one_goal_line_stands_at_all_times(size: tuple[int, int]) -> None:
    """The goal stays in sight in every window, also below a list: U53."""
    model = structs.replace(base := first_life(), surface=structs.replace(base.surface, size=size))
    for keys in ((), ("i",), ("?",), ("ENTER",), ("m",), (":",), ("x",)):
        screen = picture(press(model, *keys)[0])
        assert "Goal 1 of 3: find stairs down; o explores" in screen.split("\n")[1]


def test_three_small_goals_follow_each_other() -> None:
    """Each small goal is noted when the view shows it, in any order, and then the campaign's goal stands there: U53."""
    model = seen(first_life(), with_kill(BARE))
    assert model.messages.entries[-1].text == "Goal 2 of 3 reached: you have won a fight."
    assert goal_line(model) == "Goal 1 of 3: find stairs down; o explores"
    stairs = replace(with_kill(BARE), terrain=bytes([Terrain.STAIRS_DOWN, *BARE.terrain[1:]]))
    model = seen(model, stairs)
    assert goal_line(model) == "Goal 3 of 3: use something you carry; i lists it"
    model = seen(model, replace(stairs, log=Log(1, (LogLine("quaffs", "you", "potion"),))))
    assert goal_line(model) == "Goal: reach depth 2; at last: kill the Gloam on depth 27"
    assert len([entry for entry in model.messages.entries if " of 3 reached: " in entry.text]) == len(
        SMALL_GOALS
    )


def test_a_goal_keeps_its_number_in_any_order() -> None:
    """A goal that is reached before the first leaves the first its number, and is itself named by its own."""
    used = replace(BARE, log=Log(1, (LogLine("wields", "you", "club"),)))
    model = seen(first_life(), used)
    assert model.messages.entries[-1].text == "Goal 3 of 3 reached: you have used an item."
    assert goal_line(model) == "Goal 1 of 3: find stairs down; o explores"
    assert goal_line(seen(model, with_kill(used))) == "Goal 1 of 3: find stairs down; o explores"


def below(depth: int) -> View:
    return replace(level_view(), place=replace(BARE.place, depth=depth))


@pytest.mark.parametrize(
    ("depth", "words"),
    [
        (1, "Goal: reach depth 2; at last: kill the Gloam on depth 27"),
        (2, "Goal: reach depth 5; at last: kill the Gloam on depth 27"),
        (5, "Goal: reach depth 10; at last: kill the Gloam on depth 27"),
        (26, "Goal: reach depth 27; at last: kill the Gloam on depth 27"),
        (27, "Goal: Kill the Gloam on depth 27"),
        (31, "Goal: Kill the Gloam on depth 27"),
    ],
)
def test_a_next_depth_is_named_on_the_way(depth: int, words: str) -> None:
    """After the small goals a goal within reach stands there at any depth; its words are true."""
    base = playing(below(depth))
    assert (
        goal_line(
            structs.replace(
                base,
                guidance=structs.replace(base.guidance, guide=Guide("Kill the Gloam on depth 27")),
            )
        )
        == words
    )


def test_choices_and_books_come_before_depths() -> None:
    goal = Guide("Kill the Gloam on depth 27")
    book = InventoryItem(0, "+", "red", "book of fire", 64, 0, 0, 0, effect=MagicEffect.LEARN)
    reads = replace(below(3), inventory=(book,))
    base = playing(reads)
    assert goal_line(structs.replace(base, guidance=structs.replace(base.guidance, guide=goal))).startswith(
        "Goal: read the book of fire (r); at last:"
    )
    chooses = replace(reads, choices=("health",))
    base = playing(chooses)
    assert goal_line(structs.replace(base, guidance=structs.replace(base.guidance, guide=goal))).startswith(
        "Goal: choose what your level brings (+); "
    )


def test_a_friends_deed_is_not_the_players() -> None:
    model = seen(first_life(), replace(BARE, log=Log(1, (LogLine("quaffs", "Bert", "potion"),))))
    assert "goal-use" not in (model.guidance.advice or ())


def test_small_goals_are_set_once_for_a_player() -> None:
    """Goals reached in an earlier run, another campaign, or without hints are not set again."""
    reached = frozenset(goal.word for goal in SMALL_GOALS)
    for model in (first_life(ann=reached), first_life(Options(hints="off")), playing(BARE)):
        assert "of 3" not in goal_line(model)
    assert (
        goal_line(playing(BARE)) == "Goal: reach level 2; at last: go deeper, and come to know this dungeon"
    )


@pytest.mark.parametrize(
    ("traits", "words"),
    [
        (ItemFlag.PRIZE | ItemFlag.USABLE, "Goal: use the present; a uses it"),
        (ItemFlag.PRIZE, "Goal: bring the present out by the way you came in"),
    ],
)
def test_the_prize_in_hand_changes_the_goal(traits: ItemFlag, words: str) -> None:
    prize = InventoryItem(0, "&", "red", "present", int(traits), 0, 0, 0)
    assert goal_line(playing(replace(BARE, inventory=(prize,)))) == words


def test_a_tip_stands_in_the_empty_log_only() -> None:
    """The tip uses the player's keys, and gives way to the first lines that need its room: U64."""
    model = structs.replace(
        base := first_life(),
        guidance=structs.replace(base.guidance, guide=Guide(session=0)),
        messages=structs.replace(base.messages, entries=()),
        surface=structs.replace(base.surface, size=(120, 40)),
    )
    assert "Tip: x describes what you see" in picture(model)
    full = structs.replace(
        model,
        messages=structs.replace(
            model.messages,
            entries=tuple(entry for at in range(40) for entry in first_life().messages.entries),
        ),
    )
    assert "Tip:" not in picture(full)
    for silent in (
        structs.replace(model, options=Options(hints="off")),
        structs.replace(model, guidance=structs.replace(model.guidance, guide=Guide())),
    ):
        assert "Tip:" not in picture(silent)


def test_no_tip_comes_twice_in_ten_sessions(tmp_path: Path) -> None:
    """With any first tip, ten sessions in a row bring ten tips: U64."""
    model = first_life()
    shown = [
        tips.tip(
            structs.replace(
                model,
                guidance=structs.replace(model.guidance, guide=Guide(session=tips.next_session(tmp_path))),
            )
        )
        for _ in range(40)
    ]
    assert all(len(set(shown[at : at + 10])) == 10 for at in range(31))
    assert len(set(shown)) == len(tips.TIPS)


def test_a_lone_player_reads_no_tip_about_friends() -> None:
    """Each such tip has another in its place, so that no tip is repeated in ten sessions."""
    alone = first_life()
    friend = Friend("Bob", 1, 1, 4, 0)
    together = structs.replace(alone, view=replace(alone.view, party=(*alone.view.party, friend)))

    def shown(model: Model) -> list[str]:
        return [
            tips.tip(
                structs.replace(model, guidance=structs.replace(model.guidance, guide=Guide(session=session)))
            )
            for session in range(len(tips.TIPS))
        ]

    assert sum("friend" in words for words in shown(together)) == 2
    assert not any("friend" in words for words in shown(alone))
    assert len(set(shown(alone))) == len(tips.TIPS)


@pytest.mark.parametrize("words", [b"\xff\x00", b"", b"x", b"9" * 90])
def test_a_broken_file_of_tips_is_no_fault(tmp_path: Path, words: bytes) -> None:
    (tmp_path / tips.FILE).write_bytes(words)
    assert 0 <= tips.next_session(tmp_path) < len(tips.TIPS)
    assert 0 <= tips.next_session(tmp_path / "none") < len(tips.TIPS)


@pytest.mark.parametrize("keys", ["vi", "wasd"])
def test_every_tip_has_its_keys_and_fits_a_line(keys: str) -> None:
    model = structs.replace(first_life(Options(keys=keys)))
    for session in range(len(tips.TIPS)):
        words = tips.tip(
            structs.replace(model, guidance=structs.replace(model.guidance, guide=Guide(session=session)))
        )
        assert "{" not in words
        assert len(words) <= 100
