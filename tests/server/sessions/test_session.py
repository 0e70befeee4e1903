"""Playbooks: what a conversation answers to each message in each state, and what time alone brings about."""

import pytest

from gloam_server.sessions.effects import (
    Acknowledged,
    BeginLife,
    CheckLogin,
    CheckResume,
    Close,
    Effect,
    LogOut,
    MarkAway,
    Resend,
    Send,
    ShutOut,
    Speak,
    Submit,
    TellMemory,
    TellStatus,
    Think,
)
from gloam_server.sessions.session import Session, State
from gloam_shared import limits
from gloam_shared.codec import Malformed
from gloam_shared.commands import Move, Wait
from gloam_shared.messages import (
    PROTOCOL_VERSION,
    Ack,
    AskStatus,
    Away,
    Bye,
    Do,
    Error,
    FromClient,
    Goodbye,
    Hello,
    Joined,
    Login,
    NewLife,
    Ping,
    Pong,
    Recall,
    Refresh,
    Resume,
    Say,
    Thinking,
    Welcome,
)

TOKEN = bytes(32)
HELLO = Hello(PROTOCOL_VERSION, "test")
LOGIN = Login("Ann", TOKEN)
RESUME = Resume("Ann", TOKEN)
GREETING = Welcome(PROTOCOL_VERSION, "The Arena", 2, 64, "A tale.")
WELCOME = Send(GREETING)
CHECK = CheckLogin("Ann", TOKEN)
IN_PLAY: tuple[FromClient, ...] = (
    Do(1, 0, Wait()),
    Ack(0),
    Say("hello"),
    Thinking(),
    Recall(1),
    Refresh(),
    NewLife(1),
    Pong(1),
    Away(),
    Goodbye(),
)

Playbook = list[tuple[FromClient, list[Effect]]]


def new(now_ms: int = 0) -> Session:
    return Session(now_ms, GREETING)


def lobby(now_ms: int = 0) -> Session:
    session = new(now_ms)
    session.receive(HELLO, now_ms)
    return session


def playing(now_ms: int = 0) -> Session:
    session = lobby(now_ms)
    session.receive(LOGIN, now_ms)
    assert session.login_checked(None) == []
    return session


def perform(session: Session, playbook: Playbook) -> None:
    for message, expected in playbook:
        assert session.receive(message, 0) == expected


def ends(effects: list[Effect], code: str) -> bool:
    """Return whether this says one goodbye with a code and closes."""
    match effects:
        case [Send(Bye(told, words)), Close(at_once=False)]:
            return told == code and bool(words)
        case _:
            return False


def refuses(effects: list[Effect], code: str) -> bool:
    """Return whether this tells an error and goes on."""
    match effects:
        case [Send(Error(told, words))]:
            return told == code and bool(words)
        case _:
            return False


# The way in.


def test_hello_and_login_lead_into_the_game() -> None:
    session = new()
    states = [session.state]
    perform(session, [(HELLO, [WELCOME])])
    states.append(session.state)
    perform(session, [(LOGIN, [CHECK])])
    states.append(session.state)
    assert session.login_checked(None) == []
    states.append(session.state)
    assert states == [State.GREETING, State.LOBBY, State.LOBBY, State.PLAYING]


def test_who_has_joined_is_told_under_which_name_and_which_command_was_answered() -> None:
    assert playing().joined("Ann", 7, 3) == [Send(Joined("Ann", 7, 3))]


def test_the_status_is_told_and_the_line_closed() -> None:
    session = new()
    perform(session, [(AskStatus(), [TellStatus(), Close()]), (HELLO, []), (AskStatus(), [])])
    assert session.state is State.CLOSED


@pytest.mark.parametrize(
    ("protocol", "older"), [(PROTOCOL_VERSION - 1, "client"), (PROTOCOL_VERSION + 1, "server")]
)
def test_a21_another_protocol_is_refused_and_the_side_to_upgrade_named(protocol: int, older: str) -> None:
    session = new()
    effects = session.receive(Hello(protocol), 0)
    assert ends(effects, "version")
    assert isinstance(effects[0], Send)
    assert isinstance(effects[0].message, Bye)
    words = effects[0].message.text
    assert f"upgrade the {older}" in words
    assert f"protocol {PROTOCOL_VERSION}" in words
    assert "pip install --upgrade gloam" in words


def test_instead_of_a_login_a_cut_conversation_may_be_gone_on_with() -> None:
    session = lobby()
    perform(session, [(RESUME, [CheckResume("Ann", TOKEN)])])
    assert session.login_checked(None) == []
    assert session.state is State.PLAYING


@pytest.mark.parametrize("code", ["auth", "expired"])
def test_a28_a29_where_it_may_not_a_login_is_taken_on_the_same_line(code: str) -> None:
    session = lobby()
    session.receive(RESUME, 0)
    assert refuses(session.login_checked(Error(code, "Log in.")), code)
    perform(session, [(LOGIN, [CHECK])])
    assert session.login_checked(None) == []
    assert session.state is State.PLAYING


@pytest.mark.parametrize("message", [LOGIN, RESUME, *IN_PLAY])
def test_a19_nothing_comes_before_the_greeting(message: FromClient) -> None:
    session = new()
    assert ends(session.receive(message, 0), "state")
    assert session.state is State.CLOSED


@pytest.mark.parametrize("message", [HELLO, AskStatus(), *IN_PLAY])
def test_a19_nothing_but_a_login_comes_before_the_login(message: FromClient) -> None:
    assert ends(lobby().receive(message, 0), "state")


@pytest.mark.parametrize("first", [LOGIN, RESUME])
@pytest.mark.parametrize("message", [LOGIN, RESUME, Login("Bert", TOKEN), HELLO, *IN_PLAY])
def test_a20_while_a_login_is_checked_nothing_else_may_come(first: FromClient, message: FromClient) -> None:
    session = lobby()
    session.receive(first, 0)
    assert ends(session.receive(message, 0), "state")


@pytest.mark.parametrize("message", [LOGIN, RESUME, HELLO, AskStatus()])
def test_a20_who_plays_cannot_log_in_again(message: FromClient) -> None:
    session = playing()
    assert ends(session.receive(message, 0), "state")
    assert session.state is State.CLOSED


@pytest.mark.parametrize(
    "name", ["", "ab", "a" * 17, "admin", "SERVER", "..", "/etc/passwd", "a\0b", "Änn", "con"]
)
def test_a26_a54_a_name_that_is_not_permitted_is_refused_before_anybody_is_asked(name: str) -> None:
    session = lobby()
    assert refuses(session.receive(Login(name, TOKEN), 0), "name")
    assert session.receive(LOGIN, 0) == [CHECK], "another name may be tried on the same line"


def test_a_refused_login_ends_the_conversation_with_its_reason() -> None:
    session = lobby()
    session.receive(LOGIN, 0)
    assert session.login_checked(Error("full", "The dungeon is full.")) == [
        Send(Bye("full", "The dungeon is full.")),
        Close(),
    ]
    assert session.state is State.CLOSED


@pytest.mark.parametrize("code", ["auth", "name", "password", "wait"])
def test_a23_a26_after_a_refusal_that_can_be_answered_the_line_stays_open(code: str) -> None:
    session = lobby()
    session.receive(LOGIN, 0)
    assert refuses(session.login_checked(Error(code, "Another, please.")), code)
    assert session.receive(LOGIN, 0) == [CHECK]


def test_an_answer_to_a_login_that_comes_after_the_end_is_ignored() -> None:
    session = lobby()
    session.receive(LOGIN, 0)
    session.end("stopping", "The server stops.")
    assert session.login_checked(None) == []
    assert session.state is State.CLOSED


# In play.


def test_in_play_every_message_is_passed_on_as_an_effect() -> None:
    perform(
        playing(),
        [
            (Do(1, 0, Wait()), [Acknowledged(0), Submit(1, Wait())]),
            (Do(2, 3, Move(1, 0)), [Acknowledged(3), Submit(2, Move(1, 0))]),
            (Ack(5), [Acknowledged(5)]),
            (Say("hello"), [Speak("hello")]),
            (Thinking(), [Think()]),
            (Recall(4), [TellMemory(4)]),
            (Refresh(), [Resend()]),
            (NewLife(2), [BeginLife(2)]),
            (NewLife(2, 3), [BeginLife(2, 3)]),
            (Pong(0), []),
            (Away(), [MarkAway()]),
            (Goodbye(), [LogOut(), Send(Bye("goodbye", "Until next time.")), Close()]),
            (Do(3, 0, Wait()), []),
        ],
    )


def test_who_is_closed_answers_nothing_any_more() -> None:
    session = playing()
    session.receive(Goodbye(), 0)
    for message in (HELLO, LOGIN, AskStatus(), *IN_PLAY):
        assert session.receive(message, 0) == []
    assert session.malformed(Malformed("type", "out of shape"), 0) == []
    assert session.end("stopping", "The server stops.") == []
    assert session.tick(1_000_000) == []
    assert [session.admit(now_ms) for now_ms in range(0, 30_000, 10)] == [[]] * 3_000


def test_the_server_may_end_the_conversation() -> None:
    session = playing()
    assert ends(session.end("replaced", "A newer login took over."), "replaced")
    assert session.state is State.CLOSED


def test_frames_may_be_longer_once_one_plays() -> None:
    assert new().frame_max == lobby().frame_max == limits.FRAME_BEFORE_LOGIN_MAX
    assert playing().frame_max == limits.FRAME_FROM_CLIENT_MAX


# Faults.


@pytest.mark.parametrize("code", ["unknown", "range", "type", "depth"])
def test_before_the_login_every_fault_ends_the_line(code: str) -> None:
    for session in (new(), lobby()):
        assert ends(session.malformed(Malformed(code, "words"), 0), code)


@pytest.mark.parametrize(
    "code", ["type", "depth", "malformed", "elements", "utf8", "keys", "empty", "too-big"]
)
def test_in_play_a_broken_message_ends_the_line(code: str) -> None:
    assert ends(playing().malformed(Malformed(code, "words"), 0), code)


def test_a39_a44_a_number_out_of_range_is_refused_and_play_goes_on() -> None:
    session = playing()
    for _ in range(10):
        assert refuses(session.malformed(Malformed("range", "words"), 0), "range")
    assert session.state is State.PLAYING


def test_a18_the_third_unknown_message_within_a_minute_ends_the_line() -> None:
    session = playing()
    fault = Malformed("unknown", "words")
    assert refuses(session.malformed(fault, 0), "unknown")
    assert refuses(session.malformed(fault, 30_000), "unknown")
    assert ends(session.malformed(fault, 59_999), "unknown")


def test_a18_two_unknown_messages_a_minute_are_forgiven_for_ever() -> None:
    session = playing()
    fault = Malformed("unknown", "words")
    for minute in range(10):
        assert refuses(session.malformed(fault, minute * 60_000), "unknown")
        assert refuses(session.malformed(fault, minute * 60_000), "unknown")


# Floods.


def test_a8_the_first_sixty_frames_of_a_flood_are_taken_and_the_rest_dropped_after_one_word() -> None:
    session = playing()
    verdicts = [session.admit(0) for _ in range(10_000)]
    assert verdicts[: limits.COMMANDS_BURST] == [None] * limits.COMMANDS_BURST
    first_dropped = verdicts[limits.COMMANDS_BURST]
    assert first_dropped is not None
    assert refuses(first_dropped, "rate")
    assert verdicts[limits.COMMANDS_BURST + 1 :] == [[]] * (10_000 - limits.COMMANDS_BURST - 1)


@pytest.mark.parametrize("spacing_ms", [1, 7, 16, 25])
def test_a8_a_flood_that_lasts_ten_seconds_ends_the_line(spacing_ms: int) -> None:
    session = playing()
    began_ms: int | None = None
    for now_ms in range(0, 40_000, spacing_ms):
        verdict = session.admit(now_ms)
        if verdict and began_ms is None:
            assert refuses(verdict, "rate")
            began_ms = now_ms
        elif verdict:
            assert ends(verdict, "rate")
            assert began_ms is not None
            assert 10_000 <= now_ms - began_ms <= 10_200
            return
    raise AssertionError("the flood went on and on")


def test_a8_bursts_with_quiet_between_them_are_no_lasting_flood() -> None:
    session = playing()
    for burst in range(6):
        verdicts = [session.admit(burst * 5_000) for _ in range(100)]
        told = [verdict for verdict in verdicts if verdict]
        assert len(told) == 1
        assert refuses(told[0], "rate")
    assert session.state is State.PLAYING


def test_thirty_frames_a_second_are_no_flood_and_one_more_is() -> None:
    """bound: COMMANDS_PER_S."""
    for count, errors in ((29, 0), (30, 0), (31, 1)):
        session = playing()
        assert all(session.admit(0) is None for _ in range(limits.COMMANDS_BURST))
        assert len([verdict for _ in range(count) if (verdict := session.admit(1_000))]) == errors


def test_thirty_frames_a_second_may_go_on_for_ever() -> None:
    session = playing()
    assert all(session.admit(number * 34) is None for number in range(3_000))


# Chat.


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
        ("\u4f60\u597d", "??"),
        ("*** Server: give me {0.__class__} %s", "*** Server: give me {0.__class__} %s"),
    ],
)
def test_a47_to_a50_a53_only_what_is_safe_and_one_cell_wide_is_spoken(said: str, spoken: str) -> None:
    assert playing().receive(Say(said), 0) == [Speak(spoken)]


@pytest.mark.parametrize("said", ["", "   ", "\x1b\x07\0", "\u202e\u200b", "\r\n"])
def test_a47_a_line_of_which_nothing_is_left_is_dropped(said: str) -> None:
    assert playing().receive(Say(said), 0) == []


@pytest.mark.parametrize(("cells", "taken"), [(199, True), (200, True), (201, False)])
def test_a51_a_line_has_at_most_200_cells(cells: int, taken: bool) -> None:
    """bound: CHAT_CELLS_MAX."""
    effects = playing().receive(Say("x" * cells), 0)
    assert effects == [Speak("x" * cells)] if taken else refuses(effects, "length")


def test_a51_the_cells_that_are_shown_are_counted() -> None:
    assert playing().receive(Say("x" * 200 + "\u200b" * 50), 0) == [Speak("x" * 200)]


def say(session: Session, number: int, now_ms: int) -> list[Effect]:
    return session.receive(Say(f"line {number}"), now_ms)


def test_a51_five_lines_at_once_and_then_one_a_second() -> None:
    """bounds: CHAT_BURST, CHAT_PER_S."""
    session = playing()
    for number in range(5):
        assert say(session, number, 0) == [Speak(f"line {number}")]
    assert refuses(say(session, 5, 999), "slow")
    assert say(session, 6, 1_000) == [Speak("line 6")]
    assert refuses(say(session, 7, 1_000), "slow")


def test_a51_the_ninth_line_in_ten_seconds_is_refused() -> None:
    """bound: CHAT_SAID_MAX."""
    session = playing()
    for number in range(8):
        assert say(session, number, number * 1_100) == [Speak(f"line {number}")]
    assert refuses(say(session, 8, 9_999), "slow")
    assert say(session, 9, 10_000) == [Speak("line 9")]


def test_a51_the_same_line_twice_in_fifty_seconds_is_dropped() -> None:
    """bound: CHAT_SAME_S."""
    session = playing()
    assert session.receive(Say("hello"), 0) == [Speak("hello")]
    assert session.receive(Say("hello "), 20_000) == []
    assert session.receive(Say("hello!"), 20_000) == [Speak("hello!")]
    assert session.receive(Say("hello"), 49_999) == []
    assert session.receive(Say("hello"), 50_000) == [Speak("hello")]


@pytest.mark.parametrize("different", [True, False])
def test_a51_fifty_lines_in_ten_seconds_end_the_line(different: bool) -> None:
    """bound: CHAT_TRIED_MAX."""
    session = playing()
    for number in range(49):
        say(session, number if different else 0, number * 200)
    assert session.state is State.PLAYING
    effects = say(session, 50, 9_800)
    assert effects[0] == ShutOut()
    assert ends(effects[1:], "slow")


def test_a_line_that_was_too_fast_may_be_said_later() -> None:
    session = playing()
    for number in range(6):
        say(session, number, 0)
    assert say(session, 5, 2_000) == [Speak("line 5")]


# Asking again.


def test_a37_a_whole_view_may_be_asked_for_every_two_seconds() -> None:
    """bound: REFRESH_S."""
    session = playing()
    asked = [session.receive(Refresh(), now_ms) for now_ms in (0, 1, 1_999, 2_000, 2_001, 4_000)]
    assert asked == [[Resend()], [], [], [Resend()], [], [Resend()]]


def test_a36_acknowledgements_are_passed_on_to_the_seat_that_knows_them() -> None:
    assert playing().receive(Ack(2**31 - 1), 0) == [Acknowledged(2**31 - 1)]


# Time.


@pytest.mark.parametrize(("now_ms", "closed"), [(4_999, False), (5_000, True), (5_001, True)])
def test_a1_a_greeting_must_come_within_five_seconds(now_ms: int, closed: bool) -> None:
    """bound: HANDSHAKE_S."""
    session = new()
    assert session.tick(now_ms) == ([Close(at_once=True)] if closed else [])
    assert (session.state is State.CLOSED) is closed


@pytest.mark.parametrize(("now_ms", "closed"), [(9_999, False), (10_000, True), (10_001, True)])
def test_a_login_must_come_within_ten_seconds_of_the_connection(now_ms: int, closed: bool) -> None:
    """bound: LOGIN_S."""
    session = new()
    session.receive(HELLO, 4_000)
    assert session.tick(now_ms) == ([Close(at_once=True)] if closed else [])


def test_a2_the_deadline_is_absolute_and_no_frame_puts_it_off() -> None:
    session = new()
    for now_ms in range(0, 5_000, 100):
        session.admit(now_ms)
    assert session.tick(5_000) == [Close(at_once=True)]


def test_while_a_login_is_checked_nobody_is_hurried() -> None:
    session = lobby()
    session.receive(LOGIN, 9_000)
    assert session.tick(60_000) == []
    assert session.login_checked(None) == []


@pytest.mark.parametrize(("now_ms", "pings"), [(4_999, 0), (5_000, 1), (5_001, 1)])
def test_a_heartbeat_comes_after_five_seconds(now_ms: int, pings: int) -> None:
    """bound: HEARTBEAT_S."""
    assert len(playing().tick(now_ms)) == pings


def test_a_heartbeat_comes_every_five_seconds() -> None:
    session = playing()
    pings = []
    for now_ms in range(0, 20_001, 500):
        session.admit(now_ms)
        pings += [(now_ms, effect.message) for effect in session.tick(now_ms) if isinstance(effect, Send)]
    assert pings == [(now_ms, Ping(now_ms // 5_000, 0)) for now_ms in (5_000, 10_000, 15_000, 20_000)]


def test_a_heartbeat_tells_the_last_round_trip() -> None:
    session = playing()
    assert session.tick(5_000) == [Send(Ping(1, 0))]
    session.admit(5_080)
    session.receive(Pong(1), 5_080)
    assert session.tick(10_000) == [Send(Ping(2, 80))]


def test_an_answer_to_an_older_heartbeat_measures_nothing() -> None:
    session = playing()
    session.tick(5_000)
    session.tick(10_000)
    session.receive(Pong(1), 10_005)
    session.receive(Pong(99), 10_005)
    assert session.tick(14_999) == []
    session.admit(14_999)
    assert session.tick(15_000) == [Send(Ping(3, 0))]


@pytest.mark.parametrize(("now_ms", "dead"), [(22_999, False), (23_000, True), (23_001, True)])
def test_fifteen_seconds_of_silence_are_a_cut_line(now_ms: int, dead: bool) -> None:
    """bound: DEAD_S."""
    session = playing()
    session.admit(8_000)
    closed = Close(at_once=True) in session.tick(now_ms)
    assert closed is dead
    assert (session.state is State.CLOSED) is dead


def test_dropped_frames_are_signs_of_life_too() -> None:
    session = playing()
    for _ in range(100):
        session.admit(10_000)
    assert Close(at_once=True) not in session.tick(24_000)


@pytest.mark.parametrize(("now_ms", "dead"), [(16_999, False), (17_000, True)])
def test_a35_a_patch_must_be_acknowledged_within_fifteen_seconds_and_no_heartbeat_stands_for_it(
    now_ms: int, dead: bool
) -> None:
    session = playing()
    session.patch_sent(1, 2_000)
    session.patch_sent(2, 9_000)
    session.admit(now_ms)
    session.receive(Pong(0), now_ms)
    session.receive(Do(1, 0, Wait()), now_ms)
    assert (Close(at_once=True) in session.tick(now_ms)) is dead
    assert (session.state is State.CLOSED) is dead


def test_a35_each_acknowledgement_gives_the_next_one_fifteen_seconds() -> None:
    session = playing()
    session.patch_sent(1, 0)
    session.patch_sent(2, 0)
    session.receive(Ack(1), 14_000)
    session.admit(28_999)
    assert Close(at_once=True) not in session.tick(28_999)
    assert session.tick(29_000) == [Close(at_once=True)]


def test_who_is_shown_nothing_owes_no_acknowledgement() -> None:
    session = playing()
    session.patch_sent(1, 0)
    session.receive(Ack(1), 50)
    session.admit(100_000)
    assert Close(at_once=True) not in session.tick(100_000)
