"""The commands of gloam-server and their modules: each is imported when needed, so that all start quickly."""

from importlib import import_module
from importlib.util import find_spec
from typing import Final

import click

_LAB: Final = {"lives": "gloam_lab.lives_command"}
"""The commands of the lab, which only a clone of the repository has."""

_MODULES: Final = {
    "backup": "backup_commands",
    "ban": "admin_commands",
    "certificate": "certificate_command",
    "check-campaign": "check_campaign",
    "export": "transfer_commands",
    "import": "transfer_commands",
    "invite": "invite_commands",
    "kick": "admin_commands",
    "realms": "realms_commands",
    "reports": "reports_command",
    "reset-password": "invite_commands",
    "restart": "admin_commands",
    "restore": "backup_commands",
    "say": "admin_commands",
    "status": "admin_commands",
    "unban": "admin_commands",
    "upgrade": "backup_commands",
    "who": "admin_commands",
    "worker": "worker_command",
}

_NAMES: Final = {"import": "import_world"}
"""The functions of commands whose names are Python's own words."""


class LateCommands(click.Group):
    """A group that imports a command's module when the command is used."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of all commands."""
        return sorted({*super().list_commands(ctx), *_MODULES, *(_LAB if _has_lab() else ())})

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return a command by its name."""
        if cmd_name in _LAB:
            if not _has_lab():
                ctx.fail(f'"{cmd_name}" is in the lab, which only a clone of Gloam has; run it in one.')
            module = import_module(_LAB[cmd_name])
        elif cmd_name in _MODULES:
            module = import_module(f"gloam_server.cli.{_MODULES[cmd_name]}")
        else:
            return super().get_command(ctx, cmd_name)
        command = getattr(module, _NAMES.get(cmd_name, cmd_name.replace("-", "_")))
        assert isinstance(command, click.Command)
        return command


def _has_lab() -> bool:
    return find_spec("gloam_lab") is not None
