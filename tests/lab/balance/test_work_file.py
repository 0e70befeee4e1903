"""The work file of a table: what is in it stays, what is torn is played again, and what is not its own is refused."""

from pathlib import Path

import msgspec
import pytest

from gloam_lab.balance.run_stats import Life, RunStats
from gloam_lab.balance.work_file import Origin, WorkFile, WorkFileError

ORIGIN = Origin("gloam", "57c82029", "0.2.0", 7, 1, 1, 40_000)
RESULT = RunStats(lives=[Life(3, 4, 900, 12, "died", "kobold")], met=["kobold"])


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "work.jsonl"


def fill(path: Path, *realms: int) -> None:
    with WorkFile(path, ORIGIN) as work:
        for realm in realms:
            work.add(realm, RESULT)


def test_what_was_kept_is_there_again(path: Path) -> None:
    fill(path, 3, 0)
    fill(path, 1)
    with WorkFile(path, ORIGIN) as work:
        assert work.results == {3: RESULT, 0: RESULT, 1: RESULT}


@pytest.mark.parametrize("torn", [b'{"realm":9,"resu', b"\0" * 512, b'{"realm":"x"}\n', b'{"realm":9}'])
def test_a_torn_end_is_cut_off_and_the_file_goes_on(path: Path, torn: bytes) -> None:
    fill(path, 0, 1)
    whole = path.read_bytes()
    path.write_bytes(whole + torn)
    fill(path)
    assert path.read_bytes() == whole
    fill(path, 9)
    with WorkFile(path, ORIGIN) as work:
        assert sorted(work.results) == [0, 1, 9]


@pytest.mark.parametrize("cut", range(1, 40))
def test_wherever_it_is_cut_off_nothing_wrong_is_read(path: Path, cut: int) -> None:
    fill(path, 0, 1)
    path.write_bytes(path.read_bytes()[:-cut])
    with WorkFile(path, ORIGIN) as work:
        assert work.results == {0: RESULT}


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("campaign", "rltut"),
        ("content", "0"),
        ("version", "1"),
        ("rules", 8),
        ("players", 2),
        ("seed", 2),
        ("turns", 9),
    ],
)
def test_the_realms_of_another_table_are_refused(path: Path, field: str, value: str | int) -> None:
    fill(path, 0)
    with pytest.raises(WorkFileError, match="name another file, or delete this one"):
        WorkFile(path, msgspec.structs.replace(ORIGIN, **{field: value}))


def test_file_refused_and_left_alone(path: Path) -> None:
    """A file of something else is refused and left alone."""
    path.write_text("dear diary\n")
    with pytest.raises(WorkFileError, match="is no work file"):
        WorkFile(path, ORIGIN)
    assert path.read_text() == "dear diary\n"


def test_two_runs_do_not_write_to_one_file(path: Path) -> None:
    with WorkFile(path, ORIGIN), pytest.raises(WorkFileError, match="Another run"):
        WorkFile(path, ORIGIN)


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(WorkFileError, match="cannot be opened"):
        WorkFile(tmp_path / "no" / "work.jsonl", ORIGIN)
