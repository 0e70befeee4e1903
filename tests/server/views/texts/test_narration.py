"""Events as one viewer tells them, and the tail of the log that they keep."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gloam_server.views.texts.narration import append_lines, log_lines_for
from gloam_server.world.model.events import Narration
from gloam_server.world.model.inputs import LevelInput
from gloam_server.world.model.level import Level
from gloam_server.world.transition.apply import Result
from gloam_shared.event_kinds import EventKind
from gloam_shared.limits import LOG_LINES
from gloam_shared.narration.rendering import TEMPLATES, render_line
from gloam_shared.view.view import Log, LogLine
from support.scenarios.scenario import narrations
from support.world.random_level import Step, cave, play, seeds, steps

ANN, BERT, KOBOLD = 1, 2, 3
BLOW = Narration("strikes", 5, ANN, "Ann", KOBOLD, "kobold", amount=4, witnesses=(ANN, BERT))
BITE = Narration("strikes", 5, KOBOLD, "kobold", ANN, "Ann", amount=2, witnesses=(ANN, BERT))


def said(event: Narration, viewer: int) -> str | None:
    line = log_lines_for(event, viewer)
    return None if line is None else render_line(line)


@pytest.mark.rule("JG.5")
@pytest.mark.parametrize(
    ("event", "viewer", "words"),
    [
        (BLOW, ANN, "You strike the kobold for 4 damage!"),
        (BLOW, BERT, "Ann strikes the kobold for 4 damage."),
        (BITE, ANN, "The kobold strikes you for 2 damage!"),
        (BITE, BERT, "The kobold strikes Ann for 2 damage."),
    ],
)
def test_a_blow_is_worded_for_its_viewer(event: Narration, viewer: int, words: str) -> None:
    assert said(event, viewer) == words


def test_players_out_of_sight_get_no_line() -> None:
    assert log_lines_for(BLOW, 99) is None


@pytest.mark.rule("J14.1", "J14.2", "J14.3", "J14.4", "J14.5", "J14.6", "J14.7", "J7.14")
@pytest.mark.parametrize(
    ("kind", "amount", "words"),
    [
        ("advances", 3, "You advance to level 3."),
        ("stronger", 0, "You feel stronger!"),
        ("tougher", 0, "You feel tougher!"),
        ("healthier", 0, "You feel healthier!"),
        ("aware", 0, "You are more aware of your surroundings!"),
        ("descends", 2, "You descend to level 2!"),
        ("ascends", 1, "You ascend to level 1!"),
    ],
)
def test_the_words_of_the_original(kind: EventKind, amount: int, words: str) -> None:
    assert said(Narration(kind, 1, ANN, "Ann", amount=amount, witnesses=(ANN,)), ANN) == words


@pytest.mark.rule("J14.8")
@pytest.mark.parametrize(
    ("kind", "words"),
    [
        ("stronger", "The bat looks stronger."),
        ("advances", "The bat advances to level 3."),
        ("spreads", "The bat is spreading!"),
    ],
)
def test_monster_growth_is_shown_to_who_sees_it(kind: EventKind, words: str) -> None:
    assert said(Narration(kind, 1, KOBOLD, "bat", amount=3, witnesses=(ANN,)), ANN) == words


@pytest.mark.parametrize(
    ("kind", "words"),
    [("arrives", "Ann arrives."), ("removed", "Ann vanishes.")],
)
def test_coming_and_going_is_shown_to_others_alone(kind: EventKind, words: str) -> None:
    event = Narration(kind, 1, ANN, "Ann", witnesses=(ANN, BERT))
    assert log_lines_for(event, ANN) is None
    assert said(event, BERT) == words


def test_an_owner_reads_no_arrival_of_a_companion() -> None:
    event = Narration("arrives", 1, KOBOLD, "wolf", ANN, "Ann", witnesses=(ANN, BERT))
    assert log_lines_for(event, ANN) is None
    assert said(event, BERT) == "The wolf arrives."


def test_why_somebody_is_on_guard_is_his_own_affair() -> None:
    event = Narration("guards", 1, ANN, "Ann", source="There is no way through.", witnesses=(ANN, BERT))
    assert said(event, ANN) == "You are on guard: There is no way through."
    assert log_lines_for(event, BERT) is None


def test_a_swap_is_shown_to_the_two_alone() -> None:
    event = Narration("swaps", 1, ANN, "Ann", BERT, "Bert", witnesses=(ANN, BERT, 9))
    assert said(event, ANN) == "You change places with Bert."
    assert said(event, BERT) == "Ann changes places with you."
    assert log_lines_for(event, 9) is None


@given(seeds, steps)
def test_every_line_that_play_leads_to_says_something(seed: int, course: list[Step]) -> None:
    def look(level: Level, _input: LevelInput, result: Result) -> None:
        for body in level.players():
            for event in narrations(result.events):
                line = log_lines_for(event, body.number)
                if line is not None:
                    assert line.kind in TEMPLATES
                    assert render_line(line).strip()

    play(cave(seed), course, look)


@given(seeds, steps)
def test_the_log_names_players_only_by_name(seed: int, course: list[Step]) -> None:
    def look(_level: Level, _input: LevelInput, result: Result) -> None:
        for event in narrations(result.events):
            for viewer in event.witnesses:
                line = log_lines_for(event, viewer)
                if line is not None:
                    assert {line.subject, line.object} <= {"", "you", event.actor_name, event.target_name}

    play(cave(seed), course, look)


def lines(count: int, first: int = 0) -> list[LogLine]:
    return [LogLine("digs", "you", amount=first + number) for number in range(count)]


@pytest.mark.parametrize(
    ("count", "first", "kept"),
    [(LOG_LINES - 1, 0, LOG_LINES - 1), (LOG_LINES, 0, LOG_LINES), (LOG_LINES + 1, 1, LOG_LINES)],
)
def test_the_log_keeps_no_more_than_its_bound(count: int, first: int, kept: int) -> None:
    log = append_lines(Log(), lines(count))
    assert (log.first, len(log.lines)) == (first, kept)


@given(st.lists(st.integers(0, 2 * LOG_LINES), max_size=12))
def test_lines_keep_their_numbers(batches: list[int]) -> None:
    log, line_count = Log(), 0
    for count in batches:
        before = log.first
        log = append_lines(log, lines(count, line_count))
        line_count += count
        assert log.first >= before
        assert log.first + len(log.lines) == line_count
        assert [line.amount for line in log.lines] == list(range(log.first, line_count))
