"""Excess in a conversation: floods of frames, chat unclean or too fast, and views asked for too often."""

from typing import get_args

import pytest

from gloam_server.sessions.effects import BanForFlood, Effect, Send
from gloam_server.sessions.rate_limits import BUCKETS
from gloam_server.sessions.session import Session, State
from gloam_shared import limits
from gloam_shared.protocol.messages.chat import MapPing, SendChat, Speak, SpokenChannel
from gloam_shared.protocol.messages.login import Error
from gloam_shared.protocol.messages.play import Refresh
from gloam_shared.protocol.messages.watching import WatchLogin
from gloam_shared.protocol.registry import CLIENT_MESSAGES, FromClient, RequestLimit
from support.protocol.examples import example_of
from support.server.session_states import ends, lobby, playing, refuses

REPEATED = "No player got that: you said the same less than 50 s ago; use other words."
STILL_SHOWN = "That ping still shows; send it again when it is gone."

# Floods.


@pytest.mark.rule("A8")
def test_a_flood_is_cut_after_sixty_frames() -> None:
    """The first sixty frames of a flood are taken; the rest is dropped with one message."""
    session = playing()
    answers = [session.admit(0) for _ in range(10_000)]
    assert answers[: limits.COMMANDS_BURST] == [None] * limits.COMMANDS_BURST
    first_dropped = answers[limits.COMMANDS_BURST]
    assert first_dropped is not None
    assert refuses(first_dropped, "rate")
    assert answers[limits.COMMANDS_BURST + 1 :] == [[]] * (10_000 - limits.COMMANDS_BURST - 1)


@pytest.mark.rule("A8")
@pytest.mark.parametrize("spacing_ms", [1, 7, 16, 25])
def test_a_flood_that_lasts_ten_seconds_ends_the_line(spacing_ms: int) -> None:
    session = playing()
    began_ms: int | None = None
    for now_ms in range(0, 40_000, spacing_ms):
        refusal = session.admit(now_ms)
        if refusal and began_ms is None:
            assert refuses(refusal, "rate")
            began_ms = now_ms
        elif refusal:
            assert ends(refusal, "rate")
            assert began_ms is not None
            assert 10_000 <= now_ms - began_ms <= 10_200
            return
    raise AssertionError("the flood went on and on")


@pytest.mark.rule("A8")
def test_bursts_quiet_between_no_lasting_flood() -> None:
    """Bursts with quiet between them are no lasting flood."""
    session = playing()
    for burst in range(6):
        answers = [session.admit(burst * 5_000) for _ in range(100)]
        found = [refusal for refusal in answers if refusal]
        assert len(found) == 1
        assert refuses(found[0], "rate")
    assert session.state is State.PLAYING


@pytest.mark.rule("A82")
@pytest.mark.parametrize(
    ("kind", "limit"), [(kind, row.limit) for kind, row in CLIENT_MESSAGES.items() if row.limit]
)
def test_a_request_has_the_limit_of_its_bucket(kind: type[FromClient], limit: RequestLimit) -> None:
    """bounds: MAP_REQUESTS_BURST, MAP_REQUESTS_PER_S, HISTORY_REQUESTS_BURST, HISTORY_REQUESTS_PER_S, CHRONICLE_REQUESTS_BURST, LIVES_BURST."""
    per_s, burst = BUCKETS[limit]
    session, request = playing(), example_of(kind)
    if CLIENT_MESSAGES[kind].phases == {"watching"}:
        session = lobby()
        session.receive(WatchLogin("Ann", b"t" * limits.TOKEN_SIZE), 0)
        session.login_checked(None)
    for now_ms, allowed in ((0, burst), (1_000, per_s), (100_000, burst)):
        effects = [session.receive(request, now_ms) for _ in range(burst + 5)]
        assert [each == [request] for each in effects] == [True] * allowed + [False] * (burst + 5 - allowed)
        assert refuses(effects[-1], "slow")


def test_thirty_frames_second_no_flood_and_more() -> None:
    """bound: COMMANDS_PER_S."""
    for count, errors in ((29, 0), (30, 0), (31, 1)):
        session = playing()
        assert all(session.admit(0) is None for _ in range(limits.COMMANDS_BURST))
        assert len([refusal for _ in range(count) if (refusal := session.admit(1_000))]) == errors


def test_thirty_frames_a_second_may_go_on_for_ever() -> None:
    session = playing()
    assert all(session.admit(number * 34) is None for number in range(3_000))


# Chat.


@pytest.mark.rule("A47", "A48", "A49", "A50", "A53")
@pytest.mark.parametrize(
    ("said", "spoken"),
    [
        ("hello", "hello"),
        ("\x1b[2Jhello", "[2Jhello"),
        ("\x1b]52;c;aGk=\x07hi", "]52;c;aGk=hi"),
        ("a\x9b31mb\x90c", "a31mbc"),
        ("a\x08\x7fb\0c", "abc"),
        ("a\tb\r\nc", "a b  c"),
        ("a\u202eb\u200bc\U000e0041d\ufe0fe\ue000f", "abcdef"),
        ("e" + "\u0301" * 40, "\u00e9"),
        ("q" + "\u0301" * 40, "q"),
        ("\u4f60\u597d", "\u4f60\u597d"),
        ("*** Server: give me {0.__class__} %s", "*** Server: give me {0.__class__} %s"),
    ],
)
def test_only_what_is_safe_and_one_cell_wide_is_spoken(said: str, spoken: str) -> None:
    assert playing().receive(SendChat(said), 0)[:1] == [SendChat(spoken)]
    for channel in get_args(SpokenChannel):
        assert playing().receive(Speak(channel, said, "Bert"), 0)[:1] == [Speak(channel, spoken, "Bert")]


@pytest.mark.rule("A47")
@pytest.mark.parametrize("said", ["", "   ", "\x1b\x07\0", "\u202e\u200b", "\r\n"])
def test_a_line_of_which_nothing_is_left_is_dropped(said: str) -> None:
    assert playing().receive(SendChat(said), 0) == playing().receive(Speak("emote", said), 0) == []


@pytest.mark.rule("A51")
@pytest.mark.parametrize(("cells", "taken"), [(199, True), (200, True), (201, False)])
def test_a_line_has_at_most_200_cells(cells: int, taken: bool) -> None:
    """bound: CHAT_CELLS_MAX."""
    for words in (SendChat("x" * cells), Speak("party", "x" * cells)):
        effects = playing().receive(words, 0)
        assert effects == [words] if taken else refuses(effects, "length")


@pytest.mark.rule("A51")
@pytest.mark.parametrize(
    ("words", "taken"),
    [
        ("漢" * 100, True),
        ("漢" * 101, False),
        ("😀" * 100, True),
        ("x\u0301\u0302" * 160, True),
        ("x\u0301\u0302" * 161, False),
    ],
)
def test_a_line_has_at_most_200_cells_and_800_bytes(words: str, *, taken: bool) -> None:
    """bound: CHAT_BYTES_MAX."""
    effects = playing().receive(SendChat(words), 0)
    assert effects == [SendChat(words)] if taken else refuses(effects, "length")


@pytest.mark.rule("A50")
@pytest.mark.parametrize("lost", ["☰", "\ue000 x", "🇩"])
def test_a_speaker_reads_once_that_signs_are_lost(lost: str) -> None:
    session = playing()
    assert session.receive(SendChat("漢字 “ja” 😀 ตั้ง"), 0) == [SendChat("漢字 “ja” 😀 ตั้ง")]
    first, second = session.receive(SendChat(f"a {lost}"), 1), session.receive(Speak("party", f"b {lost}"), 2)
    assert [len(first), len(second)] == [2, 1]
    assert "a sign that terminals do not agree on" in str(first[1])


@pytest.mark.rule("A51")
def test_the_cells_that_are_shown_are_counted() -> None:
    assert playing().receive(SendChat("x" * 200 + "\u200b" * 50), 0) == [SendChat("x" * 200)]


def test_the_same_words_to_another_are_no_repeat() -> None:
    session = playing()
    for words in (SendChat("yes"), Speak("whisper", "yes", "Anna"), Speak("whisper", "yes", "Bert")):
        assert session.receive(words, 0) == [words]
    assert session.receive(Speak("whisper", "yes", "anna"), 0) == [Send(Error("slow", REPEATED))]
    assert session.receive(Speak("say", "yes"), 0) == [Send(Error("slow", REPEATED))]


def say(session: Session, number: int, now_ms: int) -> list[Effect]:
    return session.receive(SendChat(f"line {number}"), now_ms)


@pytest.mark.rule("A51")
def test_five_lines_at_once_and_then_one_a_second() -> None:
    """bounds: CHAT_BURST, CHAT_PER_S."""
    session = playing()
    for number in range(5):
        assert say(session, number, 0) == [SendChat(f"line {number}")]
    assert refuses(say(session, 5, 999), "slow")
    assert say(session, 6, 1_000) == [SendChat("line 6")]
    assert refuses(say(session, 7, 1_000), "slow")


@pytest.mark.rule("A51")
def test_the_ninth_line_in_ten_seconds_is_refused() -> None:
    """bound: CHAT_SAID_MAX."""
    session = playing()
    for number in range(8):
        assert say(session, number, number * 1_100) == [SendChat(f"line {number}")]
    assert refuses(say(session, 8, 9_999), "slow")
    assert say(session, 9, 10_000) == [SendChat("line 9")]


@pytest.mark.rule("A51")
def test_calls_count_as_lines() -> None:
    session = playing()
    for cell in range(5):
        assert session.receive(MapPing("danger", 1, cell), 0) == [MapPing("danger", 1, cell)]
    assert refuses(session.receive(MapPing("danger", 1, 5), 0), "slow")
    assert refuses(say(session, 5, 0), "slow")


@pytest.mark.rule("A51")
def test_same_call_dropped_long_shown() -> None:
    """bound: CALL_SHOWN_S."""
    session, come = playing(), MapPing("come", 2, 77)
    assert session.receive(MapPing("come", 2, 77), 0) == [come]
    assert session.receive(MapPing("come", 2, 77), 19_999) == [Send(Error("slow", STILL_SHOWN))]
    assert session.receive(MapPing("come", 2, 77), 20_000) == [come]
    assert session.receive(MapPing("come", 2, 78), 20_001) == [MapPing("come", 2, 78)]
    assert session.receive(SendChat("come 2 79"), 22_000) == [SendChat("come 2 79")]
    assert session.receive(MapPing("come", 2, 79), 22_001) == [MapPing("come", 2, 79)]


@pytest.mark.rule("A51")
def test_same_line_twice_fifty_seconds_dropped() -> None:
    """bound: CHAT_SAME_S."""
    session = playing()
    assert session.receive(SendChat("hello"), 0) == [SendChat("hello")]
    assert session.receive(SendChat("hello "), 20_000) == [Send(Error("slow", REPEATED))]
    assert session.receive(SendChat("hello!"), 20_000) == [SendChat("hello!")]
    assert session.receive(SendChat("hello"), 49_999) == [Send(Error("slow", REPEATED))]
    assert session.receive(SendChat("hello"), 50_000) == [SendChat("hello")]


@pytest.mark.rule("A51")
@pytest.mark.parametrize("different", [True, False])
def test_fifty_lines_in_ten_seconds_end_the_line(different: bool) -> None:
    """bound: CHAT_TRIED_MAX."""
    session = playing()
    for number in range(49):
        say(session, number if different else 0, number * 200)
    assert session.state is State.PLAYING
    effects = say(session, 50, 9_800)
    assert effects[0] == BanForFlood()
    assert ends(effects[1:], "slow")


def test_a_line_that_was_too_fast_may_be_said_later() -> None:
    session = playing()
    for number in range(6):
        say(session, number, 0)
    assert say(session, 5, 2_000) == [SendChat("line 5")]


# Asking again.


@pytest.mark.rule("A37")
def test_whole_view_asked_two_seconds() -> None:
    """bound: REFRESH_S."""
    session = playing()
    asked = [session.receive(Refresh(), now_ms) for now_ms in (0, 1, 1_999, 2_000, 2_001, 4_000)]
    assert asked == [[Refresh()], [], [], [Refresh()], [], [Refresh()]]
