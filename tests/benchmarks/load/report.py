"""The findings of a load test: its figures, and a picture of them over time."""

from dataclasses import dataclass
from typing import Any, Final

from benchmarks.figures import Figure, percentile
from benchmarks.latencies import APPENDS, BESIDES, Latencies
from benchmarks.line_chart import line_chart
from benchmarks.load.options import LoadOptions
from benchmarks.load.server_side import ServerCounts

_PERCENTILES: Final = (50, 95, 99)


@dataclass(frozen=True, slots=True)
class LoadResult:
    """The tally of a fleet, and the server's counts at both ends of the measured time."""

    options: LoadOptions
    tally: dict[str, Any]
    before: ServerCounts
    after: ServerCounts

    @property
    def seconds(self) -> float:
        """The measured time."""
        return float(self.tally["seconds"])

    @property
    def served(self) -> int:
        """The number of commands that a turn answered."""
        return len(self.tally["answers"]) + int(self.tally["unknown"])

    @property
    def latencies(self) -> Latencies:
        """The times from due turns to their patches, and the slow appends of the measured time, on the monotonic clock."""
        began_s = self.tally["began_s"]
        slow = [at_s for at_s in self.after.slow_appends if 0 <= at_s - began_s <= self.seconds]
        return Latencies([(began_s + at_s, took_s) for at_s, took_s in self.tally["answers"]], slow)

    def latency_ms(self, percent: float) -> float:
        """Return a percentile of the time from the due turn to its patch."""
        return self.latencies.ms(percent)

    @property
    def server_cpu_s(self) -> float:
        """The processor time of the server in the measured time."""
        return self.after.cpu_s - self.before.cpu_s

    def figures(self) -> list[Figure]:
        """Return all figures, in the order of a report."""
        asked = self.options.rate * self.seconds
        rows = [
            ("clients in play at the end", self.tally["clients"], ""),
            ("commands asked for", self.options.clients * self.options.rate, "1/s"),
            ("commands sent", self.tally["sent"] / self.seconds, "1/s"),
            ("commands served", self.served / self.seconds, "1/s"),
            ("commands refused", self.tally["refused"] / self.seconds, "1/s"),
            ("least answered player, of what each asked for", 100 * self.tally["least_served"] / asked, "%"),
            *[(f"due turn to patch, p{at}", self.latency_ms(at), "ms") for at in _PERCENTILES],
            *self._besides_slow_appends(),
            ("due turn to patch, longest", self.latency_ms(100), "ms"),
            ("waiting by rule, mean", 1_000 * self.tally["waited_s"] / max(1, self.served), "ms"),
            ("turns due at an unknown moment", self.tally["unknown"], ""),
            ("updates received", self.tally["updates"] / self.seconds, "1/s"),
            ("bytes to each client", self.tally["bytes_in"] / self._of_each, "B/s"),
            ("bytes from each client", self.tally["bytes_out"] / self._of_each, "B/s"),
            ("deaths", self.tally["deaths"], ""),
            ("connections lost", len(self.tally["lost"]), ""),
            ("processor share of the fleet itself", 100 * self.tally["own_cpu_s"] / self.seconds, "%"),
        ]
        if self.after.metrics:
            rows += self._server_rows()
        return [Figure(name, round(float(value), 4), unit) for name, value, unit in rows]

    def chart(self) -> str:
        """Return an SVG of the latency in each second."""
        by_second: dict[int, list[float]] = {}
        for at, took in self.tally["answers"]:
            by_second.setdefault(int(at), []).append(took)
        lines = {
            f"p{percent}": [
                (second, 1_000 * percentile(sorted(by_second[second]), percent))
                for second in sorted(by_second)
            ]
            for percent in _PERCENTILES
        }
        title = f"{self.options.clients} clients, {self.served / self.seconds:.0f} commands/s served"
        return line_chart(title, "second", "due turn to patch (ms)", lines)

    def _besides_slow_appends(self) -> list[tuple[str, float, str]]:
        if not self.after.metrics:
            return []  # a server elsewhere
        latencies = self.latencies
        return [
            (f"due turn to patch, {BESIDES}", latencies.ms_besides(99), "ms"),
            (f"due turn to patch, {APPENDS}", len(latencies.slow), ""),
        ]

    @property
    def _of_each(self) -> float:
        return self.seconds * max(1, int(self.tally["clients"]))

    def _server_rows(self) -> list[tuple[str, float, str]]:
        def grown(name: str) -> float:
            return self.after.since(self.before, name)

        commits = grown("gloam_journal_seconds_count")
        groups = [self.after.metrics.get(f'gloam_turn_groups{{held="{held}"}}', 0) for held in ("no", "yes")]
        cpu_us = 1e6 * self.server_cpu_s
        return [
            ("server: processor share", 100 * self.server_cpu_s / self.seconds, "%"),
            ("server: processor time of a served command", cpu_us / max(1, self.served), "us"),
            ("server: processor time of a sent update", cpu_us / max(1, grown("gloam_patches_total")), "us"),
            ("server: memory", self.after.resident_mb, "MB"),
            ("server: turns", grown("gloam_turn_seconds_count") / self.seconds, "1/s"),
            ("server: mean turn", 1e6 * grown("gloam_turn_seconds_sum") / max(1, grown("gloam_turn_seconds_count")), "us"),
            ("server: turn groups at the end", sum(groups), ""),
            ("server: held turn groups at the end", groups[1], ""),
            ("server: commits", commits / self.seconds, "1/s"),
            ("server: inputs in a commit, mean", grown("gloam_inputs_total") / max(1, commits), ""),
            ("server: mean append", 1_000 * grown("gloam_journal_seconds_sum") / max(1, commits), "ms"),
            ("server: mean batch", 1_000 * grown("gloam_beat_seconds_sum") / max(1, grown("gloam_beat_seconds_count")), "ms"),
            ("server: reactor stalls over 50 ms", self.after.stalls_since(self.before), ""),
            ("server: bytes sent", grown("gloam_sent_bytes_total") / self.seconds, "B/s"),
            ("server: bytes received", grown("gloam_received_bytes_total") / self.seconds, "B/s"),
        ]  # fmt: skip
