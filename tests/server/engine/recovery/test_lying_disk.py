"""Disks that say what is not so: what was called durable and is lost, and what failed and is there all the same."""

import logging

import pytest

from gloam_lab.invariants import check_invariants
from gloam_server.engine.recovery.replay import verify
from gloam_server.storage.errors import StorageFault, StorageFull
from gloam_shared.protocol.commands import Move
from support.server.parties import actions, company, turn
from support.server.sim_server import SimServer
from support.storage.memory_store import MemoryStore


def memory(server: SimServer) -> MemoryStore:
    assert isinstance(server.store, MemoryStore)
    return server.store


def test_lie_power_cut_server_says_much_missing(caplog: pytest.LogCaptureFixture) -> None:
    """After a lie and a power cut the server says how much is missing and doubles nothing."""
    server, (anna, bert) = company("Anna", "Bert")
    for _ in range(3):
        turn(server, anna)
    durable, numbers = server.dungeon.state_hash(), server.body(anna).number
    memory(server).lie()
    for _ in range(4):
        turn(server, anna)
        turn(server, bert)
    done = anna.link.done
    lost = sum(len(batch) for batch in server.writer.appended[-8:])
    server.crash()
    memory(server).cut_power()

    with caplog.at_level(logging.ERROR):
        later = server.again()
    assert f"{lost} inputs are missing that were on disk" in caplog.text
    assert "Accounts, passwords, invites, bans and reports of that time may be missing" in caplog.text
    assert later.dungeon.state_hash() == durable
    again = later.join("Anna")
    assert (later.body(again).number, later.body(again).command) == (numbers, done - 4)
    turn(later, again, Move(1, 0))
    for level in later.dungeon.levels.values():
        check_invariants(level)
    assert verify(later.store, later.campaign)[1] == later.dungeon.state_hash()


def test_client_reported_more_disk_kept_goes() -> None:
    """A client that was shown more than the disk kept goes on with new numbers."""
    server, (anna,) = company("Anna")
    turn(server, anna)
    memory(server).lie()
    for _ in range(3):
        turn(server, anna)
    done = anna.link.done
    server.crash()
    memory(server).cut_power()
    later = server.again()

    anna.server = later
    later.clients.append(anna)
    anna.dial()
    later.advance(60)
    assert later.body(anna).command == done - 3
    turn(later, anna)
    assert later.body(anna).command == anna.link.done == done + 1
    assert actions(later, anna) == 2, "the one that was kept, and the new one"


@pytest.mark.parametrize("fault", [StorageFault("Broken."), StorageFull("Full.")])
def test_beat_failed_and_landed_not_written_twice(fault: StorageFull) -> None:
    """A beat that failed and landed is not written twice and play goes on."""
    server, (anna, bert) = company("Anna", "Bert")
    memory(server).journal.fail_next(fault, times=2, landed=True)
    turn(server, anna)
    server.advance(2_500)
    turn(server, bert)
    assert (actions(server, anna), actions(server, bert)) == (1, 1)
    assert not server.fatal
    assert anna.link.unanswered is None
    assert verify(server.store, server.campaign)[1] == server.dungeon.state_hash()
    assert server.again().dungeon.state_hash() == server.dungeon.state_hash()
