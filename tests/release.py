"""Make a release: `make release` checks version and changelog, builds wheel and sdist, and runs them from a bare environment.

With VERSION and DATE it cuts the changelog first: what is under Unreleased becomes that version, and pyproject.toml, the one
place of the version, names it. Commit that, then run it again without them.
"""

import argparse
import re
import subprocess
import sys
import tempfile
import tomllib
import venv
from pathlib import Path
from typing import Final
from zipfile import ZipFile

ROOT: Final = Path(__file__).resolve().parents[1]
PROJECT: Final = ROOT / "pyproject.toml"
CHANGELOG: Final = ROOT / "CHANGELOG.md"
READERS: Final = ("Players", "Hosts", "Campaign authors", "Client authors")
"""The readers of changes, in the order in which a version lists them."""

UNRELEASED: Final = "## [Unreleased]\n"
_VERSION: Final = re.compile(r"\d+\.\d+\.\d+")
_DATE: Final = re.compile(r"\d{4}-\d\d-\d\d")
_SECTION: Final = re.compile(r"^## \[([^\]]+)\](?: - (\S+))?$", re.MULTILINE)
_READER: Final = re.compile(r"^### (.+)\n", re.MULTILINE)


def cut(changelog: str, version: str, date: str) -> str:
    """Return the changelog with what was unreleased under a version, sorted by reader, and nothing unreleased."""
    head, _, rest = changelog.partition(UNRELEASED)
    following = _SECTION.search(rest)
    body, older = (rest[: following.start()], rest[following.start() :]) if following else (rest, "")
    changes = sort_changes(body)
    if not changes:
        raise SystemExit("CHANGELOG.md: nothing is under Unreleased, so there is nothing to release.")
    released = f"{head}{UNRELEASED}\n## [{version}] - {date}\n\n{changes}\n"
    return f"{released}\n{older}" if older else released


def sort_changes(body: str) -> str:
    """Return the changes of one version with each reader once, in their order."""
    parts = _READER.split(body)
    entries: dict[str, list[str]] = {reader: [] for reader in READERS}
    for reader, text in zip(parts[1::2], parts[2::2], strict=True):
        if reader not in entries:
            raise SystemExit(
                f'CHANGELOG.md: "{reader}" are no readers of changes; use one of {", ".join(READERS)}.'
            )
        entries[reader].append(text.strip("\n"))
    return "\n\n".join(f"### {reader}\n\n" + "\n".join(texts) for reader, texts in entries.items() if texts)


def find_faults(changelog: str, version: str) -> list[str]:
    """Return why this state is no release: each fault is one sentence."""
    sections = _SECTION.findall(changelog)
    faults = []
    if not sections or sections[0][0] != "Unreleased":
        faults.append("CHANGELOG.md must begin with a section Unreleased.")
    released = [(name, date) for name, date in sections if name != "Unreleased"]
    if not released or released[0][0] != version:
        faults.append(
            f"CHANGELOG.md must have {version} below Unreleased; `make release VERSION={version}` cuts it."
        )
    faults += [
        f"CHANGELOG.md: {name} has no date such as 2026-01-31."
        for name, date in released
        if not _DATE.fullmatch(date)
    ]
    unreleased = changelog.partition(UNRELEASED)[2].partition("\n## [")[0]
    if unreleased.strip():
        faults.append(
            "CHANGELOG.md has changes under Unreleased; `make release VERSION=X.Y.Z DATE=YYYY-MM-DD` cuts them."
        )
    return faults


def read_version() -> str:
    """Return the version of the project."""
    return str(tomllib.loads(PROJECT.read_text(encoding="utf-8"))["project"]["version"])


def write_version(version: str, date: str) -> None:
    """Cut the changelog for a version, and name it in pyproject.toml."""
    if not _VERSION.fullmatch(version) or not _DATE.fullmatch(date):
        raise SystemExit("make release: say VERSION=X.Y.Z and DATE=YYYY-MM-DD.")
    CHANGELOG.write_text(cut(CHANGELOG.read_text(encoding="utf-8"), version, date), encoding="utf-8")
    text = PROJECT.read_text(encoding="utf-8")
    PROJECT.write_text(
        re.sub(r'^version = "[^"]*"$', f'version = "{version}"', text, count=1, flags=re.MULTILINE),
        encoding="utf-8",
    )


def build(folder: Path) -> tuple[Path, Path]:
    """Build wheel and sdist into a folder; return them."""
    run(sys.executable, "-m", "hatchling", "build", "-d", str(folder), cwd=ROOT)
    [wheel], [sdist] = folder.glob("gloam-*.whl"), folder.glob("gloam-*.tar.gz")
    return wheel, sdist


def compare_contents(wheel: Path, sdist: Path) -> None:
    """End with a message unless the sdist builds the same wheel."""
    with tempfile.TemporaryDirectory() as folder:
        tools = ["--no-deps", "--no-build-isolation", "--quiet", "--disable-pip-version-check"]
        run(sys.executable, "-m", "pip", "wheel", *tools, "--wheel-dir", folder, str(sdist))
        [rebuilt] = Path(folder).glob("gloam-*.whl")
        missing = set(ZipFile(wheel).namelist()) ^ set(ZipFile(rebuilt).namelist())
    if missing:
        raise SystemExit(
            f"make release: the sdist builds another wheel; these files differ: {sorted(missing)}."
        )


def try_commands(wheel: Path, version: str) -> None:
    """Install the wheel into a bare environment, and run both commands of it from another folder."""
    with tempfile.TemporaryDirectory() as folder:
        venv.create(folder, with_pip=True)
        programs = Path(folder) / "bin"
        run(
            programs / "python",
            "-m",
            "pip",
            "install",
            "--quiet",
            "--disable-pip-version-check",
            f"{wheel}[server]",
        )
        for command in ("gloam", "gloam-server"):
            answer = run(programs / command, "--version", cwd=Path(folder)).strip()
            if answer.rpartition(" ")[2] != version:
                raise SystemExit(f'make release: {command} --version says "{answer}"; expected {version}.')
            print(answer)


def run(*command: str | Path, cwd: Path | None = None) -> str:
    """Run a command, and return what it prints; one that fails ends the release with its own words."""
    done = subprocess.run(
        [str(word) for word in command], cwd=cwd, capture_output=True, text=True, check=False
    )
    if done.returncode != 0:
        raise SystemExit(f"make release: {Path(command[0]).name} failed.\n{done.stdout}{done.stderr}")
    return done.stdout


def main() -> None:
    """Cut the version that was named, or build and try the present one."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--version", default="")
    parser.add_argument("--date", default="")
    parser.add_argument("--dist", type=Path, default=ROOT / "dist")
    said = parser.parse_args()
    if said.version:
        write_version(said.version, said.date)
        print(f"CHANGELOG.md and pyproject.toml name {said.version}. Commit them, then run `make release`.")
        return
    version = read_version()
    if faults := find_faults(CHANGELOG.read_text(encoding="utf-8"), version):
        raise SystemExit("\n".join(faults))
    for old in said.dist.glob("gloam-*"):
        old.unlink()
    wheel, sdist = build(said.dist)
    compare_contents(wheel, sdist)
    try_commands(wheel, version)
    print(f"{wheel.name} and {sdist.name} are in {said.dist}.")


if __name__ == "__main__":
    main()
