"""The command `gloam-server lives`: plays lives in several processes, and prints the results."""

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from importlib.metadata import version
from pathlib import Path
from typing import Final, NoReturn

import click
import msgspec

from gloam_server.app.campaign_files import read_campaign
from gloam_server.app.config import DEFAULT_CAMPAIGN
from gloam_server.balance import plot as plots
from gloam_server.balance.report import table
from gloam_server.balance.run_stats import RunStats
from gloam_server.balance.runs import Batch, play
from gloam_server.balance.simulation import TURNS_MAX
from gloam_server.balance.summary import summarise
from gloam_server.balance.work_file import Origin, WorkFile, WorkFileError
from gloam_server.cli.output import exit_with_error
from gloam_server.cli.progress import Progress
from gloam_server.content.campaign import Campaign
from gloam_server.content.loader import CampaignError
from gloam_server.world.engine.version import RULES_VERSION
from gloam_server.world.generation import NoDungeon

_INTERRUPTED: Final = 130


@click.command(
    epilog="Example: gloam-server lives --campaign jsrogue --lives 200 --players 2 --resume jsrogue-2.jsonl"
)
@click.option(
    "--campaign",
    default=DEFAULT_CAMPAIGN,
    show_default=True,
    help="A campaign that ships, or a folder of one.",
)
@click.option("--lives", type=click.IntRange(1, 1_000_000), default=20, show_default=True,
              help="How many lives are played, rounded up to whole realms.")  # fmt: skip
@click.option("--players", type=click.IntRange(1, 64), default=1, show_default=True,
              help="How many of them share a realm and begin together.")  # fmt: skip
@click.option("--heirs", type=click.IntRange(1, 1_000), default=1, show_default=True,
              help="How many lives each player has, one after another in the same realm.")  # fmt: skip
@click.option("--seed", type=click.IntRange(0, 2**63 - 1), default=1, show_default=True,
              help="The seed of all realms.")  # fmt: skip
@click.option("--turns", type=click.IntRange(1, 10_000_000), default=TURNS_MAX, show_default=True,
              help="A life with this number of actions counts as still alive.")  # fmt: skip
@click.option("--plot", type=click.Path(path_type=Path, dir_okay=False), help="Draw a picture of it, too.")
@click.option("--json", "data", type=click.Path(path_type=Path, dir_okay=False),
              help="Write the same for programs, too.")  # fmt: skip
@click.option("--resume", "work", type=click.Path(path_type=Path, dir_okay=False),
              help="Keep each finished realm in this file, and play only those that it does not hold yet. "
                   "A run that was interrupted goes on with the same command.")  # fmt: skip
@click.option("--jobs", "--processes", "jobs", type=click.IntRange(1, 1_024),
              help="How many realms are played at once; the table is the same.  [default: all cores]")  # fmt: skip
def lives(
    campaign: str,
    lives: int,
    players: int,
    heirs: int,
    seed: int,
    turns: int,
    plot: Path | None,
    data: Path | None,
    work: Path | None,
    jobs: int | None,
) -> None:
    """Play whole lives with bots and print the results, to test a campaign's balance."""
    series = Batch(campaign, -(-lives // (players * heirs)), players, seed, turns, heirs)
    try:
        kinds = read_campaign(campaign)
        if plot is not None:
            plots.ready(plot)
        with WorkFile(work, _origin(kinds, series)) if work is not None else nullcontext() as kept:
            summary = summarise(_play_realms(series, jobs or _cores(), kept))
        names = sorted(kind.name for kind in kinds.creatures.values() if kind.key != kinds.player)
        report = table(series, kinds.key, summary, tuple(names))
        if data is not None:
            data.write_bytes(msgspec.json.format(msgspec.json.encode(summary)) + b"\n")
        if plot is not None:
            plots.draw(summary, report.splitlines()[0], plot)
    except (CampaignError, NoDungeon, plots.NoPlot, WorkFileError, OSError) as error:
        exit_with_error(str(error))
    click.echo(report, nl=False)


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
