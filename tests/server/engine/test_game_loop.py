"""Beats: all of one in one append, nothing shown before it is durable, and what happens when the disk does not want."""

from typing import Any
from unittest import mock

import pytest

from gloam_server.engine.publishing.broadcaster import Broadcaster
from gloam_server.engine.recovery.journal_tail import JournalTail
from gloam_server.engine.recovery.replay import verify
from gloam_server.engine.turns.idle_players import IdlePlayers
from gloam_server.engine.turns.level_runner import LevelRunners
from gloam_server.storage.errors import StorageError, StorageFault, StorageFull, WrongSequence
from gloam_server.world.ai.behaviors import decide
from gloam_server.world.model.inputs import Turn
from gloam_server.world.transition import turn as turns_of_the_world
from gloam_server.world.transition.version import RULES_VERSION
from gloam_shared import limits
from gloam_shared.protocol.commands import Wait
from gloam_shared.protocol.messages.login import Notice
from gloam_shared.protocol.messages.play import Heartbeat
from gloam_shared.protocol.messages.records import AskMapMemory, MapMemory
from support.run.fault_seam import FaultSeam
from support.server.parties import SPACING_MS, actions, company, threatened, turn, updates
from support.server.sim_server import SimClient, SimServer
from support.storage.memory_store import MemoryStore


def stuck(error: StorageError, times: int, *names: str) -> tuple[SimServer, list[SimClient]]:
    """Return a company whose journal refuses the next appends."""
    server, players = company(*names)
    for player in players:
        player.hear()
    assert isinstance(server.store, MemoryStore)
    server.store.journal.fail_next(error, times)
    return server, players


def test_what_follows_from_one_input_is_one_append() -> None:
    server = SimServer()
    server.join("Anna")
    assert [record.partition for record in server.writer.appended[0]] == [0, 1], "entering, and arriving"


def test_a_life_begins_and_is_shown_in_one_batch() -> None:
    """A player who joins a level before its turns are looked at asks for no second look at all levels."""
    server = SimServer()
    server.join("Anna")
    server.advance(1_000)
    with mock.patch.object(LevelRunners, "run_due", autospec=True, side_effect=LevelRunners.run_due) as looks:
        bert = server.join("Bert")
    assert bert.view.place.depth > 0
    assert looks.call_count == 1


def test_all_turns_that_are_due_are_one_append() -> None:
    server, (anna, bert, carl) = company("Anna", "Bert", "Carl", write_s=0.1)
    server.writer.appended.clear()
    for player in (anna, bert, carl):
        player.command(Wait())
    server.advance(400)
    assert [len(batch) for batch in server.writer.appended] == [1, 2]


def test_nothing_is_shown_before_it_is_durable() -> None:
    server, (anna,) = company("Anna", write_s=0.3)
    anna.hear()
    anna.command(Wait())
    server.advance(290)
    assert actions(server, anna) == 1, "it has been applied"
    assert updates(anna) == []
    server.advance(20)
    assert len(updates(anna)) == 1


def test_nothing_applied_while_commit_under_way() -> None:
    """Nothing is applied while a commit is under way."""
    server, (anna, bert) = company("Anna", "Bert", write_s=0.3)
    anna.command(Wait())
    bert.command(Wait())
    server.advance(250)
    assert (actions(server, anna), actions(server, bert)) == (1, 0)
    server.advance(100)
    assert (actions(server, anna), actions(server, bert)) == (1, 1)


def test_remembered_not_reported_before_durable() -> None:
    """The server sends nothing recalled before it is durable."""
    server, (anna,) = company("Anna", write_s=0.3)
    anna.command(Wait())
    anna.send(AskMapMemory(1))
    server.advance(290)
    assert anna.of_kind(MapMemory) == []
    server.advance(20)
    assert len(anna.of_kind(MapMemory)) == 1


def test_refusal_follows_turn_waits_turn_durable() -> None:
    """A refusal that follows from a turn waits for the turn to be durable."""
    from gloam_shared.protocol.commands import Explore
    from gloam_shared.protocol.messages.play import Answer

    server, (anna,) = company("Anna", write_s=0.3)
    anna.command(Explore())
    server.put("statue", server.body(anna).cell)  # it arrives with the next beat, and the plan ends in it
    server.advance(320)
    anna.hear()
    server.advance(250)
    assert [each for each in anna.hear() if isinstance(each, Answer)] == []
    server.advance(60)
    assert [each.code for each in anna.hear() if isinstance(each, Answer)] == ["foe"]


def test_full_disk_keeps_beat_and_tells() -> None:
    """A full disk keeps the beat and tells everybody."""
    server, (anna, bert) = stuck(StorageFull("The disk is full."), 3, "Anna", "Bert")
    anna.command(Wait())
    server.advance(2_500)
    for player in (anna, bert):
        assert len(player.of_kind(Notice)) == 1
        assert "disk" in player.of_kind(Notice)[0].text
    assert updates(anna) == []
    assert not server.fatal


def test_tried_second_and_goes_nothing_lost() -> None:
    """It is tried again every second and then goes on with nothing lost."""
    server, (anna, bert) = stuck(StorageFull("The disk is full."), 3, "Anna", "Bert")
    server.writer.appended.clear()
    anna.command(Wait())
    bert.command(Wait())
    server.advance(2_900)
    assert len(server.writer.appended) == 3
    server.advance(200)
    assert server.writer.appended[0] == server.writer.appended[3], "the same beat each time"
    assert (actions(server, anna), actions(server, bert)) == (1, 1)
    assert anna.of_kind(Notice)[-1] == Notice("")
    assert anna.link.unanswered is None
    assert verify(server.store, server.campaign)[1] == server.dungeon.state_hash()


def test_a_slow_refusal_is_tried_again_soon() -> None:
    """Each attempt begins a second after the one before; one that took longer waits no more."""
    server, (anna,) = stuck(StorageFault("No answer."), 3, "Anna")
    server.writer.appended.clear()
    server.writer.delay_s = 0.8
    anna.command(Wait())
    server.advance(2_500)
    assert len(server.writer.appended) == 3
    server.writer.delay_s = 1.5
    server.advance(3_000)
    assert actions(server, anna) == 1


@pytest.mark.parametrize("fault", [StorageFull("Full."), StorageFault("Broken.")])
def test_nothing_is_applied_while_the_disk_refuses(fault: StorageError) -> None:
    server, (anna, bert) = stuck(fault, 5, "Anna", "Bert")
    anna.command(Wait())
    server.advance(100)
    before = server.dungeon.state_hash()
    bert.command(Wait())
    server.advance(3_000)
    assert server.dungeon.state_hash() == before


def test_an_arrival_during_a_disk_fault_is_informed() -> None:
    server, (anna,) = stuck(StorageFull("The disk is full."), 5, "Anna")
    anna.command(Wait())
    bert = server.join("Bert")
    assert len(bert.of_kind(Notice)) == 1
    server.advance(6_000)
    assert [notice.text for notice in bert.of_kind(Notice)][1:] == [""]
    assert bert.view.place.depth == 1


def test_another_writer_stops_the_server() -> None:
    server, (anna,) = stuck(WrongSequence("Another server has written to this world."), 1, "Anna")
    anna.command(Wait())
    server.advance(5_000)
    assert server.fatal == ["Another server has written to this world."]
    assert updates(anna) == []


def test_server_fenced_off_stopped() -> None:
    """A server that was fenced off can be stopped and writes nothing more."""
    server, (anna,) = stuck(WrongSequence("Another server has written to this world."), 1, "Anna")
    anna.command(Wait())
    written = len(server.writer.appended)
    server.stop()
    assert len(server.writer.appended) == written


def test_stop_under_way() -> None:
    """A stop under way when another writer shows ends all the same."""
    server, (anna,) = company("Anna", write_s=0.3)
    assert isinstance(server.store, MemoryStore)
    server.store.journal.fail_next(WrongSequence("Another server has written to this world."))
    anna.command(Wait())
    stopped: list[object] = []
    server.engine.loop.stop().addBoth(stopped.append)
    server.advance(400)
    assert stopped == [None]


def test_an_unrebuildable_level_stops_the_server(seam: FaultSeam) -> None:
    """A place that cannot be built again stops the server and leaves the journal whole."""
    server, (anna,) = company("Anna")
    server.put("kobold", server.body(anna).cell)
    durable = server.dungeon.state_hash()

    def broken(*_: Any) -> None:
        raise ZeroDivisionError("a rule is broken")

    with (
        seam.fault(decide, broken, within=turns_of_the_world),
        seam.fault(JournalTail.base, lambda *_: None),
    ):
        anna.command(Wait())
    assert len(server.fatal) == 1
    assert "RebuildFailed" in server.fatal[0]

    anna.command(Wait())
    server.advance(SPACING_MS)
    server.stop()
    assert len(server.fatal) == 1
    assert verify(server.store, server.campaign)[1] == durable
    assert server.again().dungeon.state_hash() == durable


def test_a_fault_in_showing_does_not_stop_the_beats(seam: FaultSeam) -> None:
    server, (anna, bert) = company("Anna", "Bert", write_s=0.3)

    def broken(*_: Any, **__: Any) -> None:
        raise ZeroDivisionError("showing is broken")

    anna.command(Wait())
    bert.command(Wait())
    with seam.fault(server.engine.views.show, broken):
        server.advance(310)
    server.advance(1_000)

    assert not server.fatal
    assert (actions(server, anna), actions(server, bert)) == (1, 1)
    assert anna.link.unanswered is None


def test_a_stop_waits_for_the_beat_under_way() -> None:
    server, (anna,) = company("Anna", write_s=0.3)
    anna.command(Wait())
    stopped: list[object] = []
    server.engine.loop.stop().addBoth(stopped.append)
    assert stopped == []
    server.advance(1_000)
    assert stopped == [None]
    assert any(isinstance(each, Turn) for each in server.inputs(1))


def test_clean_stop_leaves_place_snapshotted() -> None:
    """A clean stop leaves every place snapshotted where it stands."""
    server, (anna,) = company("Anna")
    turn(server, anna)
    server.stop()
    for partition in server.dungeon.partitions():
        newest = server.store.snapshots.marks(partition)[0]
        assert (newest.sequence, newest.rules) == (
            server.store.journal.last_sequence(partition),
            RULES_VERSION,
        )


@pytest.mark.parametrize("crashed", [True, False], ids=["after a crash", "new"])
def test_server_stopped_at_once_leaves_no_tail(*, crashed: bool) -> None:
    """A server that is stopped immediately leaves no tail either."""
    server = SimServer()
    if crashed:
        turn(server, server.join("Anna"))
        server.crash()
        server = server.again()
    server.stop()
    for partition in server.dungeon.partitions():
        assert server.store.snapshots.marks(partition)[0].sequence == server.store.journal.last_sequence(
            partition
        )


def test_a_stop_does_not_wait_for_a_full_disk() -> None:
    server, (anna,) = stuck(StorageFull("The disk is full."), 100, "Anna")
    durable = server.dungeon.state_hash()
    anna.command(Wait())
    server.advance(2_500)
    stopped: list[object] = []
    server.engine.loop.stop().addBoth(stopped.append)
    server.advance(1_100)
    assert stopped == [None]
    assert updates(anna) == []
    assert server.again().dungeon.state_hash() == durable


def test_nothing_happens_after_a_stop() -> None:
    server, (anna,) = company("Anna")
    server.stop()
    written = len(server.writer.appended)
    anna.command(Wait())
    server.advance(1_000)
    assert len(server.writer.appended) == written


def test_danger_not_quiet_dungeon_writes_nothing() -> None:
    """In danger or not a quiet dungeon writes nothing."""
    server, (anna, bert) = company("Anna", "Bert")
    threatened(server, anna, bert)
    written = len(server.writer.appended)
    server.advance(120_000)
    assert len(server.writer.appended) == written


def test_players_nothing_timers_heartbeats() -> None:
    """With players who do nothing the only timers are one for all heartbeats and one for the mark of absence."""
    server, (anna, bert) = company("Anna", "Bert")
    server.advance(2_000)
    heartbeats = 1
    assert server.timers() == heartbeats + 1
    server.advance(66_000)
    assert (
        [friend.marks for friend in anna.view.party] == [friend.marks for friend in bert.view.party] != [0, 0]
    )
    assert server.timers() == heartbeats, "both are away: nothing of the world is left to come"


def test_wake_in_an_empty_batch_is_not_lost() -> None:
    """A wake during the showing was lost until the next due time, if the batch had no input."""
    server, (anna, _) = company("Anna", "Bert")
    server.advance(200_000)
    carried_out = actions(server, anna)
    mark_away = IdlePlayers.mark_away

    def command_meanwhile(self: IdlePlayers, now_ms: int) -> None:
        mark_away(self, now_ms)
        marking.side_effect = mark_away
        anna.command(Wait())

    with mock.patch.object(IdlePlayers, "mark_away", autospec=True, side_effect=command_meanwhile) as marking:
        server.engine.loop.wake()
        server.advance(5)

    assert actions(server, anna) == carried_out + 1


def test_ten_players_who_are_away_cost_heartbeats_only() -> None:
    """In a minute the loop never looks at the world, and each client gets a message every five seconds."""
    server, players = company(*(f"Guest{at}" for at in range(10)))
    server.advance(70_000)
    for player in players:
        player.hear()
    with mock.patch.object(
        Broadcaster, "publish", autospec=True, side_effect=Broadcaster.publish
    ) as published:
        server.pass_time(60_000)
    heard = [message for player in players for message in player.hear()]
    assert published.call_count == 0
    assert {type(message) for message in heard} == {Heartbeat}
    assert len(heard) <= len(players) * 60 // limits.HEARTBEAT_S
