"""`make audit` tells what is vulnerable, and never calls anything sound of which nothing is known."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SKIPPED = {"name": "attrs", "skip_reason": "not found"}
SOUND = {"name": "twisted", "version": "26.4.0", "vulns": []}
VULNERABLE = {
    "name": "idna",
    "version": "3.1",
    "vulns": [{"id": "PYSEC-2024-60", "fix_versions": ["3.7"]}, {"id": "GHSA-x", "fix_versions": []}],
}


def audited(environment: Path, *flags: str, **variables: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, str(ROOT / "tests" / "audit.py"), str(environment), *flags],
        env={**os.environ, **variables},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


def answering(folder: Path, *packages: object) -> Path:
    """Return an environment whose pip-audit gives an answer, or none."""
    (folder / "bin").mkdir()
    answer = f"""> "$(eval echo \\${{$#}})" cat <<'END'\n{json.dumps({"dependencies": packages})}\nEND\n"""
    program = folder / "bin" / "pip-audit"
    program.write_text(f"#!/bin/sh\n{answer if packages else 'exit 1'}\n")
    program.chmod(0o755)
    return folder


@pytest.mark.parametrize(
    ("packages", "code", "lines"),
    [
        ((SOUND,), 0, ["make audit: 1 packages, none with a known vulnerability"]),
        (
            (SOUND, VULNERABLE),
            1,
            [
                "make audit: idna 3.1 is vulnerable: PYSEC-2024-60, fixed in 3.7",
                "make audit: idna 3.1 is vulnerable: GHSA-x, not fixed yet",
            ],
        ),
    ],
)
def test_what_is_vulnerable_is_reported_and_fails(
    tmp_path: Path, packages: tuple[object, ...], code: int, lines: list[str]
) -> None:
    result = audited(answering(tmp_path, *packages))
    assert (result.returncode, result.stdout.splitlines(), result.stderr) == (code, lines, "")


@pytest.mark.parametrize("packages", [(), (SKIPPED,), (SKIPPED, SKIPPED)])
def test_where_no_database_answers_that_is_said(tmp_path: Path, packages: tuple[object, ...]) -> None:
    environment = answering(tmp_path, *packages)
    result = audited(environment)
    assert result.returncode == 2
    assert audited(environment, "--offline-ok").returncode == 0
    assert result.stdout.startswith("make audit: NOTHING WAS AUDITED")
    assert result.stdout.count("\n") == 1
    assert result.stderr == ""


def test_a_package_of_which_nothing_is_known_is_named(tmp_path: Path) -> None:
    environment = answering(tmp_path, SOUND, SKIPPED)
    assert [audited(environment, *flags).returncode for flags in ((), ("--offline-ok",))] == [2, 0]
    output = audited(environment).stdout
    assert "for attrs" in output
    assert "1 packages, none" in output


@pytest.mark.thorough
def test_without_a_network_it_says_so_in_one_sentence(tmp_path: Path) -> None:
    nowhere = {"PIP_INDEX_URL": "http://127.0.0.1:9/simple", "PIP_FIND_LINKS": "", "PIP_RETRIES": "0"}
    result = audited(tmp_path / "environment", PIP_CONFIG_FILE=os.devnull, **nowhere)
    assert result.returncode == 2, result.stderr
    assert result.stdout.startswith("make audit: NOTHING WAS AUDITED")
