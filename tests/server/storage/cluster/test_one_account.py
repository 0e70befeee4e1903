"""One account over all realms of a host: names, devices and passwords hold on each; lives, bans and invites are of a realm."""

from collections.abc import Callable, Iterator
from hashlib import sha256
from threading import Thread

import pytest

from gloam_server.gateway.login import invites
from gloam_server.gateway.login.login_attempt import AccessRules
from gloam_server.storage.accounts import Account
from gloam_server.storage.errors import NameTaken, StorageError
from gloam_server.storage.open_store import open_store
from gloam_server.storage.sql.directory.sql_directory import SqlDirectory
from gloam_server.storage.store import Store
from gloam_shared import limits
from gloam_shared.protocol.messages.login import Bye, Error, Joined, SetPassword
from support.server.login_clients import OTHER, OWN, PRIVATE, SECRET, answer, knock, pass_s, settled
from support.server.sim_server import SimServer
from support.storage.clusters import Cluster, opened

pytestmark = pytest.mark.thorough

OPEN = AccessRules(open=True)
Begin = Callable[..., SimServer]


@pytest.fixture
def begin(cluster: Cluster) -> Iterator[Begin]:
    """Return a function that begins the server of another realm of the host."""
    stores: list[Store] = []

    def made(rules: AccessRules = OPEN) -> SimServer:
        stores.append(open_store(cluster.address(cluster.realm())))
        return SimServer(store=stores[-1], rules=rules)

    yield made
    for each in stores:
        each.close()


def code_of(said: object) -> str:
    """Return the code of a refusal, "joined" for none."""
    return said.code if isinstance(said, Error | Bye) else "joined" if isinstance(said, Joined) else ""


def test_a_name_is_its_owners_on_all_realms(begin: Begin) -> None:
    """The first to take it; the life on the other realm is another one."""
    first, second = begin(), begin()
    knock(first, "Bert", token=OWN)
    assert code_of(answer(knock(second, "Bert", token=OTHER))) == "name"
    joined = answer(knock(second, "bert", token=OWN))
    assert isinstance(joined, Joined)
    assert (joined.name, joined.life) == ("Bert", 1)
    assert code_of(answer(knock(second, "8ert", token=OTHER))) == "name"


def test_a_password_holds_on_all_realms(begin: Begin) -> None:
    """A device that gave it on one realm is known on the others; its change on one forgets the devices of all."""
    first, second = begin(), begin()
    settled(first)
    assert code_of(answer(knock(second, "Bert", token=OTHER))) == "password"
    assert code_of(answer(knock(second, "Bert", "a wrong one", token=OTHER))) == "auth"
    there = knock(second, "Bert", SECRET, token=OTHER)
    assert code_of(answer(there)) == "joined"
    pass_s(first, 60)
    assert code_of(answer(knock(first, "Bert", token=OTHER))) == "joined"
    there.send(SetPassword("another word", SECRET))
    second.advance(20)
    pass_s(first, 60)
    assert code_of(answer(knock(first, "Bert", token=OWN))) == "password"
    assert code_of(answer(knock(first, "Bert", SECRET, token=OWN))) == "auth"
    assert code_of(answer(knock(first, "Bert", "another word", token=OWN))) == "joined"


def test_a_private_realm_asks_owners_for_an_invite(begin: Begin) -> None:
    """A name on an open realm is no way into a private one; an invite is spent once, for a device or a password."""
    first, second = begin(), begin(PRIVATE)
    settled(first)
    directory = second.store.directory
    assert code_of(answer(knock(second, "Bert", token=OWN))) == "invite"
    assert code_of(answer(knock(second, "Bert", SECRET, token=OTHER))) == "invite"
    assert code_of(answer(knock(second, "Bert", token=OWN, invite="a" * 16))) == "invite"
    found = directory.account_by_name("bert")
    assert found is not None
    assert found.is_new_here
    alone = SqlDirectory(directory.transactions)  # type: ignore[attr-defined]  # as a file that is made of this realm has it
    assert not alone.knows_device(found.number, device_of(OWN))
    code = invites.invite(directory, 1, 5)
    pass_s(second, 60)
    assert code_of(answer(knock(second, "Bert", SECRET, token=OTHER, invite=code))) == "joined"
    pass_s(second, 60)
    assert code_of(answer(knock(second, "Bert", token=OWN))) == "joined"
    assert code_of(answer(knock(second, "Carl", token=b"c" * 32, invite=code))) == "invite"
    assert alone.knows_device(found.number, device_of(OWN))


def test_a_ban_is_of_one_realm(begin: Begin) -> None:
    """Neither the banned name nor another name of its device is let in there."""
    first, second = begin(), begin()
    knock(second, "Bert", token=OWN)
    banned = second.store.directory.account_by_name("bert")
    assert banned is not None
    second.store.directory.ban(banned.number, second.wall_s + 10**6)
    knock(first, "Carl", token=OWN)
    pass_s(second, 60)
    assert code_of(answer(knock(second, "Bert", token=OWN))) == "banned"
    assert code_of(answer(knock(second, "Carl", token=OWN))) == "banned"
    assert code_of(answer(knock(first, "Bert", token=OWN))) == "joined"


def test_an_unused_name_is_free_on_all_realms(begin: Begin) -> None:
    """After 30 days another player takes it on one realm; where its owner has a life, that one keeps it, and else gets another."""
    first, second, third = begin(), begin(), begin()
    for server in (first, second):
        knock(server, "Bert", token=OWN).leave()
        server.advance(30)
    for server in (first, second, third):
        pass_s(server, limits.NAME_FREE_S + 60)
    assert code_of(answer(knock(first, "Bert", token=OTHER))) == "joined"
    assert code_of(answer(knock(third, "Bert", token=OTHER))) == "joined"
    assert code_of(answer(knock(third, "Bert", token=OWN))) == "name"
    back = answer(knock(first, "Bert", token=OWN))
    assert isinstance(back, Joined)
    assert back.name == "Bert2"
    kept = answer(knock(second, "Bert", token=OWN))
    assert isinstance(kept, Joined)
    assert kept.name == "Bert"
    assert code_of(answer(knock(third, "Bert2", token=OWN))) == "joined"


def test_an_account_that_never_played_frees_its_name(begin: Begin) -> None:
    first, second = (begin().store.directory for _ in range(2))
    for name in ("Bert", "Carl", "Dora"):
        first.create_account(name, b"h" * 32, 5)
    found = second.account_by_name("carl")
    assert found is not None
    second.admit(found.number)
    second.create_account("Zoe", b"z" * 32, 5)
    assert first.drop_unused(lambda _: False, 6, 0)[1] == [1, 2]
    assert second.create_account("Bert", b"i" * 32, 7).name == "Bert"
    with pytest.raises(NameTaken):
        second.create_account("Carl", b"i" * 32, 7)
    assert second.drop_unused(lambda _: False, 6, 0)[1] == [found.number, found.number + 1]
    assert first.account_by_name("carl") is None


def test_of_two_owners_the_first_has_the_name(cluster: Cluster) -> None:
    """Two realms of an old cluster, taken over in the wrong order: each owner keeps their own, the older one the host's."""
    realms = [cluster.realm() for _ in range(3)]
    late, early, third = map(cluster.address, realms)
    of_older_server(late, "Ann", OWN, 100)
    of_older_server(early, "Ann", OTHER, 50)
    for realm in realms[:2]:
        cluster.postgres.execute(f"DROP TABLE {realm}.hosted")
    for address in (late, early):
        with opened(address):
            pass
    with opened(third) as store, opened(late) as theirs, opened(early) as first:
        assert who(store, "ann") == [OTHER]
        assert who(theirs, "ann") == [OWN]
        assert who(first, "ann") == [OTHER]
        with pytest.raises(NameTaken):
            store.directory.create_account("Ann", device_of(OWN), 200)
        own = theirs.directory.account_by_name("ann")
        assert own is not None
        assert theirs.directory.set_password(own.number, "their hash", device_of(OWN), None)
        host = store.directory.account_by_name("ann")
        assert host is not None
        assert host.password_hash is None


def test_an_import_takes_no_name_from_its_owner(cluster: Cluster) -> None:
    """It has an older account of the name, of another person, and one of the owner, with a device that was removed since."""
    here, imported = (cluster.address(cluster.realm()) for _ in range(2))
    with opened(here) as store:
        for name in ("Ann", "Bea"):
            store.directory.create_account(name, device_of(OWN), 100)
        store.directory.set_password(2, "a hash", device_of(OWN), None)
        of_older_server(imported, "Ann", OTHER, 50)
        number = of_older_server(imported, "Bea", OWN, 100).number
        with opened(imported) as there:
            older = SqlDirectory(there.directory.transactions)  # type: ignore[attr-defined]  # of a cluster
            cluster.postgres.execute(f"DELETE FROM {imported.split('?')[0].split('/')[-1]}.hosted")
            older.add_device(number, device_of(OTHER), 110)
        with opened(imported) as there:
            assert who(there, "ann") == [OTHER]
            assert who(there, "bea") == who(store, "bea") == [OWN]
            assert who(store, "ann") == [OWN]
        with opened(cluster.address(cluster.realm())) as third:
            assert who(third, "ann") == [OWN]


def test_one_owner_of_an_old_cluster_has_one_account(cluster: Cluster) -> None:
    """The same device has the name on two realms: other devices and the password of both are theirs on all."""
    one, two, third = (cluster.address(cluster.realm()) for _ in range(3))
    of_older_server(one, "Ann", OWN, 100)
    number = of_older_server(two, "Ann", OWN, 50).number
    with opened(two) as store:
        store.directory.add_device(number, device_of(OTHER), 60)
        store.directory.set_password(number, "a hash", device_of(OWN), None)
    with opened(one) as store, opened(third) as there:
        assert who(store, "ann") == who(there, "ann") == [OWN, OTHER]
        found = store.directory.account_by_name("ann")
        assert found is not None
        assert found.password_hash == "a hash"


def test_two_realms_give_a_new_name_once(begin: Begin) -> None:
    """Both make it in the same moment: the second waits for the first, and then it is taken."""
    first, second = (begin().store.directory for _ in range(2))
    refused: list[NameTaken] = []

    def take() -> None:
        try:
            second.create_account("Bert", b"i" * 32, 6)
        except NameTaken as error:
            refused.append(error)

    thread = Thread(target=take)
    with first.together():
        first.create_account("Bert", b"h" * 32, 5)
        thread.start()
    thread.join(60)
    assert len(refused) == 1
    assert second.account_by_name("bert") is not None
    assert second.account_numbers() == {1}


@pytest.mark.parametrize("between", ["accounts_alike", "create_account"])
@pytest.mark.parametrize("rules", [OPEN, PRIVATE])
def test_one_device_takes_a_name_on_two_realms(
    begin: Begin, monkeypatch: pytest.MonkeyPatch, between: str, rules: AccessRules
) -> None:
    """The other realm is quicker, after this one has looked for the name: it is their own, and an invite is spent once."""
    first, second = begin(), begin(rules)
    directory = second.store.directory
    code, once = invites.invite(directory, 1, 5), [True]
    step = getattr(directory, between)

    def late(*values: object) -> object:
        if once:
            once.clear()
            assert code_of(answer(knock(first, "Bert", token=OWN))) == "joined"
        return step(*values)

    monkeypatch.setattr(directory, between, late)
    assert code_of(answer(knock(second, "Bert", token=OWN, invite=code))) == "joined"
    assert not once
    pass_s(second, 60)
    assert code_of(answer(knock(second, "Bert", token=OWN))) == "joined"
    assert code_of(answer(knock(second, "Bert", token=OTHER))) == "name"


def test_names_of_a_newer_server_are_refused(cluster: Cluster) -> None:
    with opened(cluster.address(cluster.realm())):
        pass
    cluster.postgres.execute("INSERT INTO _gloam.version (number) VALUES (99)")
    realm = cluster.realm()
    with pytest.raises(StorageError, match="names of this host have version 99"):
        open_store(cluster.address(realm))
    assert not cluster.postgres.execute(f"SELECT FROM pg_namespace WHERE nspname = '{realm}'")


def of_older_server(address: str, name: str, token: bytes, now_s: int) -> Account:
    """Make an account as a server does that knows nothing of names of a host."""
    with opened(address) as store:
        older = SqlDirectory(store.directory.transactions)  # type: ignore[attr-defined]  # of a cluster
        return older.create_account(name, device_of(token), now_s)


def who(store: Store, folded: str) -> list[bytes]:
    """Return which of the two devices a name knows."""
    account = store.directory.account_by_name(folded)
    assert account is not None
    known = store.directory.knows_device
    return [token for token in (OWN, OTHER) if known(account.number, device_of(token))]


def device_of(token: bytes) -> bytes:
    """Return the stored hash of a device's token."""
    return sha256(token).digest()
