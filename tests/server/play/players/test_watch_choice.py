"""The choice who may watch a player: the server keeps it with the account, and older clients say their own at each login."""

import pytest

from gloam_shared.protocol.messages.watching import (
    WATCH_CHOICE,
    SetWatchable,
    Watchable,
    WatchChoice,
    WhoWatches,
)
from support.server.sim_server import SimClient, SimServer

CHOICES: dict[WhoWatches, SetWatchable] = {
    "no one": SetWatchable(False),
    "friends": SetWatchable(True),
    "everyone": SetWatchable(True, guests=True),
}


def login(server: SimServer, *, says: bool = False, lacks: str = "") -> SimClient:
    """Return Anna's client of a device whose own option is `friends` if it `says` so, and `no one` otherwise."""
    client = SimClient(server, "Anna", b"a" * 32, watchable=says, lacks=lacks)
    server.clients.append(client)
    server.advance(60)
    return client


def is_listed(server: SimServer) -> bool:
    """Return whether a watcher finds Anna."""
    dora = SimClient(server, "Dora", b"d" * 32, watches=True)
    server.clients.append(dora)
    server.advance(60)
    newest = dora.of_kind(Watchable)[-1]
    dora.leave()
    return bool(newest.players)


def stored(server: SimServer) -> WhoWatches | None:
    """Return what the account keeps."""
    account = server.store.directory.account_by_name("anna")
    assert account is not None
    return account.watchers


@pytest.mark.parametrize("says", [False, True])
def test_the_first_device_says_its_own_option(says: bool) -> None:
    """The account keeps nothing yet, so what the device had before the server kept it goes on."""
    server = SimServer()
    anna = login(server, says=says)
    who: WhoWatches = "friends" if says else "no one"
    assert anna.of_kind(WatchChoice) == [WatchChoice(""), WatchChoice(who)]
    assert stored(server) == who
    assert is_listed(server) is says


@pytest.mark.parametrize("who", list(CHOICES))
def test_another_device_finds_the_choice(who: WhoWatches) -> None:
    """The own option of the other device does not count, also after the server has started again."""
    server = SimServer()
    anna = login(server, says=True)
    anna.send(CHOICES[who])
    assert anna.of_kind(WatchChoice)[-1].who == who
    anna.leave()
    for other in (server, server.again()):
        phone = login(other, says=who == "no one")
        assert phone.of_kind(WatchChoice) == [WatchChoice(who)]
        assert is_listed(other) is (who != "no one")
        phone.leave()
    assert stored(other) == who


def test_a_cut_changes_no_choice() -> None:
    server = SimServer()
    anna = login(server, says=True)
    anna.send(CHOICES["everyone"])
    anna.cut()
    server.advance(500)
    anna.dial()
    server.advance(60)
    assert anna.of_kind(WatchChoice)[-1].who == "everyone"
    assert is_listed(server)


def test_an_older_client_keeps_its_own() -> None:
    """Its option holds while it is connected, and the account keeps what newer clients have chosen."""
    server = SimServer()
    anna = login(server)
    anna.leave()
    older = login(server, says=True, lacks=WATCH_CHOICE)
    assert older.of_kind(WatchChoice) == []
    assert is_listed(server)
    assert stored(server) == "no one"
    older.leave()
    login(server, says=True)
    assert not is_listed(server)


def test_quick_changes_are_one_write_at_a_time() -> None:
    """While a write is under way only the newest choice waits; it is what the account keeps."""
    server = SimServer()
    anna = login(server)
    written: list[WhoWatches] = []
    keep = server.store.directory.set_watchers

    def noting(account: int, who: WhoWatches) -> None:
        written.append(who)
        keep(account, who)

    server.store.directory.set_watchers = noting  # type: ignore[method-assign]  # it counts the writes
    for who in (*CHOICES, *CHOICES):
        anna.link.send(CHOICES[who])
    anna.pump()
    server.advance(1_000)
    assert len(written) <= 2
    assert written[-1] == stored(server) == "everyone"
