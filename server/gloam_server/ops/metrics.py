"""The numbers of a running server for Prometheus: collected at each request, in their own registry.

The values of labels are fixed in the code (kinds of commands, reasons): a client cannot create a new series.
"""

import os
from collections.abc import Iterator
from itertools import accumulate

from prometheus_client import CollectorRegistry, ProcessCollector
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.registry import Collector

from gloam_server.engine import health
from gloam_server.engine.server_statistics import BOUNDS_S, Histogram
from gloam_server.ops.admin import RunningServer
from gloam_server.ops.process_usage import usage_of


def registry_of(realm: RunningServer) -> CollectorRegistry:
    """Return the metrics of a server, and of its process."""
    registry = CollectorRegistry(auto_describe=False)
    registry.register(RealmCollector(realm))
    ProcessCollector(registry=registry)
    return registry


class RealmCollector(Collector):
    """Reads a server's numbers. Runs in the reactor's thread, between two batches."""

    def __init__(self, realm: RunningServer) -> None:
        self._realm = realm

    def collect(self) -> Iterator[Metric]:
        """Yield every metric."""
        yield from self._state()
        yield from self._work()
        yield from self._storage()
        yield from self._processes()

    def _state(self) -> Iterator[Metric]:
        realm, engine, counts = self._realm, self._realm.engine, self._realm.entrance.counts()
        info = GaugeMetricFamily(
            "gloam_info", "Always 1; the labels describe the version.", labels=("campaign", "version")
        )
        info.add_metric((engine.dungeon.campaign.key, realm.version), 1)
        yield info
        up_s = (engine.clock.now_ms() - realm.began_ms) / 1_000
        yield GaugeMetricFamily("gloam_uptime_seconds", "Time since the server started.", value=up_s)
        healthy = not health.problems(engine.statistics, engine.clock.seconds())
        yield GaugeMetricFamily("gloam_healthy", "1, or 0 when /health reports what is wrong.", value=healthy)
        players = len(engine.players.connected())
        yield GaugeMetricFamily("gloam_players", "Players who are connected.", value=players)
        yield GaugeMetricFamily(
            "gloam_players_max", "The largest number of players.", value=realm.players_max
        )
        yield GaugeMetricFamily("gloam_connections", "Open connections.", value=counts.connections)
        visits = CounterMetricFamily(
            "gloam_door_visits_total", "Connections through doors.", labels=("door",)
        )
        for door, count in counts.door_visits.items():
            visits.add_metric((door,), count)
        yield visits
        yield from self._dungeon()

    def _dungeon(self) -> Iterator[Metric]:
        engine = self._realm.engine
        in_play = list(engine.players.in_play())
        yield GaugeMetricFamily(
            "gloam_bodies", "Bodies in the dungeon, with or without a connection.", value=len(in_play)
        )
        levels = {level.partition: level for _, level, _ in in_play}
        held = [
            group.held
            for level in levels.values()
            for group in engine.scheduler.turn_groups(level).all_groups
        ]
        groups = GaugeMetricFamily("gloam_turn_groups", "Groups that share their time.", labels=("held",))
        groups.add_metric(("no",), held.count(False))
        groups.add_metric(("yes",), held.count(True))
        yield groups

    def _work(self) -> Iterator[Metric]:
        measures, counts = self._realm.engine.statistics, self._realm.entrance.counts()
        yield _times("gloam_turn_seconds", "Time to compute one turn.", measures.turns)
        yield _times(
            "gloam_beat_seconds",
            "Time from the first input of a batch until all clients have its result.",
            measures.batches,
        )
        yield _times(
            "gloam_reactor_seconds", "Time that the reactor was busy between two waits.", measures.reactor
        )
        commands = CounterMetricFamily("gloam_commands", "Commands received.", labels=("kind",))
        for kind, count in measures.commands.items():
            commands.add_metric((kind,), count)
        yield commands
        yield CounterMetricFamily("gloam_patches", "Patches sent.", value=counts.patches)
        bytes_in, bytes_out = counts.bytes_in, counts.bytes_out
        yield CounterMetricFamily("gloam_received_bytes", "Bytes of the protocol received.", value=bytes_in)
        yield CounterMetricFamily("gloam_sent_bytes", "Bytes of the protocol sent.", value=bytes_out)
        refusals = CounterMetricFamily("gloam_refusals", "Refusals, by reason.", labels=("reason",))
        for reason, count in counts.refusals.items():
            refusals.add_metric((reason,), count)
        yield refusals
        faults = measures.faults + counts.faults
        yield CounterMetricFamily(
            "gloam_errors_isolated", "Faults of Gloam that the server isolated.", value=faults
        )
        lost = measures.lost_log_lines() + counts.lost_log_lines
        yield CounterMetricFamily(
            "gloam_log_lines_lost", "Lines of the log that were not written.", value=lost
        )
        closed = len(self._realm.engine.dungeon.closed)
        yield GaugeMetricFamily(
            "gloam_levels_closed", "Levels closed by a fault of Gloam or a damaged file.", value=closed
        )

    def _processes(self) -> Iterator[Metric]:
        """Yield the numbers of each process, if there are several."""
        views, label = self._realm.entrance.processes(), ("process",)
        if not views:
            return
        seconds = CounterMetricFamily(
            "gloam_process_cpu_seconds", "Processor time of a process.", labels=label
        )
        memory = GaugeMetricFamily("gloam_process_memory_bytes", "Memory of a process.", labels=label)
        connections = GaugeMetricFamily(
            "gloam_view_connections", "Open connections of a view process.", labels=label
        )
        starts = CounterMetricFamily("gloam_view_starts", "Starts of a view process.", labels=label)
        for name, number in (("turns", os.getpid()), *((each.name, each.number) for each in views)):
            usage = usage_of(number)
            seconds.add_metric((name,), usage.seconds)
            memory.add_metric((name,), usage.memory_bytes)
        for each in views:
            connections.add_metric((each.name,), each.connections)
            starts.add_metric((each.name,), each.starts)
        yield from (seconds, memory, connections, starts)

    def _storage(self) -> Iterator[Metric]:
        engine, measures = self._realm.engine, self._realm.engine.statistics
        yield _times("gloam_journal_seconds", "Time until an append was durable.", measures.journal)
        inputs = sum(engine.dungeon.sequence(partition) for partition in engine.dungeon.partitions())
        yield CounterMetricFamily("gloam_inputs", "Inputs of the world since its creation.", value=inputs)
        refused = measures.journal_refusals
        yield CounterMetricFamily("gloam_journal_refusals", "Appends that the disk refused.", value=refused)
        written = measures.journal_bytes
        yield CounterMetricFamily("gloam_journal_bytes", "Bytes of records since the start.", value=written)
        yield CounterMetricFamily("gloam_snapshots", "Snapshots written.", value=measures.snapshots)
        damaged = len(measures.damage)
        yield GaugeMetricFamily(
            "gloam_damaged_rows", "Damaged rows that the daily check found.", value=damaged
        )
        backlog = self._realm.writer.backlog
        yield GaugeMetricFamily("gloam_writer_backlog", "Calls that wait for the disk.", value=backlog)


def _times(name: str, words: str, times: Histogram) -> HistogramMetricFamily:
    counts = list(accumulate(times.counts))
    ends = [*map(str, BOUNDS_S), "+Inf"]
    return HistogramMetricFamily(
        name, words, buckets=list(zip(ends, counts, strict=True)), sum_value=times.sum_s
    )
