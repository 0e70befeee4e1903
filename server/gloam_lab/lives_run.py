"""A run of `gloam-server lives`: plays the realms that are missing, and returns the table.

A module of its own, because it imports the whole game, and the command line starts without that.
"""

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from importlib.metadata import version
from pathlib import Path
from typing import Final, NamedTuple, NoReturn

import msgspec

from gloam_lab.balance import plot as plots
from gloam_lab.balance.report import table
from gloam_lab.balance.run_stats import RunStats
from gloam_lab.balance.runs import Batch, play
from gloam_lab.balance.summary import summarise
from gloam_lab.balance.work_file import Origin, WorkFile, WorkFileError
from gloam_lab.progress import Progress
from gloam_server.app.campaign_files import read_campaign
from gloam_server.cli.output import exit_with_error
from gloam_server.content.campaign import Campaign
from gloam_server.content.loader import CampaignError
from gloam_server.world.generation import NoDungeon
from gloam_server.world.transition.version import RULES_VERSION
from gloam_shared.narration.rendering import list_names

_INTERRUPTED: Final = 130


class RunFiles(NamedTuple):
    """The files of a run, None for those that are not wanted: a picture, the summary for programs, the finished realms."""

    plot: Path | None
    data: Path | None
    work: Path | None


def run_lives(series: Batch, jobs: int | None, files: RunFiles) -> str:
    """Play a series in `jobs` processes, by default one for each core; return its table. Ends the command after an error."""
    try:
        kinds = read_campaign(series.campaign)
        if series.kit and series.kit not in [kit.key for kit in kinds.kits]:
            named = list_names([kit.key for kit in kinds.kits]) or "none"
            exit_with_error(f"The campaign has no kit {series.kit}; its kits are {named}.")
        if files.plot is not None:
            plots.ready(files.plot)
        with (
            WorkFile(files.work, _origin(kinds, series)) if files.work is not None else nullcontext() as kept
        ):
            summary = summarise(_play_realms(series, jobs or _cores(), kept))
        names = sorted(kind.name for kind in kinds.creatures.values() if kind.key != kinds.player)
        report = table(series, kinds.key, summary, tuple(names))
        if files.data is not None:
            files.data.write_bytes(msgspec.json.format(msgspec.json.encode(summary)) + b"\n")
        if files.plot is not None:
            plots.draw(summary, report.splitlines()[0], files.plot)
    except (CampaignError, NoDungeon, plots.NoPlot, WorkFileError, OSError) as error:
        exit_with_error(str(error))
    return report


def _origin(campaign: Campaign, series: Batch) -> Origin:
    return Origin(
        campaign=campaign.key,
        content=campaign.digest[:8],
        version=version("gloam"),
        rules=RULES_VERSION,
        players=series.players,
        seed=series.seed,
        turns=series.turns_max,
        heirs=series.heirs,
        visitors=series.visitors,
        beacons=series.beacons,
        ground=series.ground,
        kit=series.kit,
    )


def _play_realms(series: Batch, jobs: int, kept: WorkFile | None) -> list[RunStats]:
    """Play the realms that are not in the work file; return the results of all in the order of the series."""
    results = {} if kept is None else dict(kept.results)
    missing = [realm for realm in range(series.realms) if realm not in results]
    progress = Progress(series.realms, series.realms - len(missing))
    try:
        with _terminations_as_interrupts():
            for realm, result in play(series, jobs, missing):
                results[realm] = result
                if kept is not None:
                    kept.add(realm, result)
                progress.advance()
    except KeyboardInterrupt:
        progress.end()
        _end_early(series, kept)
    progress.end()
    return [results[realm] for realm in range(series.realms)]


def _end_early(series: Batch, kept: WorkFile | None) -> NoReturn:
    """End an interrupted run, and say how to continue it."""
    if kept is None:
        exit_with_error("The run was interrupted; --resume FILE keeps the finished realms.", _INTERRUPTED)
    held = sum(realm in kept.results for realm in range(series.realms))
    exit_with_error(
        f"The run was interrupted. {held} of {series.realms} realms are in {kept.path}; "
        "the same command continues from there.",
        _INTERRUPTED,
    )


@contextmanager
def _terminations_as_interrupts() -> Iterator[None]:
    """Make SIGTERM end the run like Ctrl-C, with all its processes."""

    def interrupt(_number: int, _frame: object) -> NoReturn:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
