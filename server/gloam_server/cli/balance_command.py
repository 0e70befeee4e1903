"""The command `gloam-server lives`: plays lives in several processes, and prints what they came to."""

import os
import time
from pathlib import Path

import click
import msgspec

from gloam_server.app.campaign_files import read_campaign
from gloam_server.app.config import DEFAULT_CAMPAIGN
from gloam_server.balance import plot as plots
from gloam_server.balance.observer import RunStats
from gloam_server.balance.report import summarise, table
from gloam_server.balance.runs import Batch, play
from gloam_server.balance.simulation import TURNS_MAX
from gloam_server.cli.output import exit_with_error
from gloam_server.content.loader import CampaignError
from gloam_server.world.generation import NoDungeon


@click.command(epilog="Example: gloam-server lives --campaign jsrogue --lives 20 --players 2 --seed 7")
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
@click.option("--seed", type=click.IntRange(0, 2**63 - 1), default=1, show_default=True,
              help="The number that all realms grow from.")  # fmt: skip
@click.option("--turns", type=click.IntRange(1, 10_000_000), default=TURNS_MAX, show_default=True,
              help="A life with this number of actions counts as still alive.")  # fmt: skip
@click.option("--plot", type=click.Path(path_type=Path, dir_okay=False), help="Draw a picture of it, too.")
@click.option("--json", "data", type=click.Path(path_type=Path, dir_okay=False),
              help="Write the same for programs, too.")  # fmt: skip
@click.option(
    "--processes", type=click.IntRange(1, 1_024), help="How many play at once.  [default: all cores]"
)
def lives(
    campaign: str,
    lives: int,
    players: int,
    seed: int,
    turns: int,
    plot: Path | None,
    data: Path | None,
    processes: int | None,
) -> None:
    """Play whole lives with bots and print what became of them: the proof of a campaign's balance."""
    series = Batch(campaign, -(-lives // players), players, seed, turns)
    try:
        kinds = read_campaign(campaign)
        if plot is not None:
            plots.ready(plot)
        tales = _played(series, processes or _cores())
        summary = summarise(tales)
        names = sorted(kind.name for kind in kinds.creatures.values() if kind.key != kinds.player)
        told = table(series, kinds.key, summary, tuple(names))
        if data is not None:
            data.write_bytes(msgspec.json.format(msgspec.json.encode(summary)) + b"\n")
        if plot is not None:
            plots.draw(summary, told.splitlines()[0], plot)
    except (CampaignError, NoDungeon, plots.NoPlot, OSError) as error:
        exit_with_error(str(error))
    click.echo(told, nl=False)


def _played(series: Batch, processes: int) -> list[RunStats]:
    """Play all realms, and report the progress on stderr: a hundred times at most."""
    began_s = time.monotonic()
    tales: list[RunStats] = []
    for tale in play(series, processes):
        tales.append(tale)
        if len(tales) * 100 // series.realms != (len(tales) - 1) * 100 // series.realms:
            taken_s = time.monotonic() - began_s
            click.echo(f"gloam-server: {len(tales)} of {series.realms} realms, {taken_s:.0f} s", err=True)
    return tales


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
