"""`gloam --daily` and `gloam ladder --daily`: one try at the seed of the day, and the results."""

import json
import sys
from pathlib import Path

import click

from gloam_client.cli.usage_error import UsageError
from gloam_client.net.daily import read_results, remove_old_worlds, result_on, today


def date_to_play(data: Path, campaign: str) -> str:
    """Return the date of the seed of the day; if its life is over, show the result and end the program."""
    if "/" in campaign:
        raise UsageError("--daily is for campaigns that ship; leave out --campaign, or name one of those.")
    date = today()
    result = result_on(data, date, campaign)
    if result is not None:
        click.echo(f"{result.words}\nThe next seed comes at midnight (UTC).")
        sys.exit(0)
    remove_old_worlds(data, date)
    return date


def daily_results(data: Path, *, as_json: bool) -> str:
    """Return the own results in seeds of the day, the newest first."""
    results = read_results(data)
    if as_json:
        return json.dumps([result._asdict() for result in results], indent=1)
    return "\n".join(result.words for result in results) or "You have no result yet; `gloam --daily` plays."
