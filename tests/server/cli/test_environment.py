"""The GLOAM_* variables: an unknown one stops the server before it does anything."""

import re
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from gloam_server.app.config import ConfigError
from gloam_server.cli import environment, main

ROOT = Path(__file__).parents[3]
NAME = re.compile(r"\bGLOAM_[A-Z][A-Z_]*[A-Z]\b")
HERE = Path(__file__)


@pytest.mark.rule("A71")
@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("GLOAM_PROT", "There is no variable GLOAM_PROT; did you mean GLOAM_PORT? If not, unset it"),
        ("GLOAM_XYZZY", "There is no variable GLOAM_XYZZY; unset it, or see gloam-server run --help."),
    ],
)
def test_unknown_variable_gets_a_suggestion(tmp_path: Path, name: str, expected: str) -> None:
    """The message about an unknown variable suggests a known one."""
    data = tmp_path / "realm"
    result = CliRunner().invoke(main.cli, ["run", "--data", str(data)], env={name: "7000"})
    assert result.exit_code == 2
    assert result.stderr.startswith(f"gloam-server: {expected}")
    assert result.stderr.count("\n") == 1
    assert not data.exists()


@pytest.mark.rule("A71")
@pytest.mark.parametrize(
    ("env", "expected"),
    [
        ({"GLOAM_PORT": "70000"}, "GLOAM_PORT"),
        ({"GLOAM_PORT": "seven"}, "GLOAM_PORT"),
        ({"GLOAM_SEED": "-1"}, "GLOAM_SEED"),
        ({"GLOAM_OPEN": "maybe"}, "GLOAM_OPEN"),
    ],
)
def test_wrong_value_variable_names_variable(tmp_path: Path, env: dict[str, str], expected: str) -> None:
    """A wrong value of a variable names the variable."""
    result = CliRunner().invoke(main.cli, ["run", "--data", str(tmp_path / "realm")], env=env)
    assert result.exit_code == 2
    assert expected in result.stderr
    assert "Traceback" not in result.stderr
    assert not (tmp_path / "realm").exists()


def test_variable_named_anywhere_known() -> None:
    """Every variable that is named anywhere is known."""
    texts = [ROOT / "docker-compose.yml", ROOT / "README.md", ROOT / "Makefile", *ROOT.glob("server/*")]
    texts += [
        path for folder in ("client", "shared", "server", "tests") for path in (ROOT / folder).rglob("*.py")
    ]
    named = {
        name for path in texts if path.is_file() and path != HERE for name in NAME.findall(path.read_text())
    }
    assert len(named) > 8
    environment.check_environment(named, main.cli)


def test_a_variable_of_anothers_is_none_of_ours() -> None:
    environment.check_environment(["PATH", "GLOAMING", "gloam_port"], main.cli)


def test_variable_command_option_known() -> None:
    """A variable of one command s option is known to all."""

    @click.group
    def group() -> None: ...

    @group.command
    @click.option("--how-many", type=int)
    def count(how_many: int) -> None: ...

    environment.check_environment(["GLOAM_COUNT_HOW_MANY"], group)
    with pytest.raises(ConfigError, match="GLOAM_COUNT_HOW_MANY"):
        environment.check_environment(["GLOAM_COUNT_HOW_MUCH"], group)
