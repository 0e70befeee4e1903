"""A replay forwards, backwards, by turn and by event."""

from pathlib import Path

import pytest

from gloam_client.playback import _KEYFRAME_EVERY, Playback
from gloam_client.render.damage_summary import damage_summary, summary_words
from gloam_client.replays.replay_file import DAMAGED, ReplayStep, load_replay
from gloam_client.state.options import DEFAULTS
from gloam_shared.protocol.messages.login import Joined, Welcome
from gloam_shared.protocol.messages.play import Update
from gloam_shared.view.view import Stat, View
from support.client.recorded_life import recorded_life


@pytest.fixture
def steps(tmp_path: Path) -> list[ReplayStep]:
    path = tmp_path / "life"
    path.write_bytes(recorded_life())
    return load_replay(path).steps


def playback(steps: list[ReplayStep]) -> Playback:
    return Playback(steps, DEFAULTS, (80, 24))


def straight(steps: list[ReplayStep]) -> list[tuple[int, View]]:
    """Return the turn and the view after each step, played without a jump."""
    played = playback(steps)
    seen = []
    while not played.ended:
        played.forward()
        seen.append((played.turn, played.model.view))
    return seen


def test_playing_on_ends_with_the_death(steps: list[ReplayStep]) -> None:
    seen = straight(steps)
    played = playback(steps)
    played.read_ahead(10**9)
    played.show_turn(10**9)
    assert played.ended
    assert played.model.dead
    assert (played.turn, played.model.view) == seen[-1]
    assert played.turns == seen[-1][0] > 20


def test_sums_of_damage_are_true_after_jumps(steps: list[ReplayStep]) -> None:
    """Lost health is never more than what is missing, and the sums are the same as when playing on."""
    played, sums = playback(steps), dict[int, tuple[int, str]]()

    def told() -> tuple[int, str]:
        model = played.model
        lost = model.fights.lost_since(model.turn)
        assert lost <= model.fact(Stat.HP_MAX) - max(0, model.fact(Stat.HP))
        return lost, summary_words(damage_summary(model.messages.entries, model.fights))

    while not played.ended:
        played.forward()
        sums.setdefault(played.turn, told())
    assert any(lost for lost, _ in sums.values())
    assert any(words for _, words in sums.values())
    assert sums[played.turn][1] != sums[played.turn // 2][1]
    for turn in [*range(1, played.turns), *range(played.turns - 1, 0, -7)]:
        played.show_turn(turn)
        assert told() == sums[turn], turn


def test_every_jump_shows_what_playing_on_shows(steps: list[ReplayStep]) -> None:
    """A jump to any turn, forwards or backwards, shows the same as playing up to it."""
    seen = straight(steps)
    by_turn = dict(reversed(seen))
    played = playback(steps)
    played.read_ahead(10**9)
    order = list(range(1, played.turns)) + list(range(played.turns - 1, 0, -3)) + [7, 1, 20, 2]
    for turn in order:
        played.show_turn(turn)
        assert played.turn == turn
        assert played.model.view == by_turn[turn]
    played.show_turn(-5)
    assert played.turn == 1


def test_jump_over_keyframes_is_the_same(steps: list[ReplayStep]) -> None:
    """The life again and again, so that it is longer than several keyframes."""
    long = steps * (3 * _KEYFRAME_EVERY // len(steps) + 2)
    seen = straight(long)
    played = playback(long)
    played.read_ahead(10**9)
    for step in (
        3 * _KEYFRAME_EVERY,
        5,
        2 * _KEYFRAME_EVERY + 1,
        _KEYFRAME_EVERY,
        _KEYFRAME_EVERY - 1,
        len(long),
    ):
        played._show_step(step)
        assert (played.turn, played.model.view) == seen[step - 1]


def test_events_are_found_both_ways(steps: list[ReplayStep]) -> None:
    played = playback(steps)
    played.read_ahead(10**9)
    assert "was killed by an ogre" in [each.words for each in played.events]
    assert played.event == ""
    while played.show_event(following=True):
        assert played.event
    assert played.event == "was killed by an ogre"
    last = played.turn
    assert played.show_event(following=False) == (len(played.events) > 1)
    assert played.turn <= last


def test_steps_that_break_the_protocol_end_it(steps: list[ReplayStep]) -> None:
    from gloam_shared.view.changes import Returned

    broken = ReplayStep(steps[-1].at_ms, False, (Update((Returned((9_999, 1)),)),))
    played = playback([*steps[:-3], broken, *steps[-3:]])
    played.read_ahead(10**9)
    assert played.fault == DAMAGED
    played.show_turn(10**9)
    assert played.ended


def test_story_of_a_first_life_does_not_stay(steps: list[ReplayStep]) -> None:
    begins = ReplayStep(0, False, (Welcome(2, "Gloam", 1, 8, story="Once."), Joined("Ann", 0, 1)))
    played = playback([begins, *steps])
    played.forward()
    assert played.model.top.state == "play"
