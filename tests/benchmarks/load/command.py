"""The command lines of the load test and its ceilings: `python -m benchmarks load --clients 100`, in the folder `tests`."""

import argparse
from collections.abc import Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any

from benchmarks.figures import write_json
from benchmarks.load.ceilings import ceilings
from benchmarks.load.measure import measure
from benchmarks.load.options import LoadOptions

_PLAIN = LoadOptions()


def read_arguments(arguments: Sequence[str]) -> tuple[LoadOptions, argparse.Namespace]:
    """Return the options of the load test, and all arguments."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks load",
        description="Start a server and a fleet of clients, and measure from the due turn to its patch.",
        formatter_class=argparse.ArgumentDefaultsHelpFormatter,
    )
    _add_fleet(parser)
    _add_server(parser)
    _add_results(parser)
    said = parser.parse_args(arguments)
    if not 1 <= said.clients + max(0, said.newcomers) <= 1_000 or said.rate <= 0 or said.join_rate <= 0:
        parser.error(
            "--clients and --newcomers must be from 1 to 1,000 together, and --rate and --join-rate more than 0"
        )
    if said.spread and said.mode != "full":
        parser.error("--spread needs --mode full: a client that walks at random finds no stairs")
    chosen: dict[str, Any] = {
        each.name: getattr(said, each.name) for each in fields(LoadOptions) if hasattr(said, each.name)
    }
    return LoadOptions(**chosen), said


def _add_fleet(parser: argparse.ArgumentParser) -> None:
    """Add the options of the clients."""
    add = parser.add_argument
    add("--clients", type=int, default=_PLAIN.clients, help="1 to 1,000")
    add("--join-rate", type=float, default=_PLAIN.join_rate, help="clients that join in a second")
    add("--newcomers", type=int, default=_PLAIN.newcomers, help="clients that join during the measured time")
    add("--rate", type=float, default=_PLAIN.rate, help="commands a second of each client")
    add(
        "--think",
        type=float,
        default=_PLAIN.think_s,
        dest="think_s",
        help="seconds from an answer to the next command",
    )
    add(
        "--mode",
        choices=("walk", "stand", "full"),
        default=_PLAIN.mode,
        help="walk: at random, reads little; stand: does nothing; full: bots with views",
    )
    add(
        "--spread",
        action="store_true",
        help="with --mode full: bots take the stairs; else all stay on one level",
    )
    add("--prefix", default=_PLAIN.prefix, help="how the clients' names begin")


def _add_server(parser: argparse.ArgumentParser) -> None:
    """Add the options of the server and its world."""
    add = parser.add_argument
    add(
        "--campaign",
        default=_PLAIN.campaign,
        help="wide: a cave without monsters; fight: a hall with monsters that last; or a campaign's name or folder",
    )
    add("--seed", type=int, default=_PLAIN.seed, help="the seed of the world")
    add("--pin", action="store_true", help="the server on one core, the fleet on another")
    add(
        "--connect",
        default="",
        metavar="HOST:PORT",
        help="a server that runs already, without TLS; it keeps its limits",
    )
    add("--views", type=int, default=_PLAIN.views, help="view processes, 0 for one process")
    add("--tls", action="store_true", help="encrypt the connections")
    add("--deflate", action="store_true", help="light clients offer the ability; full clients always do")


def _add_results(parser: argparse.ArgumentParser) -> None:
    """Add the options of the measured time, and of what is written after it."""
    add = parser.add_argument
    add("--seconds", type=float, default=_PLAIN.seconds, help="the measured time")
    add(
        "--warm",
        type=float,
        default=_PLAIN.warm_s,
        dest="warm_s",
        help="seconds between the last join and the measured time",
    )
    add(
        "--profile",
        type=Path,
        metavar="FILE",
        help="profile the server (it is then slower); read FILE with python -m pstats",
    )
    add("--json", type=Path, metavar="FILE", help="write the figures as JSON")
    add("--plot", type=Path, metavar="FILE.svg", help="write a picture of each second")


def load_command(arguments: Sequence[str]) -> None:
    """Run one load test and print its figures."""
    options, said = read_arguments(arguments)
    result = measure(options, profile=said.profile)
    figures = result.figures()
    for figure in figures:
        print(figure.line())
    for lost in result.tally["lost"][:5]:
        print(f"lost: {lost}")
    if said.json:
        write_json(said.json, figures)
    if said.plot:
        said.plot.write_text(result.chart(), encoding="utf-8")


def ceilings_command(arguments: Sequence[str]) -> None:
    """Run one load test and its ceilings, and print both."""
    load, compared = ceilings(read_arguments(arguments)[0])
    for figure in load.figures():
        print(figure.line())
    print(f"\n{'':<40} {'server':>10} {'alone':>10}      {'ratio':>8}    what is alone")
    for each in compared:
        print(each.line())
