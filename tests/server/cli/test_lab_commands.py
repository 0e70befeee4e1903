"""The commands of the lab: there in a clone, and a sentence where the package was installed without it."""

import sys

import pytest
from click.testing import CliRunner

from gloam_server.cli.main import cli


@pytest.fixture
def without_lab(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the lab be absent, as in a wheel."""
    monkeypatch.setitem(sys.modules, "gloam_lab", None)


def test_a_clone_lists_and_runs_lives() -> None:
    runner = CliRunner()
    assert "\n  lives " in runner.invoke(cli, ["--help"]).output
    assert "Play whole lives with bots" in runner.invoke(cli, ["lives", "--help"]).output


@pytest.mark.usefixtures("without_lab")
def test_an_installed_package_says_where_lives_is() -> None:
    runner = CliRunner()
    run = runner.invoke(cli, ["lives"])
    assert "\n  lives " not in runner.invoke(cli, ["--help"]).output
    assert (run.exit_code, run.output.splitlines()[-1]) == (
        2,
        'Error: "lives" is in the lab, which only a clone of Gloam has; run it in one.',
    )
