"""gloam-server lives: the table alone on stdout, the same bytes again, and every wrong word in one sentence."""

import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from gloam_lab.balance import plot
from gloam_lab.balance.run_stats import Life, RunStats
from gloam_lab.balance.summary import summarise
from gloam_lab.lives_command import lives
from support.content.campaigns import arena_files


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    path = tmp_path / "my-dungeon"
    path.mkdir()
    for name, body in arena_files(monsters=8).items():
        (path / name).write_bytes(body)
    return path


def run(folder: Path | str, *arguments: str) -> Result:
    return CliRunner().invoke(lives, ["--campaign", str(folder), "--turns", "60", *arguments])


@pytest.mark.thorough
def test_table_alone_stdout_and_progress_stderr(folder: Path) -> None:
    """The table alone is on stdout and progress on stderr."""
    result = run(folder, "--lives", "4", "--players", "2", "--seed", "9", "--jobs", "1")
    assert result.exit_code == 0, result.output
    assert result.stdout.startswith("arena: 4 lives of 2 in 2 realms, seed 9\n")
    assert "gloam-server: 2 of 2 realms" in result.stderr
    assert "gloam-server" not in result.stdout


@pytest.mark.thorough
def test_same_seed_gives_same_bytes_process(folder: Path) -> None:
    """The same seed gives the same bytes in one process and in two."""
    one, two, again = (run(folder, "--lives", "3", "--jobs", count).stdout for count in ("1", "2", "2"))
    assert one == two == again
    assert run(folder, "--lives", "3", "--jobs", "1", "--seed", "2").stdout != one


@pytest.mark.thorough
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_table_in_pieces_is_the_table_in_one(folder: Path, tmp_path: Path, jobs: str) -> None:
    work = tmp_path / "work.jsonl"
    run(folder, "--lives", "2", "--jobs", "1", "--resume", str(work))
    first = work.read_bytes()
    more = run(folder, "--lives", "5", "--jobs", jobs, "--resume", str(work))
    assert "2 of 5 realms were played before" in more.stderr
    assert work.read_bytes().startswith(first)
    assert more.stdout == run(folder, "--lives", "5", "--jobs", "1").stdout
    fewer = run(folder, "--lives", "2", "--jobs", jobs, "--resume", str(work))
    assert fewer.stdout == run(folder, "--lives", "2", "--jobs", "1").stdout


@pytest.mark.thorough
def test_a_run_that_is_ended_goes_on_where_it_was(folder: Path, tmp_path: Path) -> None:
    work = tmp_path / "work.jsonl"
    asked = ("lives", "--campaign", str(folder), "--turns", "60", "--lives", "60", "--resume", str(work))
    command = [sys.executable, "-m", "gloam_server", *asked, "--jobs", "2"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as running:
        assert running.stderr is not None
        assert "1 of 60 realms" in running.stderr.readline()  # the first realm is over
        running.send_signal(signal.SIGTERM)
        output, complaint = running.communicate(timeout=60)

    assert (running.returncode, output) == (130, "")
    assert "the same command continues from there" in complaint
    assert "Traceback" not in complaint
    assert run(folder, "--lives", "60", "--jobs", "1", "--resume", str(work)).stdout.startswith(
        "arena: 60 lives of 1 in 60 realms, seed 1\n"
    )
    assert work.read_bytes().count(b"\n") == 61


def test_work_file_another_table_refused_sentence(folder: Path, tmp_path: Path) -> None:
    """A work file of another table is refused in one sentence."""
    work = str(tmp_path / "work.jsonl")
    run(folder, "--lives", "1", "--jobs", "1", "--resume", work)
    result = run(folder, "--lives", "1", "--jobs", "1", "--seed", "2", "--resume", work)
    assert (result.exit_code, result.stdout) == (2, "")
    assert "differ in --seed (1, now 2)" in result.stderr


def test_it_writes_the_same_for_programs(folder: Path, tmp_path: Path) -> None:
    run(folder, "--lives", "2", "--jobs", "1", "--json", str(tmp_path / "result.json"))
    record = json.loads((tmp_path / "result.json").read_text())
    assert record["lives"] == 2
    assert record["depth"]["median"] >= 1


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (("--campaign", "nowhere"), "There is no campaign"),
        (("--lives", "0"), "0 is not in the range"),
        (("--plot", "no/such/folder/x.png"), "plot"),
    ],
)
def test_a_wrong_word_is_reported_in_one_sentence(
    folder: Path, arguments: tuple[str, str], expected: str
) -> None:
    result = run(folder, *arguments)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert expected in result.stderr


def test_plot_without_matplotlib_names_installs(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A plot without matplotlib names what installs it."""
    for module in [name for name in sys.modules if name.split(".")[0] == "matplotlib"]:
        monkeypatch.delitem(sys.modules, module)
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    result = run(folder, "--plot", str(tmp_path / "x.png"))
    assert result.exit_code == 2
    assert 'pip install ".[server,plot]"' in result.stderr
    assert not (tmp_path / "x.png").exists()


def test_a_plot_is_drawn(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib", reason="matplotlib, the extra [plot], is not installed here")
    lines = [
        Life(3, 4, 900, 12, "died", "kobold"),
        Life(6, 9, 4_000, 60, "won"),
        Life(1, 1, 9, 0, "died", "bat"),
    ]
    plot.draw(summarise([RunStats(lives=lines)]), "jsrogue: 3 lives", tmp_path / "lives.png")
    assert (tmp_path / "lives.png").read_bytes().startswith(b"\x89PNG")


def test_an_unknown_kit_is_refused() -> None:
    result = CliRunner().invoke(lives, ["--kit", "knight", "--lives", "1"])
    assert result.exit_code == 2
    assert "The campaign has no kit knight; its kits are slinger, hedge_mage" in result.stderr
