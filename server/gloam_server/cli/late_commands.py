"""The commands of gloam-server and their modules: each is imported when needed, so that all start quickly."""

from importlib import import_module
from typing import Final

import click

_MODULES: Final = {
    "backup": "backup_commands",
    "ban": "admin_commands",
    "certificate": "certificate_command",
    "check-campaign": "check_campaign",
    "invite": "invite_commands",
    "kick": "admin_commands",
    "lives": "balance_command",
    "reports": "reports_command",
    "reset-password": "invite_commands",
    "restore": "backup_commands",
    "say": "admin_commands",
    "status": "admin_commands",
    "unban": "admin_commands",
    "upgrade": "backup_commands",
    "who": "admin_commands",
}


class LateCommands(click.Group):
    """A group that imports a command's module when the command is used."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of all commands."""
        return sorted({*super().list_commands(ctx), *_MODULES})

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return a command by its name."""
        if cmd_name not in _MODULES:
            return super().get_command(ctx, cmd_name)
        module = import_module(f"gloam_server.cli.{_MODULES[cmd_name]}")
        command = getattr(module, cmd_name.replace("-", "_"))
        assert isinstance(command, click.Command)
        return command
