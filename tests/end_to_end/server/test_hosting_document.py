"""HOSTING.md tells the truth: every command in it runs as written, and every setting, metric and event in it is there."""

import json
import re
import tomllib
from pathlib import Path
from typing import Final

import pytest
from click.testing import CliRunner

from gloam_server.app.config import Settings
from gloam_server.cli import main
from gloam_server.gateway import rejections
from support.client.fake_client import FakeClient
from support.processes.server_process import ServerProcess

pytestmark = pytest.mark.end_to_end

ROOT: Final = Path(__file__).parents[3]
TEXT: Final = (ROOT / "server" / "HOSTING.md").read_text(encoding="utf-8")
COMMAND: Final = re.compile(r"(?:`|^ {4})(gloam-server [a-z][^`\n]*)", re.MULTILINE)
"""The commands that are typed as they stand; a command behind `docker compose` is the same, within a container."""
CHAPTERS: Final = {part.partition("\n")[0]: part for part in TEXT.split("\n## ")}


def first_cells(part: str) -> set[str]:
    """Return the names in backquotes in the first cells of a chapter's tables."""
    rows = [line.split("|")[1] for line in part.splitlines() if line.startswith("| `")]
    return {name for cell in rows for name in re.findall(r"`([^`]+)`", cell)}


@pytest.mark.thorough
def test_every_command_runs_as_it_is_written(tmp_path: Path) -> None:
    data, other, copy = tmp_path / "dungeon", tmp_path / "other", tmp_path / "copy.sqlite3"
    # `tests/end_to_end/cluster` runs those on a cluster.
    on_cluster = ("--store", "gloam-server realms ", "~/dungeons/")
    lines = {line for line in COMMAND.findall(TEXT) if not line.endswith("\\")}
    left = {line for line in lines if not any(word in line for word in on_cluster)}

    def typed(line: str, *more: str, expected: str) -> None:
        """Run a line of the document, with what stands for something in it put in, and `more` behind it."""
        left.remove(line)
        names = {
            "~/dungeon": f"{data}",
            "~/other": f"{other}",
            "copy.sqlite3": f"{copy}",
            "FOLDER": f"{data}",
            "FILE": f"{copy}",
        }
        names |= {"TEXT": "Hello!", "NAME": "Bert", "[--hours": "--hours", "N]": "24"}
        words = [names.get(word, word) for word in line.split()[1:]]
        ended = CliRunner().invoke(main.cli, [*words, *more], catch_exceptions=False)
        assert ended.exit_code == 0, (line, ended.output)
        assert expected in ended.output, (line, ended.output)

    here = ("--data", str(data))
    left.remove("gloam-server run --data ~/dungeon --listen 0.0.0.0")
    # `tests/end_to_end/connections/test_standby.py` runs it.
    left -= {"gloam-server restart", "gloam-server restart --data ~/dungeon"}
    left.remove("gloam-server run --data ./dungeon --listen 0.0.0.0 --door-socket door.sock")
    with ServerProcess(data, "--listen", "0.0.0.0", "--door-socket", "door.sock") as server:
        code = r"gloam-server invite --data ~/dungeon --host play.example.org --uses 5"
        typed(code, expected="gloam join play.example.org/")
        with FakeClient(server.port, "Bert") as bert:
            typed("gloam-server health", "--port", str(server.port), expected="1 players")
            typed("gloam-server status", *here, expected="connections: TLS, pin ")
            typed("gloam-server who", *here, expected="Bert: depth 1")
            typed("gloam-server say TEXT", *here, expected="said to 1 player")
            typed("gloam-server kick NAME", *here, expected="Bert was sent away")
            bert.settle()
            typed("gloam-server ban NAME [--hours N]", *here, expected="Bert is banned until ")
        reset = "gloam-server reset-password Bert --data ~/dungeon --host play.example.org"
        typed(reset, expected=" --name Bert")
        typed("gloam-server certificate", *here, expected="pin ")
        typed("gloam-server certificate --renew --data ~/dungeon", expected="pin ")
        typed("gloam-server reports --data ~/dungeon", expected="No player has reported")
        typed("gloam-server backup copy.sqlite3 --data ~/dungeon", expected="holds the world")
    typed("gloam-server upgrade --data ~/dungeon", expected="gloam-server: ")
    typed("gloam-server restore copy.sqlite3 --data ~/other", expected="holds the world again")
    typed("gloam-server verify --data FOLDER", expected="verified ")
    typed("gloam-server verify FILE", expected="verified ")
    typed("gloam-server run --help", expected="Example: gloam-server run")
    left.remove("gloam-server run --take-over")
    with ServerProcess(other, "--take-over", seed=None):
        pass
    left.remove("gloam-server run --exact-seed --seed 7")
    with ServerProcess(data.parent / "exact", "--exact-seed", seed=7):
        pass
    left -= {"gloam-server upgrade", "gloam-server restore"}  # named alone; run above as they are typed
    assert left == set(), "no test runs these commands of HOSTING.md"


def test_setting_stands_table_and_row_setting() -> None:
    """Every setting stands in its table and every row is a setting."""
    names = {
        name for name in first_cells(CHAPTERS["Without Docker"]) if not name.startswith(("--", "GLOAM_"))
    }
    names |= set(re.findall(r"`(\w+) = [^`]+` in `realm.toml`", TEXT))
    assert names == set(Settings.__struct_fields__)


def test_every_variable_of_compose_stands_in_its_table() -> None:
    used = set(re.findall(r"\$\{(GLOAM_\w+)", (ROOT / "docker-compose.yml").read_text()))
    assert {name for name in first_cells(CHAPTERS["With Docker"]) if name.startswith("GLOAM_")} == used


def test_metric_stands_table_and_row_metric(scraped: str) -> None:
    """Every metric stands in its table and every row is a metric."""
    there = set(re.findall(r"^# TYPE (gloam_\w+) ", scraped, re.MULTILINE))
    names = {name.partition("{")[0] for name in first_cells(CHAPTERS["What to watch"]) if "gloam_" in name}
    assert names == there


def test_process_metrics_named(scraped: str) -> None:
    """The process s own metrics that are named are there."""
    for name in re.findall(r"`(process_\w+)`", TEXT):
        assert f"\n{name} " in scraped


def test_the_line_of_json_has_the_keys_that_a_line_has() -> None:
    shown = re.search(r'^    (\{"time".*?\n    +"reasons".*?\})$', TEXT, re.MULTILINE | re.DOTALL)
    assert shown is not None
    line = json.loads(shown[1])
    assert line["reasons"].keys() <= set(rejections.REASONS)
    assert list(line)[:4] == ["time", "level", "source", "text"]


def test_shown_realm_toml_toml_settings() -> None:
    """The examples of `realm.toml` are TOML with existing settings."""
    for setting in re.findall(r"`(\w+ = [^`]+)`", TEXT):
        assert tomllib.loads(setting).keys() <= set(Settings.__struct_fields__), setting


@pytest.fixture(scope="module")
def scraped() -> str:
    from prometheus_client import generate_latest

    from gloam_server.ops.entrance import ProcessState
    from gloam_server.ops.metrics import registry_of
    from support.server.running import running
    from support.server.sim_server import SimServer

    server = SimServer()
    views = [ProcessState("view 1", 0, 3, 1, is_ready=True)]
    return generate_latest(registry_of(running(server, views, began_ms=0))).decode()
