"""Fault reporting: each internal error is counted, and reported with the state of the dungeon."""

from importlib.metadata import version
from typing import Final

from gloam_server.engine.faults.crash_reports import CrashReports
from gloam_server.engine.recovery.replay import LIBRARIES
from gloam_server.engine.server_statistics import ServerStatistics
from gloam_server.world.model.context import RuleFault
from gloam_server.world.model.inputs import decode
from gloam_server.world.transition.dungeon import Dungeon

_VERSION: Final = version("gloam")  # read once: it is in a file


class FaultReporter:
    """The one place to which all parts of the running server report faults."""

    def __init__(self, dungeon: Dungeon, statistics: ServerStatistics, reports: CrashReports) -> None:
        self.reports = reports
        """The folder in which the reports are written."""
        self._dungeon = dungeon
        self._statistics = statistics

    def report(self, what: str, error: BaseException) -> None:
        """Count a fault and write a report; `what` names the activity that failed."""
        self._statistics.faults += 1
        fault = error if isinstance(error, RuleFault) else None
        self.reports.write(what, error, lambda: describe_state(self._dungeon, fault))


def describe_state(dungeon: Dungeon, fault: RuleFault | None = None) -> list[str]:
    """Return the lines of a report about a fault and its realm."""
    realm, campaign = dungeon.realm, dungeon.campaign
    lines = [
        f"version: {_VERSION}, rules {realm.rules_version}, {LIBRARIES}",
        f"campaign: {campaign.key}, content {campaign.digest}",
        f"positions: {describe_positions(dungeon)}",
    ]
    if fault is None:
        return lines
    level = dungeon.levels.get(fault.partition)
    creature = None if level is None else level.creatures.get(fault.creature)
    who = "" if creature is None else f", {creature.kind} {creature.name!r} on cell {creature.cell}"
    lines.append(f"acting: creature {fault.creature}{who}")
    if fault.body:
        lines += [
            f"input: of partition {fault.partition}, not carried out: {decode(fault.body)}",
            f"bytes: {fault.body.hex()}",
        ]
    return lines


def describe_positions(dungeon: Dungeon) -> str:
    """Return the seed and the journal position of every partition, for a report."""
    return f"seed {dungeon.seed}, " + ", ".join(
        f"partition {partition} at input {dungeon.sequence(partition)}" for partition in dungeon.partitions()
    )
