"""Metrics: every number of a session, exactly, in a registry of its own, with labels that no one can add to."""

import re

from prometheus_client import REGISTRY, CollectorRegistry, generate_latest

from gloam_server.engine.server_statistics import COMMANDS
from gloam_server.gateway.rejections import REASONS
from gloam_server.ops.admin import RunningServer
from gloam_server.ops.metrics import RealmCollector, registry_of
from gloam_shared.protocol.commands import Wait
from gloam_shared.protocol.framing import first_frame
from support.server.parties import company, threatened
from support.server.raw_client import RawClient
from support.server.running import running
from support.server.sim_server import SimServer


def realm(server: SimServer) -> RunningServer:
    return running(server, began_ms=server.now_ms - 5_000)


def lines(server: SimServer) -> dict[str, float]:
    registry = CollectorRegistry()
    registry.register(RealmCollector(realm(server)))
    text = generate_latest(registry).decode()
    return {
        name: float(value)
        for name, _, value in (line.rpartition(" ") for line in text.splitlines() if line[0] != "#")
    }


def test_a_session_in_numbers() -> None:
    server, (anna, bert) = company("Anna", "Bert")
    before = lines(server)
    anna.command(Wait())
    server.advance(60)
    threatened(server, anna, bert)
    bert.command(Wait())
    server.advance(60)
    stranger = RawClient(server)
    stranger.send(first_frame(b"\xc1"))
    now = lines(server)

    assert now['gloam_info{campaign="arena",version="test"}'] == 1
    assert now["gloam_uptime_seconds"] == 5
    assert (now["gloam_healthy"], now["gloam_players"], now["gloam_players_max"]) == (1, 2, 64)
    assert (now["gloam_bodies"], now["gloam_connections"]) == (2, 3)
    assert (before['gloam_turn_groups{held="no"}'], before['gloam_turn_groups{held="yes"}']) == (2, 0)
    assert (now['gloam_turn_groups{held="no"}'], now['gloam_turn_groups{held="yes"}']) == (0, 1)
    assert now['gloam_commands_total{kind="Wait"}'] == 2
    assert now['gloam_commands_total{kind="Move"}'] == 0
    assert now['gloam_refusals_total{reason="malformed"}'] == 1
    assert now['gloam_refusals_total{reason="depth"}'] == 0
    assert now["gloam_patches_total"] > before["gloam_patches_total"] > 0
    assert now["gloam_received_bytes_total"] > before["gloam_received_bytes_total"] > 0
    assert now["gloam_sent_bytes_total"] > before["gloam_sent_bytes_total"] > 0
    assert now["gloam_inputs_total"] == sum(
        server.store.journal.last_sequence(at) for at in server.store.partitions()
    )
    assert now["gloam_errors_isolated_total"] == now["gloam_journal_refusals_total"] == 0
    assert now["gloam_journal_seconds_count"] == len(server.writer.appended)
    turns = sum(
        type(each).__name__ == "Turn"
        for partition in server.store.partitions()
        for each in server.inputs(partition)
    )
    assert now["gloam_turn_seconds_count"] == now['gloam_turn_seconds_bucket{le="+Inf"}'] == turns
    assert now['gloam_beat_seconds_bucket{le="0.0005"}'] == now["gloam_beat_seconds_count"]
    server.engine.statistics.reactor.observe(0.06)
    assert lines(server)['gloam_reactor_seconds_bucket{le="0.05"}'] == 0
    assert lines(server)["gloam_reactor_seconds_count"] == 1


def test_slow_disk_shows_journal_times_alone() -> None:
    """A slow disk shows in the journal s times alone."""
    server = SimServer(write_s=0.2)
    anna = server.join("Anna")
    server.advance(2_000)
    before = lines(server)["gloam_journal_seconds_count"]
    anna.command(Wait())
    server.advance(2_000)
    now = lines(server)
    assert now["gloam_journal_seconds_count"] == before + 1
    assert now['gloam_journal_seconds_bucket{le="0.1"}'] == 0
    assert now['gloam_journal_seconds_bucket{le="0.25"}'] >= 1
    assert now['gloam_turn_seconds_bucket{le="0.0005"}'] == now["gloam_turn_seconds_count"]


def test_labels_are_closed_lists_whatever_is_sent() -> None:
    server = SimServer()
    names = lines(server).keys()
    for body in (b"\x92\x63\xa1x", b"\x93\xff\xff\xff", b"", b"\xc1", b"\x91" * 99):
        RawClient(server).send(first_frame(body))
    server.join("Evil")
    assert lines(server).keys() == names
    found = {each for name in names for each in re.findall(r'(?:kind|reason)="([^"]*)"', name)}
    assert found == {*COMMANDS, *REASONS}


def test_nothing_registered_whole_process() -> None:
    """Nothing is registered for the whole process and the process itself is measured."""
    first, second = registry_of(realm(SimServer())), registry_of(realm(SimServer()))
    assert "gloam_players" not in generate_latest(REGISTRY).decode()
    for registry in (first, second):
        text = generate_latest(registry).decode()
        assert text.count("# TYPE gloam_players gauge") == 1
        assert "process_resident_memory_bytes" in text
