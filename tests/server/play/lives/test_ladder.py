"""The ladder of a whole server: a life stands on it once, as soon as its end is durable."""

import json

import pytest

from gloam_server.engine.ladder.ladder import RealmLadder
from gloam_server.ops.http_endpoint import ladder_page, news_page
from gloam_server.storage.directory import Death
from gloam_server.storage.errors import StorageFault
from gloam_server.world.model.ids import REALM_PARTITION
from gloam_server.world.model.inputs import RecordDeath
from gloam_shared import limits
from gloam_shared.protocol.messages.lives import Died
from gloam_shared.protocol.messages.login import Error, Hello, Login
from gloam_shared.protocol.messages.parties import AnswerInvite, InviteToParty
from gloam_shared.protocol.messages.records import ORDERS, AskLadder, AskNews, Ladder, News
from support.server.parties import company, turn, until
from support.server.raw_client import RawClient
from support.server.running import running
from support.server.sim_server import SimClient, SimServer
from support.storage.memory_store import MemoryStore
from support.storage.writing import write


def fall(server: SimServer, player: SimClient) -> None:
    """Let a player be killed by an ogre, which goes away."""
    turn(server, player)
    before = len(player.of_kind(Died))
    ogre = server.put("ogre", server.body(player).cell)
    until(lambda: len(player.of_kind(Died)) > before, lambda: turn(server, player))
    server.banish(ogre)


def asked(server: SimServer, ask: AskLadder | None = None, host: str = "127.0.0.1") -> Ladder:
    """Return what a stranger is answered, on a connection of its own."""
    client = RawClient(server, host)
    client.say(ask or AskLadder())
    assert client.wire.closed
    [shown] = client.of_kind(Ladder)
    assert isinstance(shown, Ladder)
    return shown


def recorded(server: SimServer) -> list[RecordDeath]:
    """Return the deaths in the realm's journal."""
    return [each for each in server.inputs(REALM_PARTITION) if isinstance(each, RecordDeath)]


def test_an_ended_life_stands_on_the_ladder() -> None:
    """U50: name, cause, level, depth, turns and time of the life, with campaign, content and rules."""
    server, (anna, bert) = company("Anna", "Bert")
    assert asked(server).rows == ()
    fall(server, anna)
    shown = asked(server, AskLadder(name="anna"))
    [row] = shown.rows
    [died] = anna.of_kind(Died)
    assert (row.rank, row.name, row.by, row.depth, row.level) == (1, "Anna", "ogre", 1, 1)
    assert (row.turns, row.kills, row.wins, row.at_s) == (died.turns, died.kills, 0, server.wall_s)
    assert shown.own == row
    assert (shown.campaign, shown.rules) == (server.campaign.key, server.dungeon.realm.rules_version)
    assert server.campaign.digest.startswith(shown.content)
    bert.send(AskLadder("party", "level", "Bert", ("Bert",)))
    assert [ladder.lives for ladder in bert.of_kind(Ladder)] == [0]


def test_a_player_reads_the_board_of_their_party() -> None:
    """U50: without names the board shows the party of the player who asks, alone or not."""
    server, (anna,) = company("Anna")
    fall(server, anna)
    cleo = server.join("Cleo")
    fall(server, cleo)
    anna.begin_again()
    bert = server.join("Bert")

    def shown() -> list[str]:
        bert.send(AskLadder("party", "depth", "Bert"))
        newest: Ladder = bert.of_kind(Ladder)[-1]
        return [row.name for row in newest.rows]

    assert shown() == []
    anna.send(InviteToParty("Bert"))
    bert.send(AnswerInvite("Anna"))
    server.advance(500)
    assert shown() == ["Anna"]


def test_the_lit_beacons_of_a_life_rank_it() -> None:
    """A life without any is on every other board."""
    server, (anna, bert) = company("Anna", "Bert")
    server.body(anna).statistics.beacons = ["the herders' beacon", "the miners' beacon"]
    fall(server, anna)
    fall(server, bert)
    shown = asked(server, AskLadder(order="beacons", name="Bert"))
    assert [(row.name, row.beacons) for row in shown.rows] == [("Anna", 2)]
    assert (shown.lives, shown.own) == (1, None)
    assert [row.beacons for row in asked(server.again(), AskLadder(order="turns")).rows] in ([2, 0], [0, 2])


def test_a_new_day_and_season_begin_empty() -> None:
    server, (anna,) = company("Anna")
    fall(server, anna)
    assert [asked(server, AskLadder(span)).lives for span in ("day", "season", "all")] == [1, 1, 1]
    server.wall_s += 86_400
    assert [asked(server, AskLadder(span)).lives for span in ("day", "season", "all")] == [0, 1, 1]
    server.wall_s += 100 * 86_400
    assert [asked(server, AskLadder(span)).lives for span in ("day", "season", "all")] == [0, 0, 1]


def test_each_life_has_one_row_through_crashes() -> None:
    """A disk that fails after writing, a crash before and after an append, a restart: one row for each death."""
    store = MemoryStore()
    server = SimServer(store=store)
    anna = server.join("Anna")
    for way in range(6):
        if way % 3 == 1:
            store.journal.fail_next(StorageFault("broken"), landed=way == 1)
        fall(server, anna)
        server.advance(2_500)
        if way % 3 == 2:
            server.crash()
            server = server.again()
            anna = server.join("Anna")
        server.advance(200)
        anna.begin_again()
        server.advance(200)
    numbers = [each.fallen.number for each in recorded(server)]
    assert len(numbers) == 6
    assert sorted(row.life or 0 for row in store.directory.deaths()) == sorted(numbers)
    assert asked(server).lives == len(server.engine.boards._ladder) == 6
    assert asked(server.again()).rows == asked(server).rows


def test_a_crash_before_the_append_leaves_no_row() -> None:
    """A death that the disk has not taken is neither in the world nor on the ladder."""
    server = SimServer(write_s=0.0)
    anna = server.join("Anna")
    turn(server, anna)
    server.put("ogre", server.body(anna).cell)
    server.writer.delay_s = 100
    for _ in range(3):
        turn(server, anna)
    server.crash()
    again = server.again()
    assert asked(again).lives == len(recorded(again)) == len(again.store.directory.deaths())


def test_old_lives_are_deleted_from_the_store() -> None:
    """A life that the ladder forgets leaves the store, too."""
    server, (anna,) = company("Anna")
    old = [Death(1, "Anna", "a rat", 1, 1, 0, 9, 0, number) for number in range(-5, 0)]
    write(server.store, [], deaths=old)
    server.engine.commits._ladder = RealmLadder(old, newest_kept=1, best_kept=1, slack=0)
    fall(server, anna)
    assert len(server.store.directory.deaths()) == 6
    anna.begin_again()
    server.advance(200)
    fall(server, anna)
    left = [death.life for death in server.store.directory.deaths()]
    assert len(left) <= 1 + len(ORDERS)
    assert left[0] == max(each.fallen.number for each in recorded(server))


def test_boards_are_limited_for_a_player_and_strangers() -> None:
    """bound: LADDER_REQUESTS_BURST, LADDER_STRANGERS_BURST."""
    server, (anna,) = company("Anna")
    for _ in range(limits.LADDER_REQUESTS_BURST + 1):
        anna.send(AskLadder())
    assert len(anna.of_kind(Ladder)) == limits.LADDER_REQUESTS_BURST
    assert [error.code for error in anna.of_kind(Error)] == ["slow"]
    answers = [RawClient(server) for _ in range(limits.LADDER_STRANGERS_BURST + 1)]
    for client in answers:
        client.say(AskLadder())
    assert [client.codes() for client in answers[-2:]] == [[], ["slow"]]


def test_after_a_greeting_a_stranger_must_log_in() -> None:
    client = RawClient(SimServer())
    client.say(Hello(2, abilities=("ladder",)), AskLadder())
    assert client.codes() == ["state"]


@pytest.mark.rule("A55")
@pytest.mark.parametrize("name", ["'; DROP TABLE deaths; --", "\x1b[2J\x07", "{0.__class__}", "漢" * 60, ""])
def test_hostile_names_find_no_life(name: str) -> None:
    server, (anna,) = company("Anna")
    fall(server, anna)
    shown = asked(server, AskLadder("party", "depth", name, (name,) * 3))
    assert (shown.own, shown.lives) == (None, 0)
    assert asked(server).lives == 1


def test_the_ladder_is_a_page_for_the_hosts_programs() -> None:
    """U50: `/ladder.json` has every board, and is made again after a death."""
    server, (anna,) = company("Anna")
    realm = running(server)
    empty = json.loads(ladder_page(realm).body)
    assert empty["campaign"] == server.campaign.key
    assert set(empty["boards"]) == {"all", "season", "day"}
    fall(server, anna)
    page = ladder_page(realm)
    assert page.kind == "application/json"
    [row] = json.loads(page.body)["boards"]["day"]["depth"]["rows"]
    assert (row["name"], row["rank"], row["by"], row["depth_text"]) == ("Anna", 1, "ogre", "1")
    assert ladder_page(realm).body is page.body, "nothing has changed"


def test_a_world_of_one_life_has_no_second() -> None:
    """A seed of the day: no next life, no life for another player, and the end is shown at each login."""
    server = SimServer(one_life=True)
    anna = server.join("Anna")
    bert = RawClient(server)
    bert.say(Hello(2), Login("Bert", b"b" * 32))
    server.advance(200)
    assert bert.codes() == ["full"]
    turn(server, anna)
    anna.leave()
    server.advance(200)
    anna = server.join("Anna")
    fall(server, anna)
    anna.begin_again()
    server.advance(200)
    assert [error.code for error in anna.of_kind(Error)] == ["one-life"]
    assert asked(server).lives == 1
    anna.leave()
    assert server.join("Anna").of_kind(Died)
    assert server.dungeon.realm.born == {1: 1}


def news_of(server: SimServer) -> News:
    client = RawClient(server)
    client.say(AskNews())
    assert client.wire.closed
    [shown] = client.of_kind(News)
    assert isinstance(shown, News)
    return shown


def test_the_news_are_those_of_a_week() -> None:
    """A stranger reads what happened since the last death that is older than a week, as `/news.json` has it."""
    server, (anna, bert) = company("Anna", "Bert")
    fall(server, anna)
    fall(server, bert)
    [first, second] = [item for item in news_of(server).items if item.kind == "death"]
    assert first.text.startswith("Anna was killed by an ogre on depth 1")
    assert second.text.startswith("Bert ")
    server.wall_s += 8 * 86_400
    cleo = server.join("Cleo")
    fall(server, cleo)
    late = news_of(server)
    assert [item.text.split()[0] for item in late.items if item.kind == "death"] == ["Cleo"]
    assert late.since_s == server.wall_s - 7 * 86_400
    page = json.loads(news_page(running(server)).body)
    assert [item["text"] for item in page["items"]] == [item.text for item in late.items]
    assert len(page["day"].split("-")) == 3


def test_news_share_the_limit_of_boards() -> None:
    server, _ = company("Anna")
    for _ in range(limits.LADDER_STRANGERS_BURST):
        news_of(server)
    client = RawClient(server)
    client.say(AskNews())
    [refused] = client.of_kind(Error)
    assert isinstance(refused, Error)
    assert refused.code == "slow"
