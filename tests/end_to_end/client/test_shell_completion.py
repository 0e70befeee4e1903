"""Shell completion of both commands, as the README's lines set it up."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.end_to_end

BIN = Path(sys.executable).parent


def completed(command: str, *words: str) -> list[str]:
    """Return what a shell would offer after these words."""
    variable = f"_{command.upper().replace('-', '_')}_COMPLETE"
    done = subprocess.run(
        [BIN / command],
        env={
            **os.environ,
            variable: "bash_complete",
            "COMP_WORDS": " ".join((command, *words)),
            "COMP_CWORD": str(len(words)),
        },
        capture_output=True,
        text=True,
        check=True,
    )
    return [line.partition(",")[2] for line in done.stdout.splitlines()]


@pytest.mark.parametrize(
    ("command", "words", "offered"),
    [
        ("gloam", ["re"], "replay"),
        ("gloam", ["wa"], "watch"),
        ("gloam", ["replay", "--ex"], "--export"),
        ("gloam-server", ["ba"], "backup"),
        ("gloam-server", ["run", "--da"], "--data"),
    ],
)
def test_a_word_is_completed(command: str, words: list[str], offered: str) -> None:
    assert offered in completed(command, *words)


@pytest.mark.parametrize("command", ["gloam", "gloam-server"])
def test_the_line_of_the_readme_is_a_script(command: str) -> None:
    """The line of the README gives bash a function that it can read."""
    variable = f"_{command.upper().replace('-', '_')}_COMPLETE"
    assert f'eval "$({variable}=bash_source {command})"' in Path(__file__).parents[3].joinpath(
        "README.md"
    ).read_text(encoding="utf-8")
    script = subprocess.run(
        [BIN / command],
        env={**os.environ, variable: "bash_source"},
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    subprocess.run(["bash", "-n"], input=script, text=True, check=True)
    assert "complete -o nosort -F" in script
