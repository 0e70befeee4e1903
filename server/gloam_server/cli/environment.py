"""The GLOAM_* variables: each option has one, and an unknown variable is reported as a mistake."""

from collections.abc import Iterable, Iterator
from typing import Final

import click
from click.core import ParameterSource

from gloam_server.app.config import ConfigError, meant

PREFIX: Final = "GLOAM"
_ELSEWHERE: Final = frozenset(
    "GLOAM_HOME GLOAM_NAME GLOAM_SCREEN_READER "  # the client
    "GLOAM_PUBLISH GLOAM_METRICS_PUBLISH GLOAM_POSTGRES_PASSWORD GLOAM_WORKERS_STORE GLOAM_BALANCER_PORTS "  # docker-compose.yml
    "GLOAM_COMPOSE GLOAM_SWARM_SEED GLOAM_TEST_VIEWS GLOAM_UPDATE_GOLDEN".split()  # the tests
)
"""Variables of other programs, which are no mistake in the server's environment."""
_OF_DOORS: Final = "GLOAM_DOOR_"
"""The beginning of the variables of gloam-door, which checks them itself."""


def check_environment(present: Iterable[str], programs: click.Group) -> None:
    """Raise ConfigError for the first GLOAM_* variable that no program uses."""
    ours = sorted(name for name in present if name.startswith(f"{PREFIX}_"))
    known = _known_variables(programs) if ours else frozenset()  # to know them all, all programs are imported
    for name in ours:
        if name not in known and not name.startswith(_OF_DOORS):
            raise ConfigError(
                f"There is no variable {name}; {meant(name, sorted(known))}unset it, or see gloam-server run --help."
            )


def source_of(context: click.Context) -> dict[str, str]:
    """Return the options of a call that were set by a variable, with its name."""
    return {
        str(option.name): _automatic(str(context.info_name), option)
        if option.envvar is None
        else str(option.envvar)
        for option in context.command.params
        if context.get_parameter_source(str(option.name)) is ParameterSource.ENVIRONMENT
    }


def _known_variables(programs: click.Group) -> frozenset[str]:
    ours = {
        name
        for path, command in _commands(programs)
        for option in command.params
        for name in (option.envvar, _automatic(path, option))
        if isinstance(name, str)
    }
    return frozenset(ours | _ELSEWHERE)


def _commands(programs: click.Group, before: str = "") -> Iterator[tuple[str, click.Command]]:
    """Yield all commands with their names, of a command of a group both names."""
    context = click.Context(programs)
    for name in programs.list_commands(context):
        command = programs.get_command(context, name)
        if isinstance(command, click.Group):
            yield from _commands(command, f"{before}{name}_")
        elif command is not None:
            yield f"{before}{name}", command


def _automatic(command: str, option: click.Parameter) -> str:
    """Return the variable that click reads by default for an option without one."""
    return f"{PREFIX}_{command}_{option.name}".replace("-", "_").upper()
