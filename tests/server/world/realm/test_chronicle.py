"""The chronicle: bounded, written by what happens, and filled in for worlds that did not have it yet."""

import msgspec
import pytest

from gloam_server.world.model.creature import Creature
from gloam_server.world.model.events import PlayerDied, SentIntoPlay
from gloam_server.world.model.inputs import EnterPlay, RecordDeath, RecordMove, StoreBody
from gloam_server.world.realm.chronicle import EVENTS_MAX, Chronicle, ChronicleEntry, FirstAtDepth, LifeEnded
from gloam_server.world.realm.realm import Life, Realm, apply_realm
from gloam_server.world.transition.serialization import deserialize_realm, serialize_realm
from support.content.campaigns import arena


def enter(realm: Realm, account: int = 1) -> Creature:
    [sent, *_] = apply_realm(realm, arena(), EnterPlay(account, f"Player{account}"))
    assert isinstance(sent, SentIntoPlay)
    return sent.body


def fallen(number: int, killer: int = 0) -> PlayerDied:
    return PlayerDied(
        1, number, "Player1", "ogre", 2, 0, 1, 0, 3, 0, 3, killer=killer, killer_level=4, killer_grown=1
    )


@pytest.mark.rule("F56")
def test_end_of_a_life_is_written_with_who_killed() -> None:
    """The end of a life is written with who killed it."""
    realm = Realm(arrival=0)
    apply_realm(realm, arena(), RecordDeath(fallen(enter(realm).number, 77), (2, 1, 0)))
    assert realm.events.entries == [LifeEnded("Player1", 1, False, "ogre", 2, 1, 3, 77, 4, 1)]


def test_first_player_on_each_level_is_written_once() -> None:
    """The first player on each level is written once."""
    realm = Realm(arrival=0)
    for account in (1, 2):
        enter(realm, account)
    for at, (account, partition) in enumerate([(1, 2), (2, 2), (1, 1), (2, 4), (1, 3)]):
        apply_realm(realm, arena(), RecordMove(account, partition, (9, at, 0)))
    assert realm.events.entries == [FirstAtDepth("Player1", 1, 2), FirstAtDepth("Player2", 2, 4)]


def test_the_chronicle_keeps_the_newest() -> None:
    chronicle = Chronicle()
    for partition in range(EVENTS_MAX + 5):
        chronicle.write(FirstAtDepth("Ann", 1, partition))
    assert len(chronicle.entries) == EVENTS_MAX
    assert chronicle.written == EVENTS_MAX + 5
    assert [event.partition for event in chronicle.since(EVENTS_MAX + 3)] == [EVENTS_MAX + 3, EVENTS_MAX + 4]
    assert chronicle.since(0) == chronicle.entries
    assert chronicle.since(EVENTS_MAX + 5) == []


def test_what_absent_player_seen_known_until_return() -> None:
    """A level that an absent player has seen is known until they return."""
    realm = Realm(arrival=0)
    body = enter(realm)
    apply_realm(realm, arena(), RecordMove(1, 2, (1, 1, 0)))
    apply_realm(realm, arena(), StoreBody(body, 2, (2, 1, 0)))
    assert realm.left == {1: 1}
    enter(realm)
    assert realm.left == {}


def test_realm_older_version_finished_lives() -> None:
    """And the levels that its players reached are not reached for the first time again."""
    realm = Realm(
        arrival=5,
        lives={1: Life(3, "Ann", 4, visited=[1, 2, 4])},
        chronicle=[ChronicleEntry("Bert", 2, False, "ogre", 3, 2, 50)],
    )
    older = msgspec.msgpack.decode(serialize_realm(realm))
    for field in ("events", "left", "deepest"):
        del older[field]
    opened = deserialize_realm(msgspec.msgpack.encode(older))
    assert opened.deepest == 4
    assert opened.events.entries == [LifeEnded("Bert", 2, False, "ogre", 3, 2, 50)]
    again = deserialize_realm(serialize_realm(opened))
    assert again == opened
