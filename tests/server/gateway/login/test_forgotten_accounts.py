"""Memory of accounts: nothing grows with names that log in, never play, and are removed."""

from itertools import product
from typing import Final

from gloam_shared import limits
from gloam_shared.protocol.messages.login import Hello, Login, Resume
from gloam_shared.protocol.messages.watching import SetWatchable
from support.server.raw_client import RawClient
from support.server.sim_server import SimServer

SYLLABLES: Final = ("bo", "ka", "zu", "tem", "rix", "vy", "dag", "nop")
NAMES: Final = ["".join(each).capitalize() for each in product(SYLLABLES, SYLLABLES, ("s", "pa"))]
IN_A_DAY: Final = 32


def sizes(server: SimServer) -> dict[str, int]:
    """Return the number of entries of each collection that is keyed by accounts."""
    door, host = server.host._door, server.host
    return {
        "players": len(host._players._halves),
        "logged in": len(door._seen_s),
        "here": len(door._here_ms),
        "conversations": len(door.resumes.ours),
        "tokens": len(door.resumes.prepared),
        "watchable": len(host._watchers._watched),
        "heard": len(host._chat._missed._heard),
        "callers": len(host._callers),
        "fetching": len(server.front._fetching),
    }


def test_removed_accounts_are_forgotten() -> None:
    """Four days of new names that never play: at the end no more is kept than after the first day."""
    server, days = SimServer(), list[dict[str, int]]()
    for first in range(0, 4 * IN_A_DAY, IN_A_DAY):
        for number, name in enumerate(NAMES[first : first + IN_A_DAY]):
            client = RawClient(server, f"10.{first}.{number}.1")
            client.log_in(name)
            client.say(SetWatchable(True))
            client.connection.connectionLost()
            server.settle()
        days.append(sizes(server))
        server.wall_s += limits.UNUSED_S + 1
    assert len(server.store.directory.account_numbers()) <= IN_A_DAY + 1
    assert days[-1] == days[0]


def test_refused_conversations_leave_nothing() -> None:
    """Strangers whose resumes and logins are refused, each from an address of their own."""
    server = SimServer()
    before = sizes(server)
    for number, name in enumerate(NAMES[:IN_A_DAY]):
        client = RawClient(server, f"10.0.{number}.1")
        client.say(Hello(2), Resume(name, bytes(limits.TOKEN_SIZE)))
        server.pass_time(limits.LOGIN_GAP_MS)
        client.say(Login("no name!", bytes(limits.TOKEN_SIZE)))
        server.pass_time(limits.LOGIN_GAP_MS)
        client.connection.connectionLost()
    assert sizes(server) == before
