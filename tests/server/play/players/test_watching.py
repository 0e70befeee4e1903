"""Watching: a connection without a body sees what a player was sent, late, and changes nothing for that player."""

import pytest

from gloam_server.gateway.login.login_attempt import AccessRules
from gloam_shared import limits
from gloam_shared.appearance import Terrain
from gloam_shared.protocol.codec import decode_from_server
from gloam_shared.protocol.commands import Climb, Move, Wait
from gloam_shared.protocol.framing import Framer
from gloam_shared.protocol.messages import watching
from gloam_shared.protocol.messages.chat import SendChat
from gloam_shared.protocol.messages.login import Bye, Error, Goodbye, Joined, ResumeToken
from gloam_shared.protocol.messages.play import SubmitCommand, Update
from gloam_shared.view.view import View
from support.server.parties import slain
from support.server.party_requests import party
from support.server.sim_server import SimClient, SimServer

DELAY_MS = limits.WATCH_DELAY_S * 1_000
FAR = "192.0.2.7"


def watcher(server: SimServer, name: str, watched: str = "", host: str = "127.0.0.1") -> SimClient:
    """Return a person who has logged in to watch, and who watches that player."""
    client = SimClient(server, name, name.encode().ljust(32, b"."), host, watches=True)
    server.clients.append(client)
    server.advance(60)
    if watched:
        client.link.watch(watched)
        server.advance(60)
    return client


def open_to_all(server: SimServer, name: str = "Anna") -> SimClient:
    """Return a player who allows watching."""
    client = server.join(name)
    client.send(watching.SetWatchable(True))
    return client


def listed(client: SimClient) -> list[str]:
    """Return the names in the newest list of a watcher."""
    client.send(watching.AskWatchable())
    newest: watching.Watchable = client.of_kind(watching.Watchable)[-1]
    return [player.name for player in newest.players]


def walk(server: SimServer, client: SimClient, turns: int) -> list[View]:
    """Let a player step back and forth; return their views."""
    views = []
    for turn in range(turns):
        client.command(Move(1 if turn % 2 else -1, 0))
        server.advance(limits.WATCH_EVERY_MS)
        views.append(client.view)
    return views


@pytest.mark.rule("A57")
def test_watcher_sees_what_a_player_saw_10_s_ago() -> None:
    """U46: a watcher outside the party sees the player's own views, and each of them 10 s late."""
    server = SimServer()
    anna, dora = open_to_all(server), watcher(server, "Dora", "Anna")
    assert dora.of_kind(watching.Watching) == [watching.Watching("Anna", limits.WATCH_DELAY_S)]
    begun_ms, seen, shown = server.now_ms, [(server.now_ms, anna.view)], []
    for turn in range(150):
        anna.command(Move(1 if turn % 2 else -1, 0))
        server.advance(limits.WATCH_EVERY_MS)
        seen.append((server.now_ms, anna.view))
        if dora.of_kind(Update):
            shown.append((server.now_ms, dora.view))
    assert not [at for at, _ in shown if at < begun_ms + DELAY_MS - 120]
    for at_ms, view in shown:
        times = [then for then, had in seen if had == view]
        assert times
        assert min(times) <= at_ms - DELAY_MS + 2 * limits.WATCH_EVERY_MS
    assert len({view.log for _, view in shown} | {view.cell for _, view in shown}) > 1


def test_friends_of_the_party_see_without_delay() -> None:
    """U46: the delay follows the one question of whether the watcher is in the player's party."""
    server, (anna, guest) = party("Anna", "Dora")
    anna.send(watching.SetWatchable(True))
    guest.cut()
    dora = watcher(server, "Dora", "Anna")
    assert dora.of_kind(watching.Watching) == [watching.Watching("Anna", 0)]
    walk(server, anna, 3)
    server.advance(2 * limits.WATCH_EVERY_MS)
    assert dora.view == anna.view


def _received(watchers: int) -> list[tuple[int, object]]:
    """Return what a player with this number of watchers is sent in a lively minute, and when."""
    server = SimServer(seed=5, compressed=False)
    anna = open_to_all(server)
    server.join("Bert")
    taken: list[tuple[int, bytes]] = []
    framer = Framer(limits.FRAME_FROM_SERVER_MAX)
    framer._virgin = False
    receive = anna.link.receive

    def recording(data: bytes, now_ms: int) -> list[object]:
        taken.extend((now_ms, body) for body in framer.feed(data))
        return list(receive(data, now_ms))

    anna.link.receive = recording  # type: ignore[method-assign,assignment]
    for number in range(watchers):
        client = SimClient(server, f"Watcher{number}", bytes([number]) * 32, watches=True)
        server.clients.append(client)
        client.link.watch("Anna")
    server.advance(60)
    for turn in range(120):
        anna.command(Move((-1, 0, 1)[turn % 3], (turn % 5) // 2 - 1) if turn % 7 else Wait())
        server.advance(170)
    assert len(anna.of_kind(watching.Watchers)) == watchers
    return [
        (at_ms, body)
        for at_ms, body in taken
        if not isinstance(decode_from_server(body), watching.Watchers | ResumeToken)
    ]


def test_twenty_watchers_change_no_byte_of_a_player() -> None:
    """U46: a player is sent the same bytes at the same times with no watcher and with 20, except their names."""
    alone = _received(0)
    assert len(alone) > 100
    assert _received(limits.WATCHERS_PER_PLAYER_MAX) == alone


@pytest.mark.rule("A56")
def test_a_watcher_neither_acts_nor_speaks() -> None:
    """A watcher's commands and chat are refused, and the watcher has no body and no place."""
    server = SimServer(players_max=1)
    anna, dora = open_to_all(server), watcher(server, "Dora", "Anna")
    dora.send(SubmitCommand(1, 0, Wait()))
    dora.send(SendChat("left, Anna"))
    assert [error.code for error in dora.of_kind(Error)] == ["watching", "watching"]
    assert not anna.chat()
    assert not dora.of_kind(Joined)
    assert [player.name for player in server.engine.players.connected()] == ["Anna"]
    assert len(server.dungeon.realm.lives) == 1


def test_only_players_who_allow_it_are_listed() -> None:
    """U46: the list has the players who allow watching, the most active first, with their idle time."""
    server = SimServer()
    open_to_all(server, "Anna")
    server.join("Bert")
    cleo = open_to_all(server, "Cleo")
    server.advance(3_000)
    cleo.command(Wait())
    dora = watcher(server, "Dora")
    assert listed(dora) == ["Cleo", "Anna"]
    idle = {player.name: player.idle_s for player in dora.of_kind(watching.Watchable)[-1].players}
    assert idle["Anna"] >= 3 > idle["Cleo"]
    dora.link.watch("Bert")
    server.advance(60)
    assert [error.code for error in dora.of_kind(Error)] == ["watching"]


def test_player_sees_who_watches_and_ends_it() -> None:
    """U46: the player gets the names, ends one, and that one finds the player no more; the other goes on."""
    server = SimServer()
    anna = open_to_all(server)
    dora, emil = watcher(server, "Dora", "Anna"), watcher(server, "Emil", "Anna")
    assert anna.of_kind(watching.Watchers)[-1] == watching.Watchers(("Dora", "Emil"))
    anna.send(watching.EndWatching("dora"))
    assert anna.of_kind(watching.Watchers)[-1] == watching.Watchers(("Emil",))
    assert dora.of_kind(watching.Watching)[-1].name == ""
    assert listed(dora) == []
    assert listed(emil) == ["Anna"]
    before = len(dora.of_kind(Update))
    walk(server, anna, 5)
    server.advance(DELAY_MS + 500)
    assert len(dora.of_kind(Update)) == before
    assert emil.view == anna.view
    anna.send(watching.SetWatchable(False))
    assert emil.of_kind(watching.Watching)[-1] == watching.Watching("", 0, "Anna no longer allows watching.")
    assert listed(emil) == []


def test_watching_goes_on_over_a_death_and_a_cut() -> None:
    """A watcher sees the end of a life and the next, and stays over a cut of the player; a player who leaves ends it."""
    server = SimServer()
    anna, dora = open_to_all(server), watcher(server, "Dora", "Anna")
    slain(server, anna)
    server.advance(DELAY_MS + 500)
    assert dora.view.sheet[1] == 0
    anna.begin_again()
    anna.cut()
    server.advance(2_000)
    anna.dial()
    server.advance(DELAY_MS + 500)
    assert dora.view == anna.view
    assert dora.view.sheet[1] > 0
    anna.leave()
    server.advance(2 * DELAY_MS)
    assert dora.of_kind(watching.Watching)[-1] == watching.Watching("", 0, "That player has left.")


@pytest.mark.parametrize("leaves", [True, False], ids=["left", "replaced"])
def test_a_new_login_allows_no_watching(leaves: bool) -> None:
    """Permission by an older client ends with the login that gave it; only a client that resumes keeps it."""
    server = SimServer()
    anna = server.join("Anna", lacks=watching.WATCH_CHOICE)
    anna.send(watching.SetWatchable(True))
    dora = watcher(server, "Dora", "Anna")
    assert listed(dora) == ["Anna"]
    if leaves:
        anna.leave()
        server.advance(2_000)
    again = server.join("Anna", lacks=watching.WATCH_CHOICE)
    server.advance(2_000)
    again.command(Wait())
    server.advance(60)
    assert listed(dora) == []
    assert dora.of_kind(watching.Watching)[-1].name == ""


@pytest.mark.rule("A35", "A56")
def test_a_watcher_who_never_reads_is_skipped_and_cut() -> None:
    """At most three views are under way to a watcher.

    A watcher who acknowledges none is cut off, and the player plays on.
    """
    server = SimServer(compressed=False)
    anna, dora = open_to_all(server), watcher(server, "Dora", "Anna")
    dora.reading = False
    for _ in range(13):
        walk(server, anna, 10)
    framer = Framer(limits.FRAME_FROM_SERVER_MAX)
    framer._virgin = False
    waiting = [decode_from_server(body) for body in framer.feed(bytes(dora.wire.sent))]
    assert len([each for each in waiting if isinstance(each, Update)]) <= limits.UNACKNOWLEDGED_MAX
    server.advance(limits.DEAD_S * 1_000 + 2_000)
    assert dora.wire.closed
    dora.cut()
    assert anna.of_kind(watching.Watchers)[-1] == watching.Watchers(())


def test_watchers_are_bounded_and_rate_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    """A player has at most 20 watchers, a server has a limit, too; logins to watch count as logins, and requests are limited."""
    server = SimServer()
    open_to_all(server)
    crowd = [watcher(server, f"Watcher{at}", "Anna") for at in range(limits.WATCHERS_PER_PLAYER_MAX + 1)]
    assert not crowd[0].of_kind(Error)
    assert [error.code for error in crowd[-1].of_kind(Error)] == ["watching"]
    monkeypatch.setattr(limits, "WATCHERS_MAX", len(crowd))
    assert [bye.code for bye in watcher(server, "Late").of_kind(Bye)] == ["full"]
    for _ in range(10):
        crowd[0].send(watching.AskWatchable())
    assert "slow" in [error.code for error in crowd[0].of_kind(Error)]
    for _ in range(limits.LOGINS_BURST):
        crowd[1].leave()
        crowd[1] = watcher(server, "Watcher1")
    server.advance(limits.LOGINS_REFUSED_S * 1_000 + 100)
    assert [error.code for error in crowd[1].of_kind(Error)] == ["wait"]


def test_a_private_realm_asks_watchers_for_an_invite() -> None:
    """A stranger needs an invite to watch where a stranger needs one to play."""
    server = SimServer(rules=AccessRules())
    stranger = watcher(server, "Dora", host=FAR)
    assert [bye.code for bye in stranger.of_kind(Bye)] == ["invite"]
    assert not stranger.of_kind(watching.Watchable)
    assert watcher(server, "Emil").of_kind(watching.Watchable)


def test_watchers_cost_nothing_when_they_are_gone() -> None:
    """After the last watcher no timer of theirs runs and nothing is kept."""
    server = SimServer()
    anna, dora = open_to_all(server), watcher(server, "Dora", "Anna")
    walk(server, anna, 30)
    watchers = server.view_side._watchers
    [kept] = watchers._watched.values()
    assert 1 < len(kept.feed) <= 1 + DELAY_MS // limits.WATCH_EVERY_MS
    dora.send(Goodbye())
    dora.cut()
    server.advance(1_000)
    assert not watchers._watched
    assert watchers._timer is None


def test_watchers_see_no_more_than_the_player() -> None:
    """The views of a watcher are the player's own on every level, and never chat that players speak."""
    server = SimServer()
    anna, dora = open_to_all(server), watcher(server, "Dora", "Anna")
    server.walk_to(anna, Terrain.STAIRS_DOWN)
    anna.command(Climb(down=True))
    anna.send(SendChat("a secret"))
    server.advance(DELAY_MS + 500)
    assert dora.view == anna.view
    assert dora.view.place.depth == 2
    assert not dora.chat()
