"""Any file where a world should be: one sentence that names it, exit code 1 or 2, no traceback, no byte changed."""

import fcntl
import os
import resource
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import click
import pytest
from click.testing import CliRunner, Result

from gloam_server.app import config as settings
from gloam_server.app.config import WORLD_FILE
from gloam_server.app.open_world import open_world
from gloam_server.cli import main
from gloam_server.cli.processes import serving
from gloam_server.storage.sqlite.database import connect
from gloam_server.storage.sqlite.integrity.checksum_triggers import install_checksum_triggers
from support.storage.bad_worlds import (
    BAD,
    backed_up,
    good,
    killed,
    log_alone,
    missing,
    unfinished,
)
from support.storage.hostile_names import FEW, NAMES

NOBODY = 65_534
FILES_ONLY_MAX = 100
"""This many bytes a file may have on the disk that is full."""


@click.command()
@click.option("--data", type=click.Path(path_type=Path))
def run(data: Path) -> None:
    """Do what `gloam-server run` does before it listens: there is one reactor a process, and it is the tests'."""
    said = {"campaign": "rltut", "seed": 7, "port": 0}
    store, _ = serving.or_exit(lambda: open_world(settings.resolve(data, said, private=False), 1_000))
    store.close()


def ran(command: str, data: Path, file: Path | None = None) -> Result:
    words = [command, *([str(file)] if file is not None else []), "--data", str(data)]
    if command == "run":
        return CliRunner().invoke(run, words[1:])
    if command == "reset-password":
        words.insert(1, "Ann")
    return CliRunner().invoke(main.cli, words)


OPENERS = ("run", "verify", "upgrade", "backup", "invite", "reset-password", "status")
GOES_ON = {
    ("run", "missing"),
    ("run", "unfinished"),
    ("reset-password", "unfinished"),
    ("invite", "unfinished"),
}
"""These find nothing wrong there: a new realm is made, or an invite for one that is not made yet."""


def contents(folder: Path) -> dict[str, bytes | None]:
    """Return what lies in a folder; SQLite's index beside a log, and a log that is empty, are nothing that lasts."""
    return {
        str(file.relative_to(folder)): file.read_bytes() if file.is_file() else None
        for file in folder.rglob("*")
        if not file.name.endswith("-shm") and not (file.name.endswith("-wal") and not file.stat().st_size)
    }


def is_one_sentence(ended: Result, names: str) -> None:
    assert isinstance(ended.exception, SystemExit), (ended.exc_info, ended.output)
    assert ended.exit_code in (1, 2)
    assert ended.stdout == ""
    assert ended.stderr.startswith("gloam-server: "), ended.stderr
    assert ended.stderr.count("\n") == 1, ended.stderr
    assert ended.stderr[:-1].isprintable()
    assert names in ended.stderr
    assert ";" in ended.stderr, "no mend"


@pytest.mark.thorough
@pytest.mark.parametrize("command", OPENERS)
@pytest.mark.parametrize("prepare", BAD, ids=lambda prepare: prepare.__name__)
def test_what_is_no_world_is_named_and_left_as_it_is(
    tmp_path: Path, prepare: Callable[[Path], None], command: str
) -> None:
    data = tmp_path / "data"
    prepare(data)
    if (command, prepare.__name__) in GOES_ON:
        return
    before = contents(tmp_path)
    ended = ran(command, data, tmp_path / "copy" if command == "backup" else None)
    is_one_sentence(ended, str(data))
    assert contents(tmp_path) == before


@pytest.mark.parametrize(
    "prepare", [each for each in BAD if each is not log_alone], ids=lambda prepare: prepare.__name__
)
def test_no_backup_not_restored(tmp_path: Path, prepare: Callable[[Path], None]) -> None:
    """A file that is no backup is not restored and no folder is begun."""
    prepare(tmp_path / "there")
    before = contents(tmp_path)
    ended = ran("restore", tmp_path / "data", tmp_path / "there" / WORLD_FILE)
    is_one_sentence(ended, str(tmp_path / "there" / WORLD_FILE))
    assert contents(tmp_path) == before


@pytest.mark.parametrize(
    "prepare", [each for each in BAD if each is not missing], ids=lambda prepare: prepare.__name__
)
def test_a_backup_is_restored_over_nothing(tmp_path: Path, prepare: Callable[[Path], None]) -> None:
    good(tmp_path / "there")
    prepare(tmp_path / "data")
    before = contents(tmp_path)
    ended = ran("restore", tmp_path / "data", tmp_path / "there" / WORLD_FILE)
    is_one_sentence(ended, str(tmp_path / "data" / WORLD_FILE))
    assert contents(tmp_path) == before


@pytest.mark.parametrize("command", [*OPENERS, "restore"])
@pytest.mark.parametrize("place", ["file", "file/realm", "n" * 300, "/".join(["n" * 90] * 6)])
def test_a_folder_that_there_cannot_be_is_named(tmp_path: Path, command: str, place: str) -> None:
    good(tmp_path / "there")
    (tmp_path / "file").write_text("no folder")
    copy = {"restore": tmp_path / "there" / WORLD_FILE, "backup": tmp_path / "copy"}.get(command)
    before = contents(tmp_path)
    ended = ran(command, tmp_path / place, copy)
    is_one_sentence(ended, str(tmp_path / place))
    assert {key: body for key, body in contents(tmp_path).items() if body is not None} == {
        key: body for key, body in before.items() if body is not None
    }


@pytest.mark.thorough
@pytest.mark.parametrize("name", NAMES if os.environ.get("CI") else FEW)
def test_folder_any_name_served_copied(tmp_path: Path, name: str) -> None:
    """A folder of any name is served copied and restored."""
    data, copy = tmp_path / name / "data", tmp_path / name / "copy"
    killed(data)
    for command, at, file in (
        ("backup", data, copy),
        ("restore", tmp_path / name / "restored", copy),
        ("verify", data, None),
        ("invite", data, None),
        ("run", tmp_path / name / "restored", None),
        ("upgrade", data, None),
    ):
        ended = ran(command, at, file)
        assert ended.exit_code == 0, (command, ended.output)
        assert ended.stderr.count("\n") == (command == "invite"), "only a hint at --host"
        assert ended.stdout == "" or ended.stdout[:-1].replace("\n", "").isprintable()
    is_one_sentence(ran("backup", data, copy), "exists already")
    is_one_sentence(ran("status", data), "No server ")
    assert [file.name for file in tmp_path.iterdir()] == [name]


@pytest.mark.parametrize("command", ["run", "verify", "upgrade"])
def test_a_world_that_another_has_open_is_named(tmp_path: Path, command: str) -> None:
    killed(tmp_path / "data")
    with (tmp_path / "data" / f"{WORLD_FILE}-lock").open("wb") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        before = contents(tmp_path)
        ended = ran(command, tmp_path / "data")
        is_one_sentence(ended, str(tmp_path / "data" / WORLD_FILE))
        assert contents(tmp_path) == before


@contextmanager
def full_disk() -> Iterator[None]:
    """Let no file grow: each write beyond some bytes fails, as on a disk without room."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (FILES_ONLY_MAX, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@pytest.mark.thorough
@pytest.mark.parametrize("command", ["run", "verify", "upgrade", "backup", "invite", "restore"])
@pytest.mark.parametrize("prepare", [good, killed, missing], ids=lambda prepare: prepare.__name__)
def test_a_full_disk_loses_nothing_and_is_reported(
    tmp_path: Path, command: str, prepare: Callable[[Path], None]
) -> None:
    there = backed_up(tmp_path / "there")
    data = tmp_path / ("new" if command == "restore" else "data")
    prepare(tmp_path / "data")
    copy = {"restore": there, "backup": tmp_path / "copy"}.get(command)
    before = contents(tmp_path)
    with full_disk():
        ended = ran(command, data, copy)
    is_one_sentence(ended, str(data if command != "backup" else tmp_path))
    after = contents(tmp_path)
    after.pop("new", None)
    assert after == before
    _goes_on(data, prepare)


def _goes_on(data: Path, prepare: Callable[[Path], None]) -> None:
    if prepare is not missing and data.name == "data":
        assert ran("run", data).exit_code == 0


@pytest.fixture
def read_only() -> Iterator[Path]:
    """Yield a folder in which the test may make what it likes; `as_nobody` can then only read it."""
    folder = Path(tempfile.mkdtemp())
    folder.chmod(0o755)
    yield folder
    for path in (folder, *folder.rglob("*")):
        path.chmod(0o755)
    shutil.rmtree(folder)


@contextmanager
def as_nobody(folder: Path) -> Iterator[None]:
    """Take the right to write: the superuser becomes another for a while, for nothing is read-only to it."""
    for path in sorted((folder, *folder.rglob("*")), reverse=True):
        path.chmod(0o555 if path.is_dir() else 0o444)
    former = os.geteuid()
    if former == 0:
        os.seteuid(NOBODY)
    try:
        yield
    finally:
        os.seteuid(former)


@pytest.mark.thorough
@pytest.mark.parametrize("command", ["run", "verify", "upgrade", "invite", "restore"])
@pytest.mark.parametrize("prepare", [good, killed, missing], ids=lambda prepare: prepare.__name__)
def test_read_disk_reported_cannot_written(
    read_only: Path, tmp_path: Path, command: str, prepare: Callable[[Path], None]
) -> None:
    """On a read-only disk the message names the file that the server cannot write."""
    for warm in ("run", "invite"):  # what is loaded late is loaded now, as who may read it
        good(tmp_path / warm)
        ran(warm, tmp_path / warm)
    there = backed_up(read_only / "there")
    prepare(read_only / "data")
    data = read_only / ("data/new" if command == "restore" else "data")
    before = contents(read_only)
    with as_nobody(read_only):
        ended = ran(command, data, there if command == "restore" else None)
    is_one_sentence(ended, str(data))
    assert contents(read_only) == before


def test_a_world_on_a_read_only_disk_can_be_backed_up(read_only: Path) -> None:
    good(read_only / "data")
    (read_only / "out").mkdir()
    with as_nobody(read_only / "data"):
        pass
    (read_only / "out").chmod(0o777)
    former = os.geteuid()
    if former == 0:
        os.seteuid(NOBODY)
    try:
        ended = ran("backup", read_only / "data", read_only / "out" / "copy")
    finally:
        os.seteuid(former)
    assert (ended.exit_code, ended.stderr) == (0, "")
    assert [file.name for file in (read_only / "data").iterdir()] == [WORLD_FILE]


def test_realm_begun_and_not_finished_finished(tmp_path: Path) -> None:
    """A realm that was begun and not finished is finished by the next start."""
    unfinished(tmp_path)
    assert ran("run", tmp_path).exit_code == 0
    assert ran("verify", tmp_path).exit_code == 0


@pytest.mark.parametrize(
    "words",
    [
        ("reset-password", "\x1b]0;title\x07\nBert"),
        ("backup", "\x1b[31m/copy"),
        ("restore", "\x1b[31m/copy"),
        ("check-campaign", "./\x1b[31m"),
        ("lives", "--campaign", "./\x1b[31m"),
        ("kick", "\x1b[31m"),
    ],
)
def test_no_sign_argument_reaches_terminal(tmp_path: Path, words: tuple[str, ...]) -> None:
    """No sign of an argument reaches the terminal as it was."""
    good(tmp_path)
    data = () if words[0] in ("check-campaign", "lives") else ("--data", str(tmp_path))
    ended = CliRunner().invoke(main.cli, [*words, *data])
    assert ended.exit_code in (1, 2)
    assert ended.output[:-1].isprintable(), ended.output


def test_no_text_strangers_world_reaches_terminal(tmp_path: Path) -> None:
    """No text of a strangers world reaches the terminal as it was."""
    good(tmp_path)
    with closing(connect(tmp_path / WORLD_FILE)) as database:
        install_checksum_triggers(database)
        database.execute("UPDATE realm SET campaign = 'a\x1b]0;title\x07b', seed = '7'")
    for command in ("run", "verify", "upgrade"):
        is_one_sentence(ran(command, tmp_path), r"a\x1b]0;title\x07b")
