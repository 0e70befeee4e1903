"""Releases: one version, and a changelog that is cut by version and sorted by reader."""

import re
from pathlib import Path

import pytest

import release

LINE_MAX = 180
"""More than one sentence or two belongs into the document of its subject."""

BEFORE = """# Changelog

## [Unreleased]

### Hosts

- Faster.

### Players

- A command.

### Hosts

- Shorter.

## [0.1.0] - 2026-01-31

### Added

- All of it.
"""
AFTER = """# Changelog

## [Unreleased]

## [0.2.0] - 2026-02-28

### Players

- A command.

### Hosts

- Faster.
- Shorter.

## [0.1.0] - 2026-01-31

### Added

- All of it.
"""


def test_cut_moves_changes_under_version_reader() -> None:
    """A cut moves the changes under a version by reader."""
    assert release.cut(BEFORE, "0.2.0", "2026-02-28") == AFTER


def test_cut_changelog_release_and_changes_none() -> None:
    """A cut changelog is a release and one with changes is none."""
    assert release.find_faults(AFTER, "0.2.0") == []
    assert len(release.find_faults(BEFORE, "0.2.0")) == 2
    assert release.find_faults(AFTER.replace(" - 2026-02-28", ""), "0.2.0") == [
        "CHANGELOG.md: 0.2.0 has no date such as 2026-01-31."
    ]


def test_nothing_unreleased_unknown_reader_refused() -> None:
    """Nothing unreleased and an unknown reader are refused."""
    with pytest.raises(SystemExit, match="nothing to release"):
        release.cut(AFTER, "0.3.0", "2026-03-31")
    with pytest.raises(SystemExit, match='"Changed" are no readers of changes'):
        release.cut(BEFORE.replace("### Hosts", "### Changed"), "0.2.0", "2026-02-28")


def test_a_cut_names_the_version_in_pyproject(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    project, changelog = tmp_path / "pyproject.toml", tmp_path / "CHANGELOG.md"
    project.write_text('[project]\nname = "gloam"\nversion = "0.1.0"\n')
    changelog.write_text(BEFORE)
    monkeypatch.setattr(release, "PROJECT", project)
    monkeypatch.setattr(release, "CHANGELOG", changelog)
    release.write_version("0.2.0", "2026-02-28")
    assert release.read_version() == "0.2.0"
    assert changelog.read_text() == AFTER
    with pytest.raises(SystemExit, match=r"VERSION=X\.Y\.Z"):
        release.write_version("2", "today")


def test_changelog_lists_readers_once_in_order() -> None:
    """Versions before 0.3.0 list kinds of changes instead."""
    text = release.CHANGELOG.read_text(encoding="utf-8").partition("\n## [0.2.0]")[0]
    sections = re.split(r"^## ", text, flags=re.MULTILINE)[1:]
    listed = [re.findall(r"^### (.*)$", section, re.MULTILINE) for section in sections]
    assert listed
    for readers in listed:
        assert readers == sorted(set(readers), key=release.READERS.index)


def test_unreleased_changes_take_one_line_each() -> None:
    text = release.CHANGELOG.read_text(encoding="utf-8")
    unreleased = text.partition(release.UNRELEASED)[2].partition("\n## [")[0].splitlines()
    assert [line for line in unreleased if line and not line.startswith(("- ", "### "))] == []
    assert [line for line in unreleased if len(line) > LINE_MAX] == []


@pytest.mark.thorough
def test_the_sdist_builds_the_same_wheel(tmp_path: Path) -> None:
    release.compare_contents(*release.build(tmp_path))
