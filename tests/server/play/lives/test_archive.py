"""Players who stay away for a week: their lives go out of memory, and return as they were."""

import logging

import pytest
from msgspec.structs import replace

from gloam_server.engine.archive.archiver import AFTER_DAYS, AT_ONCE_MAX, GAP_S
from gloam_server.engine.faults.fault_isolation import ENTRY_CLOSED
from gloam_server.engine.journal_budget import JournalBudget
from gloam_server.engine.recovery.replay import verify
from gloam_server.storage.errors import StorageFault
from gloam_server.world.effects.map_memory import give_memory
from gloam_server.world.model.inputs import ArchiveLife, EnterPlay, RestoreLife, StoreBody, encode
from gloam_server.world.realm.realm import archived_of
from gloam_shared.protocol.commands import Drop, Wait
from gloam_shared.protocol.messages.lives import NewLife
from gloam_shared.protocol.messages.login import Bye, Joined
from gloam_shared.protocol.messages.parties import AnswerInvite, InviteToParty
from support.content.campaigns import shipped
from support.run.fault_seam import FaultSeam
from support.server.journal_checks import whole
from support.server.parties import SPACING_MS, granted
from support.server.sim_server import SimClient, SimServer
from support.storage.memory_directory import MemoryDirectory
from support.storage.memory_store import MemoryStore

DAY_S = 86_400


def played(server: SimServer, name: str, turns: int = 2) -> SimClient:
    """Let a player join, act and leave."""
    client = server.join(name, host=f"10.1.{len(server.clients)}.1")
    for _ in range(turns):
        client.command(Wait())
        server.advance(SPACING_MS)
    client.leave()
    server.advance(100)
    return client


def weeks_pass(server: SimServer, *, looks: int = 4) -> None:
    """Let a player join after a week, and act until lives have gone."""
    server.wall_s += AFTER_DAYS * DAY_S + 60
    keeper = server.join("Keeper", host="10.9.9.9")
    for _ in range(looks):
        keeper.command(Wait())
        server.advance(GAP_S * 1_000 + 50)


def found(server: SimServer) -> SimClient:
    """Let a player join after a week, and act until the absent are found, and none has gone yet."""
    server.wall_s += AFTER_DAYS * DAY_S + 60
    keeper = server.join("Keeper", host="10.9.9.9")
    for _ in range(20):
        if server.engine.loop._archiver._found:
            return keeper
        keeper.command(Wait())
        server.advance(2 * SPACING_MS)
    raise AssertionError("no player was found absent")


def archived(server: SimServer) -> dict[int, int]:
    return archived_of(server.dungeon.realm)


def kept(server: SimServer, account: int) -> bytes:
    """Return the bytes of what the realm holds of a player who is not there, and of the map memory of level 1."""
    life = server.dungeon.realm.lives[account]
    assert life.kept is not None
    stored = StoreBody(replace(life.kept, grace=0), life.partition, (0, 0, 0))  # an arrival has it again
    return encode(stored) + server.dungeon.levels[1].memory[life.number]


def gloam(archive_days: int = AFTER_DAYS) -> SimServer:
    return SimServer(campaign=shipped("gloam"), archive_days=archive_days)


@pytest.mark.thorough
def test_a_life_goes_and_comes_back_as_it_was() -> None:
    """The same body, items, hunger and map memory; the journal leads to the same state without reading a row."""
    server = gloam()
    anna = server.join("Anna")
    granted(server, anna, "knife", 1)
    for _ in range(3):
        anna.command(Wait())
        server.advance(SPACING_MS)
    account = anna.connection.player
    anna.leave()
    server.advance(100)
    number, before = server.dungeon.realm.lives[account].number, kept(server, account)
    weeks_pass(server)

    assert list(archived(server)) == [account]
    assert account not in server.dungeon.realm.lives
    assert number not in server.dungeon.levels[1].memory
    assert server.engine.players.by_account(account) is None
    whole(server)

    again = server.again()
    back = again.join("Anna")
    assert not archived(again)
    body = again.body(back)
    assert (body.number, body.actions) == (number, 3)
    assert "knife" in [item.kind for item in body.carried]
    assert [each.life for each in back.of_kind(Joined)] == [1]
    back.leave()
    again.advance(100)
    assert kept(again, account) == before
    whole(again)


@pytest.mark.rule("A85")
def test_few_go_at_once_and_only_the_absent() -> None:
    server = gloam()
    for at in range(2 * AT_ONCE_MAX):
        played(server, f"Player{at}")
    stays = server.join("Stays", host="10.8.8.8")
    stays.command(Wait())
    server.advance(SPACING_MS)
    weeks_pass(server, looks=1)
    assert len(archived(server)) <= AT_ONCE_MAX
    weeks_pass(server, looks=6)
    assert len(archived(server)) == 2 * AT_ONCE_MAX
    assert stays.connection.player in server.dungeon.realm.lives


@pytest.mark.parametrize(("days", "gone"), [(0, False), (30, False), (3, True)])
def test_the_host_says_after_how_many_days(days: int, gone: bool) -> None:
    server = gloam(archive_days=days)
    played(server, "Anna")
    weeks_pass(server)
    assert bool(archived(server)) is gone


def test_members_of_a_party_stay_in_memory() -> None:
    server = gloam()
    anna, bert = server.join("Anna"), server.join("Bert")
    for client in (anna, bert):
        client.command(Wait())
        server.advance(SPACING_MS)
    anna.send(InviteToParty("Bert"))
    server.advance(100)
    bert.send(AnswerInvite("Anna", True))
    server.advance(100)
    assert server.dungeon.realm.parties
    for client in (anna, bert):
        client.leave()
    server.advance(100)
    weeks_pass(server)
    assert not archived(server)


def test_a_life_that_never_acted_is_forgotten() -> None:
    """A password keeps its account: the next life is as new as the one that was never played."""
    server = gloam()
    account = played(server, "Anna", turns=0).connection.player
    server.store.directory.set_password(account, "a hash", b"", None)
    weeks_pass(server)
    assert not archived(server)
    assert account not in server.dungeon.realm.lives
    back = server.join("Anna")
    assert back.connection.player == account
    assert server.body(back).family == ""


def test_who_comes_first_is_not_archived() -> None:
    """The search has found the account, and the player comes before the life goes."""
    server = gloam()
    anna = played(server, "Anna")
    keeper = found(server)
    back = server.join("Anna")
    for _ in range(4):
        keeper.command(Wait())
        server.advance(GAP_S * 1_000 + 50)
    assert not archived(server)
    assert back.connection.player == anna.connection.player
    assert server.body(back).actions == 2


def test_who_waits_at_the_door_is_not_archived(seam: FaultSeam) -> None:
    """A player is connected, and their body is not in play yet: they wait until the debt of their last visit is paid."""
    server = gloam()
    account = played(server, "Anna").connection.player
    keeper = found(server)
    with seam.fault(JournalBudget.when_paid, lambda *_: True):
        server.join("Anna")
        for _ in range(4):
            keeper.command(Wait())
            server.advance(GAP_S * 1_000 + 50)
    life = server.dungeon.realm.lives[account]
    assert life.kept is not None
    assert not archived(server)


def test_a_damaged_row_costs_the_life_alone(caplog: pytest.LogCaptureFixture) -> None:
    """One sentence for the host; the player begins the next life, and others play on."""
    server = gloam()
    account = played(server, "Anna").connection.player
    weeks_pass(server)
    store = server.store
    assert isinstance(store, MemoryStore)
    store.directory._archived = [row for row in store.directory._archived if row.partition]
    with caplog.at_level(logging.ERROR):
        back = server.join("Anna")
    errors = [record for record in caplog.records if record.levelno >= logging.ERROR]
    assert [record.getMessage() for record in errors] == [
        f"The archived life of account {account} cannot be read (its row is missing); its player begins a new life."
    ]
    assert server.body(back).family == "Anna II"
    assert not archived(server)
    whole(server)


def test_a_disk_that_fails_now_costs_no_life(seam: FaultSeam) -> None:
    """The rows cannot be read at this moment: the player is sent away, and joins later with the same life."""
    server = gloam()
    played(server, "Anna")
    weeks_pass(server)

    def fails(*_: object) -> None:
        raise StorageFault("It fails.")

    with seam.fault(MemoryDirectory.archived_life, fails):
        back = server.join("Anna")
    assert [bye.code for bye in back.of_kind(Bye)] == ["busy"]
    assert archived(server)
    assert server.body(server.join("Anna")).actions == 2


def test_a_failing_rule_costs_no_life(seam: FaultSeam) -> None:
    """A fault while the life is restored: nothing changes, the player is sent away, and joins after the repair."""
    server = gloam()
    played(server, "Anna")
    weeks_pass(server)

    def fails(*_: object) -> None:
        raise ZeroDivisionError

    with seam.fault(give_memory, fails):
        back = server.join("Anna")
    assert [bye.text for bye in back.of_kind(Bye)] == [ENTRY_CLOSED]
    assert archived(server)
    assert not server.dungeon.closed
    whole(server)
    assert server.again().join("Anna").of_kind(Joined)


@pytest.mark.rule("A85")
def test_messages_by_hand_change_nothing() -> None:
    """A player who sends what a client never does brings neither an archive nor a return about."""
    server = gloam()
    account = played(server, "Anna").connection.player
    weeks_pass(server)
    keeper = next(client for client in server.clients if client.up)
    before = len([each for each in server.inputs(0) if isinstance(each, ArchiveLife | RestoreLife)])
    for life in range(3):
        keeper.send(NewLife(life, None))
    keeper.command(Drop(0))
    server.advance(200)
    server.engine.loop.submit(0, EnterPlay(account, "Anna"))
    server.advance(100)
    after = [each for each in server.inputs(0) if isinstance(each, ArchiveLife | RestoreLife)]
    assert len(after) == before == 1
    assert list(archived(server)) == [account]


def test_two_connections_restore_a_life_once() -> None:
    server = SimServer(campaign=shipped("gloam"), write_s=0.05)
    anna = server.join("Anna")
    server.advance(1_000)
    for _ in range(2):
        anna.command(Wait())
        server.advance(1_000)
    anna.leave()
    server.advance(1_000)
    weeks_pass(server, looks=8)
    assert archived(server)
    first, second = (SimClient(server, "Anna", b"Anna".ljust(32, b".")) for _ in range(2))
    server.clients += [first, second]
    server.advance(2_000)
    assert any(isinstance(each, RestoreLife) for each in server.inputs(0))
    assert server.body(second).actions == 2
    assert [bye.code for bye in first.of_kind(Bye)] == ["replaced"]
    assert verify(server.store, server.campaign)[1] == server.dungeon.state_hash()
