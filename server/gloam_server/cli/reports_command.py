"""`gloam-server reports`: what players reported about others, whether the server runs or not."""

from datetime import UTC, datetime
from pathlib import Path

import click

from gloam_server.cli.invite_commands import with_accounts
from gloam_server.cli.options import DATA
from gloam_server.gateway.chat.reports import describe
from gloam_shared import limits
from gloam_shared.text import clean


@click.command(epilog="Example: gloam-server reports --data ./dungeon --last 3")
@DATA
@click.option("--last", type=click.IntRange(1, limits.REPORTS_KEPT_MAX), default=10, show_default=True,
              help="How many of the newest reports.")  # fmt: skip
def reports(data: Path, last: int) -> None:
    """Print the newest reports of players about others, each with the lines that the reporter had read."""
    kept = with_accounts(data, lambda accounts: accounts.reports())
    if not kept:
        click.echo("No player has reported another one.")
    for report in reversed(kept[:last]):
        first, *lines = (clean(line) for line in describe(report))
        click.echo(f"{datetime.fromtimestamp(report.at_s, UTC):%Y-%m-%d %H:%M} UTC  {first}")
        for line in lines:
            click.echo(f"    {line}")
