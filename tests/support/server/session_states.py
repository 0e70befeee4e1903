"""Sessions in each of their states, and verbs for how they answer."""

from gloam_server.sessions.effects import Close, Effect, Send
from gloam_server.sessions.session import Session
from gloam_shared.protocol.messages.login import Bye, Error, Hello, Login, Welcome
from gloam_shared.protocol.registry import ABILITIES, PROTOCOL_VERSION

TOKEN = bytes(32)
HELLO = Hello(PROTOCOL_VERSION, "test")
LOGIN = Login("Ann", TOKEN)
GREETING = Welcome(PROTOCOL_VERSION, "The Arena", 2, 64, "A tale.", abilities=ABILITIES)


def new(now_ms: int = 0) -> Session:
    """Return a conversation that has just begun."""
    return Session(now_ms, GREETING)


def lobby(now_ms: int = 0) -> Session:
    """Return a conversation that has been greeted."""
    session = new(now_ms)
    session.receive(HELLO, now_ms)
    return session


def playing(now_ms: int = 0) -> Session:
    """Return a conversation of someone who has logged in."""
    session = lobby(now_ms)
    session.receive(LOGIN, now_ms)
    assert session.login_checked(None) == []
    return session


def ends(effects: list[Effect], code: str) -> bool:
    """Return whether this says one goodbye with a code and closes."""
    match effects:
        case [Send(Bye(result, words)), Close(at_once=False)]:
            return result == code and bool(words)
        case _:
            return False


def refuses(effects: list[Effect], code: str) -> bool:
    """Return whether this reports an error and continues."""
    match effects:
        case [Send(Error(result, words))]:
            return result == code and bool(words)
        case _:
            return False
