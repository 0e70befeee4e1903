"""Foes that enter view are announced in the log, after any command; the server's reason does not say it again."""

import pytest
from msgspec.structs import replace

from gloam_client.state import client_events
from gloam_client.state.model import Model
from gloam_client.update import update
from gloam_shared.protocol import commands
from gloam_shared.protocol.messages.login import Joined
from gloam_shared.protocol.messages.play import Answer, Update
from gloam_shared.view.view import Creature, CreatureFlag, Friend, View
from support.client.fake_server import level_view
from support.client.model_in_play import heard, playing, press

HERE = level_view()
KOBOLD = Creature(20, HERE.cell + 2, 6, 6, 3, CreatureFlag.HOSTILE, "k", "red", "kobold", 30, 0)
BESET = replace(HERE, creatures=(*HERE.creatures, KOBOLD))
STEP = commands.Move(1, 0)
LINE = "A kobold comes into view, level 3, dangerous."


def stepped(
    model: Model, view: View, *messages: Answer | Joined, command: commands.AnyCommand = STEP
) -> Model:
    model, _ = update(model, client_events.CommandSent(command, 0), 0)
    return update(model, heard(*messages, view=view), 0)[0]


def lines(model: Model) -> list[str]:
    return [entry.text for entry in model.messages.entries if "into view" in entry.text]


@pytest.mark.parametrize(
    "command",
    [
        STEP,
        commands.Run(1, 0),
        commands.Fight(),
        commands.Wait(),
        commands.Explore(),
        commands.Travel(HERE.cell + 1),
        commands.Climb(down=True),
        commands.PickUp(),
    ],
    ids=lambda command: type(command).__name__,
)
def test_whatever_player_new_foe_announced_once(command: commands.AnyCommand) -> None:
    """After any command a new foe is announced once."""
    model = stepped(playing(HERE), BESET, command=command)
    assert lines(model) == [LINE]
    assert model.messages.entries[-1].tone == "urgent"
    assert lines(stepped(model, replace(BESET, terrain=BESET.terrain))) == [LINE]


@pytest.mark.parametrize(("waits", "expected"), [(18, [LINE]), (19, [LINE, LINE])])
def test_turns_in_which_nothing_changes_count_as_well(waits: int, expected: list[str]) -> None:
    """A player who waits hears of a foe again that was gone for 20 turns, though nothing changed after the turn in which it went."""
    model = stepped(stepped(playing(HERE), BESET), HERE)
    for number in range(1, waits + 1):
        model, _ = update(model, client_events.CommandSent(commands.Wait(), 0), 0)
        model, _ = update(model, heard(Update((), number), view=model.view), 0)
    assert lines(stepped(model, replace(BESET, terrain=bytes(BESET.terrain)))) == expected


def test_a_refused_command_is_no_turn() -> None:
    """A player who walks into a wall for long hears of no foe again that was out of sight for no turn."""
    model = stepped(stepped(playing(HERE), BESET), HERE)
    for _ in range(30):
        model, _ = update(model, client_events.CommandSent(STEP, 0), 0)
        model, _ = update(model, heard(Answer(1, "cannot", "A wall."), view=model.view), 0)
    assert lines(stepped(model, replace(BESET, terrain=bytes(BESET.terrain)))) == [LINE]


def test_news_of_the_party_alone_is_no_turn() -> None:
    """News of friends elsewhere changes the view, and no turn of the player's own has passed."""
    model = stepped(playing(HERE), BESET)
    for level in range(1, 30):
        away = replace(HERE, party=(*HERE.party, Friend("Bert", 2, level, 4, CreatureFlag.PLAYER)))
        model, _ = update(model, heard(view=away), 0)
    assert lines(stepped(model, replace(BESET, terrain=bytes(BESET.terrain)))) == [LINE]


def test_the_reason_of_a_plan_does_not_say_it_again() -> None:
    reason = Answer(1, "foe", "A kobold comes into view.")
    assert lines(stepped(playing(HERE), BESET, reason)) == [LINE]
    model = stepped(stepped(playing(HERE), BESET), HERE)
    again = stepped(model, replace(BESET, terrain=BESET.terrain), reason)
    assert lines(again) == [LINE, "A kobold comes into view."], (
        "it was announced too long ago to stand for the reason"
    )


def test_nor_does_it_after_a_view_in_between() -> None:
    model = stepped(playing(HERE), BESET)
    struck = replace(BESET, terrain=bytes(BESET.terrain))
    model, _ = update(model, heard(view=struck), 0)
    reason = Answer(1, "foe", "A kobold comes into view.")
    assert lines(update(model, heard(reason, view=struck), 0)[0]) == [LINE]


def test_the_reason_before_the_view_is_not_said_twice() -> None:
    """The answer to a plan may arrive before the update of its last step."""
    reason = Answer(1, "foe", "A kobold comes into view.")
    model = update(playing(HERE), heard(reason, view=HERE), 0)[0]
    assert lines(model) == ["A kobold comes into view."]
    assert lines(update(model, heard(view=BESET), 0)[0]) == [LINE]


def test_cut_announces_nothing_and_new_life() -> None:
    """A cut announces nothing again and a new life does."""
    model = stepped(playing(HERE), BESET)
    model, _ = update(model, client_events.ConnectionLost("gone", 0, 0), 0)
    back = stepped(model, replace(BESET, terrain=BESET.terrain), Joined("Ann", 1, 1))
    assert lines(back) == [LINE]
    reborn = stepped(back, replace(BESET, terrain=bytes(BESET.terrain)), Joined("Ann", 1, 2))
    assert lines(reborn) == [LINE, LINE]
    assert press(reborn, "m")[0].top.state == "history"


def test_a_foe_that_has_grown_is_announced_as_one() -> None:
    grown = replace(KOBOLD, grown=2, marks=CreatureFlag.HOSTILE | CreatureFlag.GROWN)
    model = stepped(playing(HERE), replace(BESET, creatures=(*HERE.creatures, grown)))
    assert lines(model) == ["A kobold comes into view, level 3, dangerous, grown by 2 levels."]


def test_a_foe_with_a_name_is_announced_by_it() -> None:
    named = replace(KOBOLD, name="Skarn the kobold", grown=1, marks=CreatureFlag.HOSTILE | CreatureFlag.NAMED)
    model = stepped(playing(HERE), replace(BESET, creatures=(*HERE.creatures, named)))
    assert lines(model) == ["Skarn the kobold comes into view, level 3, dangerous, grown by 1 level."]
