"""Guests: a door watches a player without a name, for visitors by a link, where host and player allow it."""

from gloam_server.gateway.login.login_attempt import AccessRules
from gloam_shared import limits
from gloam_shared.protocol.commands import Move
from gloam_shared.protocol.messages import watching
from gloam_shared.protocol.messages.login import Bye, Error, Welcome, hello_of
from gloam_shared.protocol.messages.play import Update
from gloam_shared.protocol.registry import ABILITIES, PROTOCOL_OLDEST, PROTOCOL_VERSION, FromServer
from support.server.parties import slain
from support.server.raw_client import RawClient
from support.server.sim_server import SimClient, SimServer

TOKEN = b".".ljust(limits.TOKEN_SIZE, b".")
HELLO = hello_of(PROTOCOL_VERSION, "", PROTOCOL_OLDEST, ABILITIES)
NOT_HERE = Error(
    "watching", "No player of that name can be watched by a link now; ask them, or try again later."
)


def guests(server: SimServer, name: str = "", *, door: str = "web") -> RawClient:
    """Return a door's connection that has logged in for guests, and watches that player."""
    client = RawClient(server, "203.0.113.7", door=door)
    client.say(HELLO, watching.WatchLogin("", TOKEN))
    server.pass_time(limits.LOGIN_GAP_MS)
    if name:
        client.say(watching.Watch(name))
    return client


def player(server: SimServer, name: str = "Anna", *, link: bool = True) -> SimClient:
    """Return a player who allows watching, and by a link, too."""
    client = server.join(name)
    client.send(watching.SetWatchable(True, link))
    return client


def words(client: RawClient) -> list[FromServer]:
    """Return what has arrived but views."""
    return [each for each in client.heard() if isinstance(each, watching.Watching | Error | Bye)]


def test_a_door_watches_for_guests() -> None:
    """It sees the player 10 s late, and the player reads how many guests there are, without a name."""
    server = SimServer(watch_guests=True)
    anna = player(server)
    door = guests(server, "anna")
    assert words(door) == [watching.Watching("Anna", limits.WATCH_DELAY_S)]
    assert anna.of_kind(watching.Watchers)[-1] == watching.Watchers((), 1)
    anna.command(Move(1, 0))
    server.advance(limits.WATCH_DELAY_S * 1_000 + 500)
    assert door.of_kind(Update)
    door.say(watching.CountGuests(100))
    server.advance(60)
    assert anna.of_kind(watching.Watchers)[-1] == watching.Watchers((), 100)
    door.vanish()
    server.advance(60)
    assert anna.of_kind(watching.Watchers)[-1] == watching.Watchers((), 0)


def test_a_host_lets_no_guest_watch_by_default() -> None:
    server = SimServer()
    player(server)
    door = guests(server)
    came = door.heard()
    [welcome] = [each for each in came if isinstance(each, Welcome)]
    assert watching.GUEST_WATCH not in welcome.abilities
    assert [each.code for each in came if isinstance(each, Error)] == ["name"]


def test_only_a_door_watches_without_a_name() -> None:
    server = SimServer(watch_guests=True)
    player(server)
    assert words(guests(server, door="")) == [
        Error("name", "Only a door watches without a name; give a name.")
    ]


def test_refusals_do_not_tell_who_plays() -> None:
    """The answers are equal for a player of friends alone, a player of no one, and a name of no one."""
    server = SimServer(watch_guests=True)
    player(server, link=False)
    server.join("Bert")
    door = guests(server)
    door.heard()
    for name in ("Anna", "Bert", "Nobody", "..", "x" * 64):
        server.pass_time(1_000)
        door.say(watching.Watch(name))
        assert words(door) == [NOT_HERE]
    server.pass_time(1_000)
    door.say(watching.AskWatchable())
    assert door.of_kind(watching.Watchable) == [watching.Watchable(())]


def test_each_end_says_why_immediately() -> None:
    server = SimServer(watch_guests=True)
    anna = player(server)
    door = guests(server)
    for message, text in (
        (watching.SetWatchable(True), "Anna no longer allows watching by a link."),
        (watching.SetWatchable(False), "Anna no longer allows watching."),
        (watching.EndWatching(""), "Anna has ended your watching."),
    ):
        anna.send(watching.SetWatchable(True, True))
        server.pass_time(1_000)
        door.say(watching.Watch("Anna"))
        door.heard()
        anna.send(message)
        assert words(door) == [watching.Watching("", 0, text)]


def test_guests_see_the_end_of_the_life_and_no_other() -> None:
    server = SimServer(watch_guests=True)
    anna = player(server)
    door = guests(server, "Anna")
    server.advance(limits.WATCH_DELAY_S * 1_000 + 500)
    slain(server, anna)
    server.advance(1_000)
    assert words(door) == [watching.Watching("Anna", limits.WATCH_DELAY_S)]
    came = []
    for _ in range(14):
        server.advance(1_000)
        came += words(door)
        door.acknowledge()
    assert came == [watching.Watching("", 0, "The life that you watched is over.")]


def test_a_banned_player_is_seen_no_longer() -> None:
    server = SimServer(watch_guests=True, rules=AccessRules(open=True))
    anna = player(server)
    door = guests(server, "Anna")
    door.heard()
    [account] = [each for each in server.engine.players.connected() if each.name == "Anna"]
    server.host.expel(account, "banned", "The host has banned you.")
    server.advance(60)
    assert words(door) == [watching.Watching("", 0, "Anna has left.")]
    assert not anna.up


def test_guests_of_one_network_watch_at_once() -> None:
    """A school has one address: no page of it waits for the others, and no player's login does."""
    server = SimServer(watch_guests=True)
    player(server)
    for _ in range(20):
        door = guests(server, "Anna")
        assert words(door) == [watching.Watching("Anna", limits.WATCH_DELAY_S)]
        door.vanish()
    assert server.join("Bert", host="203.0.113.7").up


def test_a_banned_device_does_not_watch() -> None:
    """The token of a guest belongs to their browser."""
    server = SimServer(watch_guests=True)
    player(server)
    server.join("Carl", b"c" * limits.TOKEN_SIZE).leave()
    account = server.store.directory.account_by_name("carl")
    assert account is not None
    server.store.directory.ban(account.number, server.wall_s + 60)
    said = {}
    for name, token in (("banned", b"c"), ("other", b"d")):
        client = RawClient(server, "203.0.113.7", door="web")
        client.say(HELLO, watching.WatchLogin("", token * limits.TOKEN_SIZE))
        server.pass_time(limits.LOGIN_GAP_MS)
        said[name] = [type(each) for each in client.heard() if not isinstance(each, Welcome)]
    assert said == {"banned": [Bye], "other": [watching.Watchable]}


def test_a_ban_lets_each_door_ask_again() -> None:
    """A door that does not know the message gets none; a person who watches has no guests to ask for."""
    server = SimServer(watch_guests=True, rules=AccessRules(open=True))
    player(server)
    older = RawClient(server, "203.0.113.8", door="web")
    known = tuple(each for each in ABILITIES if each != watching.GUEST_BANS)
    older.say(
        hello_of(PROTOCOL_VERSION, "", PROTOCOL_OLDEST, known),
        watching.WatchLogin("", TOKEN),
        watching.Watch("Anna"),
    )
    server.pass_time(limits.LOGIN_GAP_MS)
    newer = guests(server, "Anna")
    bert = server.join("Bert")
    for client in (older, newer):
        client.heard()
    account = server.store.directory.account_by_name("bert")
    assert account is not None
    server.host.end_banned(account.number, "The host has banned you.")
    server.advance(60)
    assert newer.of_kind(watching.BansChanged) == [watching.BansChanged()]
    assert older.of_kind(watching.BansChanged) == []
    assert not bert.up
