"""The command line of `gloam`: play alone, join others, replay, or find out what is wrong. Imports late, to start fast."""

import os
import sys
from pathlib import Path
from typing import Any, Final

import click

from gloam_client.cli.usage_error import UsageError
from gloam_client.user_files.user_folders import NoHomeFolder, data_folder

_COMMANDS_HELP: Final = """A shared dungeon for friends, where the monsters gain experience too.

\b
  gloam                       your own dungeon on this machine
  gloam HOST[:PORT]           the dungeon of a server
  gloam join HOST/CODE.PIN    the same, with an invite
  gloam watch HOST            watch others play there
  gloam ladder HOST           the best lives that ended there
  gloam news HOST             what happened there this week
  gloam --name Bert           straight in, under that name
  gloam --campaign jsrogue    your own dungeon of another campaign
  gloam --daily               the seed of the day: one life, the same dungeon for everyone

\b
Examples:
  gloam play.example.org --name Bert
  gloam 127.0.0.1:7373
  gloam [::1]:7373
"""


class _PlaceOrCommand(click.Group):
    """A command group that takes an unknown first argument as a server's address."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Take `gloam HOST` as `gloam join HOST`."""
        if args and args[0] not in self.commands and not args[0].startswith("-"):
            args = ["join", *args]
        return super().resolve_command(ctx, args)


_DATA: Final = click.option("--data", metavar="DIR", type=click.Path(path_type=Path, file_okay=False), help="[env: GLOAM_HOME]")  # fmt: skip
_DUNGEONS: Final = click.option(
    "--dungeons", is_flag=True, help="The same of all dungeons of that host, each below its name."
)


def _playing(command: Any) -> Any:
    """Add the options of all commands that play."""
    options = (
        click.option("--name", metavar="NAME", help="Your name in the dungeon. [env: GLOAM_NAME]"),
        click.option("--data", metavar="DIR", type=click.Path(path_type=Path, file_okay=False),
                     help="The folder of your world, your device token and what your lives have seen. [env: GLOAM_HOME]"),
        click.option("--campaign", metavar="NAME",
                     help="Your own dungeon of a campaign that ships, or of one in a folder, such as ./my-dungeon; "
                     "each has its own world. [env: GLOAM_CAMPAIGN]"),
        click.option("--record", metavar="FILE", type=click.Path(path_type=Path, dir_okay=False),
                     help="Record the session into FILE, for `gloam replay FILE`."),
        click.option("--screen-reader", is_flag=True, default=None,
                     help="Play in lines of text instead of a drawn screen. [env: GLOAM_SCREEN_READER]"),
    )  # fmt: skip
    for option in reversed(options):
        command = option(command)
    return command


@click.group(
    cls=_PlaceOrCommand,
    help=_COMMANDS_HELP,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"]},
    options_metavar="[OPTIONS]",
    subcommand_metavar="[HOST[:PORT] | COMMAND]",
)
@_playing
@click.option(
    "--straight", is_flag=True, help="Join at once under your login name, without the title screen."
)
@click.option(
    "--daily", is_flag=True, help="Play the seed of the day: one life, the same dungeon for everyone."
)
@click.version_option(package_name="gloam", prog_name="gloam")
@click.pass_context
def cli(ctx: click.Context, /, *, straight: bool, daily: bool, **given: Any) -> None:
    """Play alone unless an address or a command follows."""
    ctx.obj = given
    if ctx.invoked_subcommand is None:
        _play(None, given, straight=straight or daily, daily=_daily(given) if daily else "")


@cli.command(short_help="Join a server, or your own server if it runs already.")
@click.argument("address", metavar="[HOST[:PORT][/CODE[.PIN]]]", required=False)
@_playing
@click.pass_obj
def join(around: dict[str, Any], /, address: str | None, **given: Any) -> None:
    """Join the server at HOST[:PORT]; without an address, your private server that is already running.

    \b
    Examples:
      gloam join play.example.org
      gloam join play.example.org/abcdefghij234567 --name Bert
      gloam join
      gloam join --campaign jsrogue
    """
    chosen = {key: given[key] if given[key] is not None else around[key] for key in given}
    if address is None:
        from gloam_client.cli.launch import require_own_server

        require_own_server(data_folder(chosen["data"]), _campaign(chosen["campaign"]))
    elif chosen["campaign"]:
        raise UsageError("--campaign is for a dungeon of your own; leave it out, or leave out HOST.")
    _play(address, chosen)


@cli.command(short_help="Watch others play on a server, or on your own server if it runs.")
@click.argument("address", metavar="[HOST[:PORT][/CODE[.PIN]]]", required=False)
@_playing
@click.pass_obj
def watch(around: dict[str, Any], /, address: str | None, **given: Any) -> None:
    """Watch the players of the server at HOST[:PORT] who allow it. You see what they see, 10 s late.

    \b
    Examples:
      gloam watch play.example.org
      gloam watch 127.0.0.1 --name Dora
    """
    chosen = {key: given[key] if given[key] is not None else around[key] for key in given}
    if address is None:
        from gloam_client.cli.launch import require_own_server

        require_own_server(data_folder(chosen["data"]), _campaign(chosen["campaign"]))
    _play(address, chosen, watch=True)


@cli.command(short_help="Show the best lives that ended on a server, or in your own world.")
@click.argument("address", metavar="[HOST[:PORT]]", required=False)
@click.option(
    "--season", "span", flag_value="season", help="Only lives of this season: a quarter of the year, in UTC."
)
@click.option("--day", "span", flag_value="day", help="Only lives of today, in UTC.")
@click.option("--all", "span", flag_value="all", default=True, help="Lives of all time. [default]")
@click.option(
    "--by",
    "order",
    type=click.Choice(["depth", "level", "kills", "victory", "turns"]),
    default="depth",
    show_default=True,
    help="What the lives are ranked by.",
)
@click.option(
    "--daily", is_flag=True, help="Show your own results in seeds of the day, as lines for friends."
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object, for programs.")
@_DUNGEONS
@click.option("--name", metavar="NAME", help="Whose rank to say, too. [env: GLOAM_NAME]")
@click.option("--campaign", metavar="NAME", help="Your own world of this campaign. [env: GLOAM_CAMPAIGN]")
@_DATA
@click.pass_obj
def ladder(  # the options of a command
    around: dict[str, Any],
    /,
    address: str | None,
    *,
    span: str,
    order: str,
    daily: bool,
    as_json: bool,
    dungeons: bool,
    **given: Any,
) -> None:
    """Show the ladder of the server at HOST[:PORT]; without an address, of your own world. It needs no account.

    \b
    Examples:
      gloam ladder play.example.org
      gloam ladder play.example.org --season --by kills
      gloam ladder play.example.org --dungeons
      gloam ladder --json
      gloam ladder --daily
    """
    from gloam_client.cli import ladder as boards
    from gloam_shared.protocol.messages.records import AskLadder

    chosen = {key: given[key] if given[key] is not None else around[key] for key in given}
    if daily:
        from gloam_client.cli.daily import daily_results

        click.echo(daily_results(data_folder(chosen["data"]), as_json=as_json))
        return
    name = chosen["name"] or os.environ.get("GLOAM_NAME", "")
    question: Any = AskLadder(span, order, name[:64])  # type: ignore[arg-type]  # click checks both
    at = _address(address), data_folder(chosen["data"]), _campaign(chosen["campaign"])
    click.echo(boards.ladder_words(*at, question, name, as_json=as_json, dungeons=dungeons))


@cli.command(short_help="Show the news of the week on a server.")
@click.argument("address", metavar="HOST[:PORT]")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object, for programs.")
@_DUNGEONS
@_DATA
@click.pass_obj
def news(around: dict[str, Any], address: str, data: Path | None, *, as_json: bool, dungeons: bool) -> None:
    """Show the news of the server at HOST[:PORT]: deaths, names, revenges, first depths. It needs no account.

    \b
    Example:
      gloam news play.example.org
    """
    from gloam_client.cli import ladder as boards

    at = _address(address), data_folder(data or around["data"])
    click.echo(boards.news_words(*at, as_json=as_json, dungeons=dungeons))


@cli.command(short_help="Play a kept life or a recorded session on this terminal, or export it.")
@click.argument("file", metavar="[ID | FILE | HOST[:PORT]/ID]", required=False)
@click.option(
    "--export",
    metavar="FILE.cast",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write an asciicast, which other players and web pages show, instead of playing it here.",
)
@click.option(
    "--save",
    metavar="FILE",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Copy the replay into FILE, to give it to others: gloam replay FILE plays it anywhere.",
)
@click.option(
    "--size", metavar="WxH", default="100x30", show_default=True, help="The size of the exported terminal."
)
@_DATA
@click.pass_obj
def replay(
    around: dict[str, Any], /, file: str | None, *, size: str, data: Path | None, **targets: Path | None
) -> None:
    """Play one of your lives, a session that --record has written, or a replay that the host of a server shares.

    Without an argument: list the replays of your lives.

    \b
    Example:
      gloam replay
      gloam replay 3f9a --export life.cast
      gloam replay 3f9a --save for-bert.session
      gloam --record evening.session
      gloam replay evening.session
      gloam replay play.example.org/3f9a01c2b4d5
    """
    from gloam_client.cli.replay_command import run

    run(data_folder(data or around["data"]), file, size, **targets)


@cli.command(short_help="Write one of your lives as text and JSON.")
@click.argument("file", metavar="[ID | FILE]", required=False)
@_DATA
@click.pass_obj
def dump(around: dict[str, Any], /, file: str | None, data: Path | None) -> None:
    """Write everything known about a life, at its end in the replay, as text and JSON; without ID, of the newest life.

    \b
    Example:
      gloam dump
      gloam dump 3f9a
    """
    from gloam_client.cli.dump_command import run

    run(data_folder(data or around["data"]), file)


@cli.command(short_help="Check terminal, server and network.")
@click.argument("address", metavar="[HOST[:PORT]]", required=False)
@_DATA
@click.pass_obj
def doctor(around: dict[str, Any], address: str | None, data: Path | None) -> None:
    """Check for problems that prevent playing here, and say how to solve them.

    The exit code is 1 if there is one.

    \b
    Examples:
      gloam doctor
      gloam doctor play.example.org
    """
    from gloam_client.cli.doctor import describe, run_checks

    found = run_checks(data_folder(data or around["data"]), _address(address))
    for finding in found:
        click.echo(describe(finding))
    sys.exit(1 if any(finding.good is False for finding in found) else 0)


@cli.command(short_help="Forget a server's key, so that the client accepts its next one.")
@click.argument("address", metavar="HOST[:PORT]")
@_DATA
@click.pass_obj
def forget(around: dict[str, Any], address: str, data: Path | None) -> None:
    """Forget the key of the server at HOST[:PORT]; the next key it shows is trusted.

    \b
    Do so when its host has said that the server has a new key.
    Example:
      gloam forget play.example.org
    """
    from gloam_client.user_files.known_servers import BadKnownServers, KnownServers

    known, where = KnownServers(data_folder(data or around["data"])), _address(address)
    try:
        was_known = known.forget(where)
    except BadKnownServers as error:
        raise UsageError(str(error)) from error
    if not was_known:
        raise UsageError(f"You have met no server at {where}; {known.path} lists those that you have.")
    click.echo(f"gloam: the key of {where} is forgotten; the client accepts the next key that answers there.")


def main() -> None:
    """Run the command line. A user's mistake is shown as one sentence with exit code 2, never as a traceback."""
    os.environ["PYTHONSAFEPATH"] = "1"  # for further interpreters: no code of the current folder
    os.umask(0o077)  # other users can read no file that the client creates
    try:
        cli(prog_name="gloam")
    except NoHomeFolder as error:
        UsageError(str(error)).show()
        sys.exit(UsageError.exit_code)


def _play(
    typed: str | None, chosen: dict[str, Any], *, straight: bool = True, watch: bool = False, daily: str = ""
) -> None:
    """Start playing: immediately if there is a name, else from the title screen.

    On a private server without a name, from the title screen.
    """
    from gloam_client.cli.launch import launch, login_name, name_at_server
    from gloam_shared.text import name_fault

    where, ticket = _address(typed), _ticket(typed)
    given = chosen["name"] or os.environ.get("GLOAM_NAME")
    if given and (fault := name_fault(given)):
        raise UsageError(fault)
    title = where is None and not given and not straight
    data = data_folder(chosen["data"])
    launch(
        given or (name_at_server(data, str(where)) if where is not None else login_name()),
        data,
        address=where,
        ticket=ticket,
        campaign=_campaign(chosen["campaign"]),
        title=title,
        watch=watch,
        daily=daily,
        record=chosen["record"],
        linear=chosen["screen_reader"] or _is_on(os.environ.get("GLOAM_SCREEN_READER", "")),
    )


def _is_on(text: str) -> bool:
    """Return whether the value of an environment variable switches something on."""
    return text.casefold() not in ("", "0", "off", "no", "false")


def _daily(given: dict[str, Any]) -> str:
    """Return the date of the seed of the day; if its life is over, show the result and end."""
    from gloam_client.cli.daily import date_to_play

    return date_to_play(data_folder(given["data"]), _campaign(given["campaign"]))


def _campaign(given: str | None) -> str:
    return given or os.environ.get("GLOAM_CAMPAIGN", "")


def _address(text: str | None) -> Any:
    return _invitation(text)[0] if text is not None else None


def _ticket(text: str | None) -> Any:
    return _invitation(text or "localhost")[1]


def _invitation(text: str) -> Any:
    from gloam_client.user_files.address import BadAddress, parse_invitation

    try:
        return parse_invitation(text)
    except BadAddress as error:
        raise UsageError(str(error)) from error


if __name__ == "__main__":
    main()
