"""Clients that log in, lose their line, and return with their token."""

from gloam_shared import limits
from gloam_shared.protocol.messages.login import Bye, Error, Hello, Joined, Login, ResumeToken
from gloam_shared.protocol.registry import PROTOCOL_VERSION, FromClient, FromServer
from support.server.raw_client import RawClient
from support.server.sim_server import SimServer


def device(name: str) -> bytes:
    return name.encode().ljust(limits.TOKEN_SIZE, b".")


class Caller(RawClient):
    """One line, and everything that arrived on it."""

    def __init__(self, server: SimServer, *first: FromClient, host: str = "127.0.0.1") -> None:
        super().__init__(server, host)
        self.came: list[FromServer] = []
        self.say(Hello(PROTOCOL_VERSION), *first)

    def say(self, *messages: FromClient) -> None:
        """Send messages, and take in what they lead to."""
        super().say(*messages)
        self.server.advance(10)
        self.came += self.heard()

    @property
    def joined(self) -> bool:
        return any(isinstance(each, Joined) for each in self.came)

    @property
    def refusals(self) -> list[str]:
        return [each.code for each in self.came if isinstance(each, Error | Bye)]

    @property
    def token(self) -> bytes:
        """The newest token that arrived here."""
        return [each.token for each in self.came if isinstance(each, ResumeToken)][-1]

    def acknowledge(self) -> None:
        """Acknowledge the newest patch."""
        self.came += self.heard()
        super().acknowledge()


def logged_in(server: SimServer, name: str = "Anna", host: str = "127.0.0.1") -> Caller:
    caller = Caller(server, Login(name, device(name)), host=host)
    assert caller.joined, caller.came
    caller.acknowledge()
    return caller


def cut_off(server: SimServer) -> bytes:
    """Return the token of a player whose line was cut."""
    caller = logged_in(server)
    caller.vanish()
    server.settle()
    return caller.token
