"""The help of each command of `gloam` keeps the lines of its examples."""

import click
import pytest
from click.testing import CliRunner

from gloam_client.__main__ import cli

COMMANDS = sorted(cli.commands)


@pytest.mark.parametrize("name", COMMANDS)
def test_examples_stand_on_lines_of_their_own(name: str) -> None:
    printed = CliRunner().invoke(cli, [name, "--help"]).stdout
    assert "\\b" not in printed
    examples = [line.strip() for line in printed.splitlines() if line.strip().startswith(f"gloam {name}")]
    assert all(line.count("gloam ") == 1 for line in examples)
    assert isinstance(cli.commands[name], click.Command)
