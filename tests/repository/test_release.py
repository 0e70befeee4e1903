"""Releases: one version, and a changelog that is cut by version and sorted by kind."""

import re
from pathlib import Path

import pytest

import release

BEFORE = """# Changelog

## [Unreleased]

### Changed

- Faster.

### Added

- A command.

### Changed

- Shorter.

## [0.1.0] - 2026-01-31

### Added

- All of it.
"""
AFTER = """# Changelog

## [Unreleased]

## [0.2.0] - 2026-02-28

### Added

- A command.

### Changed

- Faster.
- Shorter.

## [0.1.0] - 2026-01-31

### Added

- All of it.
"""


def test_cut_moves_changes_under_version_kind() -> None:
    """A cut moves the changes under a version by kind."""
    assert release.cut(BEFORE, "0.2.0", "2026-02-28") == AFTER


def test_cut_changelog_release_and_changes_none() -> None:
    """A cut changelog is a release and one with changes is none."""
    assert release.find_faults(AFTER, "0.2.0") == []
    assert len(release.find_faults(BEFORE, "0.2.0")) == 2
    assert release.find_faults(AFTER.replace(" - 2026-02-28", ""), "0.2.0") == [
        "CHANGELOG.md: 0.2.0 has no date such as 2026-01-31."
    ]


def test_nothing_unreleased_unknown_kind_refused() -> None:
    """Nothing unreleased and an unknown kind are refused."""
    with pytest.raises(SystemExit, match="nothing to release"):
        release.cut(AFTER, "0.3.0", "2026-03-31")
    with pytest.raises(SystemExit, match='"Improved" is no kind of change'):
        release.cut(BEFORE.replace("### Changed", "### Improved"), "0.2.0", "2026-02-28")


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


def test_changelog_lists_kinds_order_under() -> None:
    """The changelog lists kinds in order under the version of the project."""
    text = release.CHANGELOG.read_text(encoding="utf-8")
    sections = re.split(r"^## ", text, flags=re.MULTILINE)[1:]
    kinds = [re.findall(r"^### (.*)$", section, re.MULTILINE) for section in sections]

    assert all(set(listed) <= set(release.KINDS) for listed in kinds)
    for listed in kinds[1:]:
        assert listed == sorted(set(listed), key=release.KINDS.index)


@pytest.mark.thorough
def test_the_sdist_builds_the_same_wheel(tmp_path: Path) -> None:
    release.compare_contents(*release.build(tmp_path))
