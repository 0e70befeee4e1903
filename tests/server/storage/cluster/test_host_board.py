"""The ladder over the realms of a host, ranked by a real PostgreSQL: the same lives in the same order as in the memory of one."""

from collections.abc import Iterator
from dataclasses import replace
from random import Random  # noqa: TID251  # seeded by the test

import pytest

from gloam_server.engine.ladder.ladder import RealmLadder, row_of
from gloam_server.engine.ladder.ranking import NEEDED, ORDERED
from gloam_server.storage.directory import Death, WorldIdentity
from gloam_server.storage.host import BoardQuestion, HostBoard, HostLife
from gloam_server.storage.open_store import open_realms
from gloam_server.storage.store import Store
from gloam_shared.limits import LADDER_SHOWN_MAX
from gloam_shared.protocol.messages.records import ORDERS, AskLadder, LadderOrder
from support.storage.clusters import Cluster, opened

pytestmark = pytest.mark.thorough

NAMES = ("Anna", "Bert", "Cleo")
NOW_S = 1_800_000_000
LIVES = 150


def lives(seed: int, first: int) -> list[Death]:
    """Return random lives with many equal counts, numbered from `first`; each ended at a time of its own."""
    chance = Random(seed)
    return [
        Death(
            *(1 + at % 3, NAMES[at % 3], "a rat", chance.randint(1, 3), chance.randint(1, 4), 0),
            *(chance.randint(1, 5), NOW_S - 2 * number, number, number),
            deepest=chance.randint(0, 3),
            kills=chance.randint(0, 3),
            wins=(wins := chance.randint(0, 2)),
            beacons=chance.randint(0, 2),
            won=wins > 0,
        )
        for at, number in enumerate(range(first, first + LIVES))
    ]


@pytest.fixture(scope="module")
def realms() -> dict[str, list[Death]]:
    """Return the lives of each realm by its place in the list of names."""
    return {"one": lives(1, 1), "two": lives(2, 1_000), "other": lives(3, 5_000)}


@pytest.fixture
def host(cluster: Cluster, realms: dict[str, list[Death]]) -> Iterator[tuple[Store, list[str]]]:
    """Yield the store of one of two realms of a campaign, and their names; a third realm has another one."""
    names, hosted = [cluster.realm() for _ in realms], open_realms(cluster.address("any"))
    campaign = names[0]  # realms of other tests have none that is called like this
    try:
        for name, (word, deaths) in zip(names, realms.items(), strict=True):
            with opened(cluster.address(name)) as store:
                played = "other" if word == "other" else campaign
                store.directory.create_identity(WorldIdentity(played, 7, 1, "ab12", 5))
                for each in NAMES:
                    if (
                        store.directory.account_by_name(each.lower()) is None
                    ):  # it is the host's in each realm but the first
                        store.directory.create_account(each, each.encode().ljust(32), 5)
                store.directory.write_deaths(deaths)
            hosted.assign_port(name, None)
        with opened(cluster.address(names[0])) as store:
            yield store, names[:2]
    finally:
        hosted.close()


def read(store: Store, order: LadderOrder, since_s: int = 0, folded: str = "") -> HostBoard:
    assert store.host is not None
    return store.host.board(BoardQuestion(ORDERED[order], NEEDED.get(order), since_s, folded))


@pytest.mark.parametrize("since_s", [0, NOW_S - 1_100])
def test_two_realms_are_ranked_as_one(
    host: tuple[Store, list[str]], realms: dict[str, list[Death]], since_s: int
) -> None:
    """In each order, with equal counts: the best lives, how many there are, and the best one of a player; all, and the newest."""
    store, names = host
    newest = [each for word in ("one", "two") for each in realms[word] if each.at_s >= since_s]
    memory = RealmLadder(sorted(newest, key=lambda each: each.at_s))
    for order in ORDERS:
        expected = memory.board(AskLadder("all", order, "cleo"), NOW_S, "", "", 1)
        found = read(store, order, since_s, "cleo")
        assert found.dungeons == sorted(names)
        assert found.lives == expected.lives
        assert [row_of(each.rank, each.death) for each in found.best] == list(expected.rows)
        assert len(found.best) == LADDER_SHOWN_MAX
        assert found.own is not None
        assert row_of(found.own.rank, found.own.death) == expected.own
        lived = {each.life: names[at] for at, word in enumerate(("one", "two")) for each in realms[word]}
        assert all(each.dungeon == lived[each.death.life] for each in found.best)


def test_a_realm_that_goes_leaves_the_ladder(cluster: Cluster, host: tuple[Store, list[str]]) -> None:
    """It is retired, or its table is an older server's; the one that is left is alone. A name may be no player's."""
    store, (own, other) = host
    assert read(store, "depth", folded="nobody' OR true --").own is None
    cluster.postgres.execute(f"ALTER TABLE {other}.deaths RENAME beacons TO lamps")
    assert read(store, "depth") == HostBoard([own], 0, [], None)
    cluster.postgres.execute(f"ALTER TABLE {other}.deaths RENAME lamps TO beacons")
    assert read(store, "depth").dungeons == sorted([own, other])
    cluster.postgres.execute(f"UPDATE {other}.placement SET state = 'retired'")
    assert read(store, "depth") == HostBoard([own], 0, [], None)


def test_lives_that_are_equal_have_one_order(host: tuple[Store, list[str]], cluster: Cluster) -> None:
    """Two realms give the same number to a body, and two lives may end in one second."""
    store, (own, other) = host
    twin = replace(lives(9, 1)[0], at_s=NOW_S + 5, deepest=99, title="Twin")
    store.directory.write_deaths([twin])
    with opened(cluster.address(other)) as there:
        there.directory.write_deaths([twin])
    first, second = read(store, "depth").best[:2]
    assert [first, second] == [HostLife(1, min(own, other), twin), HostLife(2, max(own, other), twin)]
