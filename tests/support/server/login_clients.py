"""Players who log in: their names, their logins, and the answers that they get."""

from gloam_server.gateway.login.login_attempt import AccessRules
from gloam_server.storage.accounts import Account
from gloam_shared import limits
from gloam_shared.protocol.messages.login import Bye, Error, Joined, Login, SetPassword
from support.server.sim_server import SimClient, SimServer

HERE, THERE = "192.0.2.7", "198.51.100.9"
OWN, OTHER = b"own device" + bytes(22), b"another device" + bytes(18)
SECRET = "correct horse"
PRIVATE = AccessRules()


def account(server: SimServer, name: str) -> Account:
    found = server.store.directory.account_by_name(name)
    assert found is not None
    return found


def settled(server: SimServer, name: str = "Bert", host: str = HERE) -> SimClient:
    """Return a player who has logged in from elsewhere and set a password."""
    client = server.join(name, OWN, host)
    client.send(SetPassword(SECRET))
    server.advance(20)
    return client


def knock(
    server: SimServer,
    name: str,
    password: str = "",
    *,
    invite: str = "",
    token: bytes = OTHER,
    host: str = THERE,
) -> SimClient:
    """Return the client of a login from a new connection."""
    client = SimClient(server, "", token, host)
    client.link.name = name
    client.cut()
    server.clients.append(client)
    client.got.clear()
    client.link.login = Login(name, token, password, invite)
    client.dial()
    server.advance(30)
    return client


def pass_s(server: SimServer, seconds: int) -> None:
    """Let so much time pass while no one is here."""
    server.wall_s += seconds
    server.clock.advance(seconds)
    server.settle()


def answer(client: SimClient) -> object:
    """Return how a login was answered: the last thing that was said about it."""
    messages = [each for each in client.got if isinstance(each, Joined | Error | Bye)]
    return messages[-1]


def code(client: SimClient) -> str:
    reply = answer(client)
    return "joined" if isinstance(reply, Joined) else reply.code  # type: ignore[attr-defined]


def visit(server: SimServer, name: str, host: str) -> str:
    """Return how a newcomer is answered who hangs up as soon as the login has had its turn."""
    client = SimClient(server, name, name.encode().ljust(32, b"."), host)
    server.clients.append(client)
    server.pass_time(limits.LOGIN_GAP_MS)
    reply = answer(client)
    client.cut()
    server.clients.remove(client)
    server.settle()
    return "joined" if isinstance(reply, Joined) else getattr(reply, "code", "")
