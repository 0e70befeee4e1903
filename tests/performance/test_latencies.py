"""Latencies with and without slow appends: the server's own measure decides which answers waited for one."""

import sqlite3
import time
from contextlib import closing
from pathlib import Path
from threading import Thread

import pytest

from benchmarks.latencies import Latencies
from benchmarks.load.options import LoadOptions
from benchmarks.load.server_side import counter_of, start_server
from benchmarks.load.timed_server import telling
from gloam_server.app.config import WORLD_FILE
from gloam_server.engine.server_statistics import ServerStatistics
from gloam_shared.protocol.commands import Wait
from support.client.fake_client import FakeClient


@pytest.mark.parametrize(
    ("at_s", "took_s", "waited"),
    [(10.5, 0.6, True), (10.5, 0.1, True), (10.5, 0.01, False), (10.4, 0.5, False), (10.48, 0.001, True)],
)
def test_an_answer_waited_for_an_append(at_s: float, took_s: float, waited: bool) -> None:
    latencies = Latencies([(at_s, took_s)], [10.48])
    assert latencies.ms(99) == pytest.approx(1_000 * took_s)
    assert latencies.ms_besides(99) == pytest.approx(0 if waited else 1_000 * took_s)


def test_the_second_figure_has_no_slow_appends() -> None:
    steps = Latencies([*((at, 0.002) for at in range(98)), (98.0, 0.2), (99.0, 0.01)], [97.99])
    figures = {each.name: each for each in steps.figures("a step", "<= 50")}
    assert figures["a step, p99"].value == 10
    assert figures["a step, p99 besides slow appends"].value == 10
    assert figures["a step, appends over 25 ms"].value == 1
    assert (figures["a step, p99"].limit, figures["a step, p50"].note) == ("<= 50", "of 100")


def test_a_stretch_has_its_appends_alone() -> None:
    steps = Latencies([(1.0, 0.1), (3.0, 0.2)], [0.5, 2.5]).within(lambda at_s: at_s > 2)
    assert steps == Latencies([(3.0, 0.2)], [2.5])
    assert steps.and_also(Latencies([(4.0, 0.3)], [])) == Latencies([(3.0, 0.2), (4.0, 0.3)], [2.5])


@pytest.mark.parametrize(
    ("took_s", "told"), [(0.0249, []), (0.04, ["slow append: 40.0 ms until 7.040000\n"])]
)
def test_a_server_tells_of_a_slow_append(took_s: float, told: list[str]) -> None:
    lines: list[str] = []
    statistics = ServerStatistics()
    telling(lines.append)(statistics, 7.0, 7.0 + took_s)
    assert lines == told
    assert statistics.journal.count == 1


@pytest.mark.end_to_end
@pytest.mark.thorough
def test_what_is_told_is_what_metrics_count(tmp_path: Path) -> None:
    """Another process holds the file for a while, so the append of the step between takes long."""
    with start_server(tmp_path, LoadOptions()) as server, FakeClient(server.port, "Bench") as client:
        count = counter_of(server)
        held = Thread(target=_hold, args=(server.data / WORLD_FILE, 0.2))
        held.start()
        time.sleep(0.05)
        took_s = client.do_timed(Wait())
        answered_s = time.monotonic()
        held.join()
        counted = count()
    within = counted.metrics['gloam_journal_seconds_bucket{le="0.025"}']
    assert len(counted.slow_appends) == counted.metrics["gloam_journal_seconds_count"] - within
    assert [at_s for at_s in counted.slow_appends if answered_s - took_s < at_s <= answered_s]
    assert Latencies([(answered_s, took_s)], counted.slow_appends).ms_besides(99) == 0


def _hold(world: Path, seconds: float) -> None:
    with closing(sqlite3.connect(world, isolation_level=None)) as held:
        held.execute("BEGIN IMMEDIATE")
        time.sleep(seconds)
        held.execute("ROLLBACK")
