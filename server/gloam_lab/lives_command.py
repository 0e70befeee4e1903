"""The command `gloam-server lives`: plays lives in several processes, and prints the results."""

from pathlib import Path

import click

from gloam_lab.balance.turn_limit import TURNS_MAX
from gloam_server.app.config import DEFAULT_CAMPAIGN


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
@click.option("--visitors", type=click.IntRange(0, 1_000), default=0, show_default=True,
              help="How many further accounts look in before them, and leave.")  # fmt: skip
@click.option("--beacons", is_flag=True, help="Let heirs begin at the deepest lit beacon.")
@click.option("--ground", is_flag=True, help="Let bots fight with fire, webs and the like, and work devices.")
@click.option("--kit", default="", metavar="KEY", help="Let all bots take this kit, by its key in kits.toml.")
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
    visitors: int,
    seed: int,
    turns: int,
    plot: Path | None,
    data: Path | None,
    work: Path | None,
    jobs: int | None,
    *,
    beacons: bool,
    ground: bool,
    kit: str,
) -> None:
    """Play whole lives with bots and print the results, to test a campaign's balance."""
    from gloam_lab.balance.runs import Batch
    from gloam_lab.lives_run import RunFiles, run_lives

    realms = -(-lives // (players * heirs))
    series = Batch(campaign, realms, players, seed, turns, heirs, visitors, beacons, ground, kit)
    click.echo(run_lives(series, jobs, RunFiles(plot, data, work)), nl=False)
