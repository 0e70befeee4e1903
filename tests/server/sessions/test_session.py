"""Playbooks: what a conversation answers to each message and to each fault in each state."""

from typing import Final

import pytest
from msgspec.structs import replace

from gloam_server.sessions.effects import Close, Effect, Send
from gloam_server.sessions.session import Session, State
from gloam_shared import limits
from gloam_shared.protocol.codec import Malformed
from gloam_shared.protocol.codes import BYES, ByeCode, ErrorCode, FaultCode
from gloam_shared.protocol.commands import Move, Wait
from gloam_shared.protocol.messages import parties, play
from gloam_shared.protocol.messages.chat import Ignore, Report, SendChat, Speak
from gloam_shared.protocol.messages.lives import NewLife, SetBeside
from gloam_shared.protocol.messages.login import AskStatus, Bye, Error, Goodbye, Hello, Joined, Login, Resume
from gloam_shared.protocol.messages.records import AskChronicle, AskHistory, AskMapMemory
from gloam_shared.protocol.messages.watching import EndWatching, SetWatchable
from gloam_shared.protocol.registry import PROTOCOL_VERSION, FromClient
from support.protocol.examples import examples
from support.server.session_states import GREETING, HELLO, LOGIN, TOKEN, ends, lobby, new, playing, refuses

RESUME = Resume("Ann", TOKEN)
WELCOME = Send(replace(GREETING, abilities=()))
"""The answer to a client without abilities."""
CHECK = Login("Ann", TOKEN)
IN_PLAY: Final = examples("playing", "watching")

Playbook = list[tuple[FromClient, list[Effect]]]


def perform(session: Session, playbook: Playbook) -> None:
    for message, expected in playbook:
        assert session.receive(message, 0) == expected


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


def test_joined_reported_under_name() -> None:
    """`Joined` has the player's name and the last answered command."""
    assert playing().joined_message("Ann", 7, 3) == [Send(Joined("Ann", 7, 3))]


def test_nothing_follows_a_request_for_the_status() -> None:
    session = new()
    perform(session, [(AskStatus(), [AskStatus()]), (HELLO, []), (AskStatus(), [])])
    assert session.state is State.CLOSED


@pytest.mark.rule("A21")
@pytest.mark.parametrize(
    ("protocol", "older"), [(PROTOCOL_VERSION - 1, "client"), (PROTOCOL_VERSION + 1, "server")]
)
def test_another_protocol_names_the_side_to_upgrade(protocol: int, older: str) -> None:
    """Another protocol is refused, and the side to upgrade is named."""
    session = new()
    effects = session.receive(Hello(protocol), 0)
    assert ends(effects, "version")
    assert isinstance(effects[0], Send)
    assert isinstance(effects[0].message, Bye)
    words = effects[0].message.text
    assert f"upgrade the {older}" in words
    assert f"protocol {PROTOCOL_VERSION}" in words
    assert "pip install ." in words


def test_instead_login_cut_conversation_gone() -> None:
    """A client may resume a session instead of a login."""
    session = lobby()
    perform(session, [(RESUME, [Resume("Ann", TOKEN)])])
    assert session.login_checked(None) == []
    assert session.state is State.PLAYING


@pytest.mark.rule("A28", "A29")
@pytest.mark.parametrize("code", ["auth", "expired"])
def test_not_login_taken_same_line(code: ErrorCode) -> None:
    """A login that may not resume is taken on the same line."""
    session = lobby()
    session.receive(RESUME, 0)
    assert refuses(session.login_checked(Error(code, "Log in.")), code)
    perform(session, [(LOGIN, [CHECK])])
    assert session.login_checked(None) == []
    assert session.state is State.PLAYING


@pytest.mark.rule("A19")
@pytest.mark.parametrize("message", [LOGIN, RESUME, *IN_PLAY])
def test_nothing_comes_before_the_greeting(message: FromClient) -> None:
    session = new()
    assert ends(session.receive(message, 0), "state")
    assert session.state is State.CLOSED


@pytest.mark.rule("A19")
@pytest.mark.parametrize("message", [HELLO, AskStatus(), *IN_PLAY])
def test_nothing_but_a_login_comes_before_the_login(message: FromClient) -> None:
    assert ends(lobby().receive(message, 0), "state")


@pytest.mark.rule("A20")
@pytest.mark.parametrize("first", [LOGIN, RESUME])
@pytest.mark.parametrize("message", [LOGIN, RESUME, Login("Bert", TOKEN), HELLO, *IN_PLAY])
def test_while_login_checked_nothing_come(first: FromClient, message: FromClient) -> None:
    """While a login is checked nothing else may arrive."""
    session = lobby()
    session.receive(first, 0)
    assert ends(session.receive(message, 0), "state")


@pytest.mark.rule("A20")
@pytest.mark.parametrize("message", [LOGIN, RESUME, HELLO, AskStatus()])
def test_who_plays_cannot_log_in_again(message: FromClient) -> None:
    session = playing()
    assert ends(session.receive(message, 0), "state")
    assert session.state is State.CLOSED


@pytest.mark.rule("A26", "A54")
@pytest.mark.parametrize(
    "name", ["", "a", "a" * 17, "admin", "SERVER", "..", "/etc/passwd", "a\0b", "Änn", "con"]
)
def test_a_forbidden_name_is_refused_at_once(name: str) -> None:
    """A name that is not permitted is refused before any lookup."""
    session = lobby()
    assert refuses(session.receive(Login(name, TOKEN), 0), "name")
    assert session.receive(LOGIN, 0) == [CHECK], "another name may be tried on the same line"


def test_refused_login_ends_conversation_reason() -> None:
    """A refused login ends the conversation with its reason."""
    session = lobby()
    session.receive(LOGIN, 0)
    assert session.login_checked(Bye("full", "The dungeon is full.")) == [
        Send(Bye("full", "The dungeon is full.")),
        Close(),
    ]
    assert session.state is State.CLOSED


@pytest.mark.parametrize("code", ["auth", "expired", "name", "password", "wait"])
def test_fault_another_login_mend_error_alone(code: ErrorCode) -> None:
    """Each fault that another login can mend is an error alone."""
    session = lobby()
    session.receive(LOGIN, 0)
    assert refuses(session.login_checked(Error(code, "Another, please.")), code)
    assert code not in BYES


@pytest.mark.parametrize("code", ["invite", "full", "busy", "banned", "slow", "too-many", "stopping"])
def test_another_login_not_mend_ends_conversation(code: ByeCode) -> None:
    """An error that another login would not mend ends the conversation."""
    session = lobby()
    session.receive(LOGIN, 0)
    assert ends(session.login_checked(Bye(code, "Come again.")), code)


@pytest.mark.rule("A23", "A26")
@pytest.mark.parametrize("code", ["auth", "name", "password", "wait"])
def test_an_answerable_refusal_keeps_the_connection(code: ErrorCode) -> None:
    """After a refusal that can be answered the connection stays open."""
    session = lobby()
    session.receive(LOGIN, 0)
    assert refuses(session.login_checked(Error(code, "Another, please.")), code)
    assert session.receive(LOGIN, 0) == [CHECK]


def test_answer_login_comes_after_end_ignored() -> None:
    """An answer to a login that arrives after the end is ignored."""
    session = lobby()
    session.receive(LOGIN, 0)
    session.end("stopping", "The server stops.")
    assert session.login_checked(None) == []
    assert session.state is State.CLOSED


# In play.


def test_play_message_passed_effect() -> None:
    """In play every message is passed on as an effect."""
    perform(
        playing(),
        [
            (play.SubmitCommand(1, 0, Wait()), [play.SubmitCommand(1, 0, Wait())]),
            (play.SubmitCommand(2, 3, Move(1, 0)), [play.SubmitCommand(2, 3, Move(1, 0))]),
            (play.Acknowledge(5), [play.Acknowledge(5)]),
            (SendChat("hello"), [SendChat("hello")]),
            (Speak("whisper", "hi", "Bert"), [Speak("whisper", "hi", "Bert")]),
            (Ignore("Bert", "block"), [Ignore("Bert", "block")]),
            (Report("Bert", "why"), [Report("Bert", "why")]),
            (play.Thinking(), [play.Thinking()]),
            (AskMapMemory(4), [AskMapMemory(4)]),
            (AskChronicle(), [AskChronicle()]),
            (AskHistory(7), [AskHistory(7)]),
            (SetBeside("all"), [SetBeside("all")]),
            (SetWatchable(True), [SetWatchable(True)]),
            (EndWatching("Dora"), [EndWatching("Dora")]),
            (parties.InviteToParty("Dora"), [parties.InviteToParty("Dora")]),
            (parties.SetPartyChoices(True, 1), [parties.SetPartyChoices(True, 1)]),
            (play.Refresh(), [play.Refresh()]),
            (NewLife(2), [NewLife(2)]),
            (NewLife(2, 3), [NewLife(2, 3)]),
            (play.HeartbeatReply(0), []),
            (play.Away(), [play.Away()]),
            (Goodbye(), [Goodbye(), Send(Bye("goodbye", "Until next time.")), Close()]),
            (play.SubmitCommand(3, 0, Wait()), []),
        ],
    )


@pytest.mark.rule("A36")
def test_acks_go_to_their_client_view() -> None:
    """Acknowledgements are passed on to the client view that knows them."""
    assert playing().receive(play.Acknowledge(2**31 - 1), 0) == [play.Acknowledge(2**31 - 1)]


def test_who_is_closed_answers_nothing_any_more() -> None:
    session = playing()
    session.receive(Goodbye(), 0)
    for message in (HELLO, LOGIN, AskStatus(), *IN_PLAY):
        assert session.receive(message, 0) == []
    assert session.reject_malformed(Malformed("type", "out of shape"), 0) == []
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
def test_before_the_login_every_fault_ends_the_line(code: FaultCode) -> None:
    for session in (new(), lobby()):
        assert ends(session.reject_malformed(Malformed(code, "words"), 0), code)


@pytest.mark.parametrize(
    "code", ["type", "depth", "malformed", "elements", "utf8", "keys", "empty", "too-big"]
)
def test_in_play_a_broken_message_ends_the_line(code: FaultCode) -> None:
    assert ends(playing().reject_malformed(Malformed(code, "words"), 0), code)


@pytest.mark.rule("A39", "A44")
def test_number_range_refused_and_play_goes() -> None:
    """A number out of range is refused and play goes on."""
    session = playing()
    for _ in range(10):
        assert refuses(session.reject_malformed(Malformed("range", "words"), 0), "range")
    assert session.state is State.PLAYING


@pytest.mark.rule("A18")
def test_third_unknown_message_within_minute_ends() -> None:
    """The third unknown message within a minute ends the line."""
    session = playing()
    fault = Malformed("unknown", "words")
    assert refuses(session.reject_malformed(fault, 0), "unknown")
    assert refuses(session.reject_malformed(fault, 30_000), "unknown")
    assert ends(session.reject_malformed(fault, 59_999), "unknown")


@pytest.mark.rule("A18")
def test_two_unknown_messages_minute_forgiven() -> None:
    """Two unknown messages a minute are forgiven for ever."""
    session = playing()
    fault = Malformed("unknown", "words")
    for minute in range(10):
        assert refuses(session.reject_malformed(fault, minute * 60_000), "unknown")
        assert refuses(session.reject_malformed(fault, minute * 60_000), "unknown")
