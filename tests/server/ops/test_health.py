"""Health: problems are reported in words, on the wire, over HTTP and to the host."""

import json
import re

import pytest
from msgspec.structs import replace
from prometheus_client import generate_latest

from gloam_server.engine import health
from gloam_server.engine.journal_budget import ROW_BYTES
from gloam_server.engine.server_statistics import ViewCounts
from gloam_server.ops.http_endpoint import health_page
from gloam_server.ops.metrics import registry_of
from gloam_server.storage.errors import StorageFull
from gloam_shared.protocol.commands import Wait
from gloam_shared.protocol.messages.login import AskStatus, Status
from support.run.fault_seam import FaultSeam
from support.server.raw_client import RawClient
from support.server.running import running
from support.server.sim_server import SimServer


def page(server: SimServer) -> tuple[int, dict[str, object]]:
    answer = health_page(running(server))
    return answer.status, json.loads(answer.body)


def is_ready(server: SimServer) -> bool:
    client = RawClient(server)
    client.say(AskStatus())
    [status] = client.of_kind(Status)
    assert isinstance(status, Status)
    return status.ready


def test_all_is_well_while_people_play() -> None:
    server = SimServer()
    server.join("Anna").command(Wait())
    server.advance(1_000)
    assert health.problems(server.engine.statistics, server.engine.clock.seconds()) == ()
    assert is_ready(server)
    expected = {"ok": True, "wrong": [], "damage": [], "players": 1, "uptime_s": 0, "version": "test"}
    assert page(server) == (200, expected)


def test_a_full_disk_is_reported_until_there_is_room(seam: FaultSeam) -> None:
    server = SimServer()
    anna = server.join("Anna")

    def full(*_: object) -> None:
        raise StorageFull("The disk is full.")

    with seam.fault(server.store.journal.append, full):
        anna.command(Wait())
        server.advance(100)
        assert not is_ready(server)
        status, output = page(server)
    assert (status, output["ok"], output["wrong"]) == (
        503,
        False,
        ["the disk refuses to be written: play stands still"],
    )
    assert server.engine.statistics.journal_refusals == 1

    server.advance(2_000)
    assert page(server)[0] == 200
    assert is_ready(server)


def test_disk_not_answer_reported_after_five_seconds() -> None:
    """bound: STUCK_S."""
    server = SimServer()
    anna = server.join("Anna")
    server.writer.delay_s = 100
    anna.command(Wait())
    server.advance(4_000)
    assert "not answered" not in " ".join(
        health.problems(server.engine.statistics, server.engine.clock.seconds())
    )
    server.advance(2_000)
    [result] = health.problems(server.engine.statistics, server.engine.clock.seconds())
    assert re.fullmatch("the disk has not answered for [56] s: play stands still", result)


@pytest.mark.parametrize(("sync_s", "slow"), [(0.0, False), (0.9, False), (1.1, True), (2.5, True)])
def test_slow_disk_reported_while_writes(sync_s: float, *, slow: bool) -> None:
    """bound: SLOW_S."""
    server = SimServer()
    anna = server.join("Anna")
    server.writer.delay_s = sync_s
    anna.command(Wait())
    server.advance(int(sync_s * 1_000) + 200)
    assert server.engine.statistics.asked_s is None, "it is written by now"
    assert [
        page(server)[0] == 503,
        not is_ready(server),
        bool(health.problems(server.engine.statistics, server.engine.clock.seconds())),
    ] == [slow] * 3
    if slow:
        [result] = health.problems(server.engine.statistics, server.engine.clock.seconds())
        assert re.fullmatch(r"the disk is slow: it took \d\.\d s to keep a turn, .*", result)
        assert b"gloam_healthy 0.0" in generate_latest(registry_of(running(server)))

    server.writer.delay_s = 0.0
    anna.command(Wait())
    server.advance(100)
    assert health.problems(server.engine.statistics, server.engine.clock.seconds()) == (), (
        "the newest append counts"
    )


def test_a_slow_append_is_reported_before_it_has_ended() -> None:
    server = SimServer()
    anna = server.join("Anna")
    server.writer.delay_s = 2.5
    anna.command(Wait())
    server.advance(1_500)
    assert server.engine.statistics.asked_s is not None
    assert "the disk is slow" in health.problems(server.engine.statistics, server.engine.clock.seconds())[0]


def test_disk_slow_nothing_known_minute_later() -> None:
    """bound: RECENT_S."""
    server = SimServer()
    anna = server.join("Anna")
    server.writer.delay_s = 2.5
    anna.command(Wait())
    server.advance(3_000)
    appended_s = server.engine.statistics.appended_s
    assert health.problems(server.engine.statistics, server.engine.clock.seconds())
    server.engine.statistics.appended_s = appended_s - health.RECENT_S
    assert health.problems(server.engine.statistics, server.engine.clock.seconds()) == ()


def test_the_numbers_for_a_person() -> None:
    server = SimServer()
    assert (
        health.describe(server.engine.statistics, ViewCounts(), 0)[0] == "turns: none yet; journal: none yet"
    )
    anna = server.join("Anna")
    for _ in range(3):
        anna.command(Wait())
        server.advance(60)
    measures = server.engine.statistics
    now_s = server.engine.clock.seconds()
    turns, commands, store, sent, refusals = health.describe(
        measures, replace(server.front.counts({}), refusals={"rate": 1_200, "depth": 3, "keys": 0}), now_s
    )
    assert (
        turns
        == "turns: 99 of 100 within 0 ms, the longest 0 ms; journal: 99 of 100 within 0 ms, the longest 0 ms"
    )
    assert commands == f"3 commands, {measures.patches} patches"
    assert store == f"{measures.journal_bytes:,} bytes of journal in the last hour"
    assert 3 * ROW_BYTES < measures.journal_bytes < 3_000
    assert health.describe(measures, ViewCounts(), now_s + 3_600)[2] == "0 bytes of journal in the last hour"
    assert sent == f"{measures.traffic.bytes_in:,} bytes in, {measures.traffic.bytes_out:,} bytes out"
    assert refusals == "1,203 refusals (rate 1,200, depth 3), 0 faults kept apart"
