"""`gloam-server check-campaign`: loads a campaign, makes its levels, and prints its contents or errors."""

from typing import Final

import click

REALMS: Final = 20
"""The default number of realms of the census."""


@click.command("check-campaign", epilog="Example: gloam-server check-campaign ./my-dungeon")
@click.argument("campaign")
@click.option(
    "--realms",
    type=click.IntRange(1, 10_000),
    default=REALMS,
    show_default=True,
    help="How many realms to make for the census of what they hold.",
)
@click.option("--strict", is_flag=True, help="End with an error if something can never appear.")
@click.option(
    "--draw", metavar="ROOM", help="Show this drawn room of rooms.toml instead, and what its letters mean."
)
def check_campaign(campaign: str, *, realms: int, strict: bool, draw: str | None) -> None:
    """Check a CAMPAIGN, a folder or a shipped one, and print its contents.

    A census of new realms follows: what no realm can have, and what fewer than 5 of 100 have.
    """
    from gloam_server.cli.campaign_report import report_campaign, show_room

    if draw is not None:
        show_room(campaign, draw)
        return
    report_campaign(campaign, realms, strict=strict)
