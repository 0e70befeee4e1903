"""A current folder full of foreign modules: no command of Gloam runs one of them, and no process that it starts."""

import ast
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from gloam_client.net.local_server import address, stop
from gloam_client.user_files.user_folders import world_folder
from support.content.campaigns import arena_files
from support.processes.pty import PtyTerminal
from support.processes.screen import choose
from support.processes.server_process import ServerProcess

pytestmark = pytest.mark.end_to_end

BIN = Path(sys.executable).parent
ROOT = Path(__file__).parents[3]
PACKAGES = (
    *("click", "twisted", "sqlite3", "tcod", "numpy", "cryptography", "OpenSSL", "argon2"),
    *("msgpack", "msgspec", "blessed", "wcwidth", "platformdirs", "zope", "gloam_client", "gloam_server"),
    *("gloam_shared", "sitecustomize", "usercustomize"),
)
FOREIGN = "import os\nwith open({marker!r}, 'a') as file: file.write({name!r} + '\\n')\nos._exit(9)\n"


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """Return a folder with a module for each name of the standard library, and a package for each that Gloam uses."""
    hostile = tmp_path / "hostile"
    hostile.mkdir()
    for name in sys.stdlib_module_names:
        (hostile / f"{name}.py").write_text(foreign(tmp_path, name), encoding="utf-8")
    for name in PACKAGES:
        (hostile / name).mkdir()
        (hostile / name / "__init__.py").write_text(foreign(tmp_path, name), encoding="utf-8")
    yield hostile
    running = address(world_folder(tmp_path / "home", "jsrogue"))
    if running is not None:
        with suppress(ProcessLookupError):
            stop(running)


def foreign(tmp_path: Path, name: str) -> str:
    return FOREIGN.format(marker=str(tmp_path / "ran"), name=name)


def ran(tmp_path: Path) -> str:
    """Return which foreign modules ran."""
    with suppress(FileNotFoundError):
        return (tmp_path / "ran").read_text(encoding="utf-8")
    return ""


def test_the_folder_catches_an_unguarded_interpreter(folder: Path, tmp_path: Path) -> None:
    """An interpreter without a guard runs a module of the folder: the other tests can fail."""
    subprocess.run([sys.executable, "-c", "import random"], cwd=folder, check=False)
    assert ran(tmp_path) == "random\n"


def test_a_private_game_runs_no_code(folder: Path, tmp_path: Path) -> None:
    with gloam(folder, tmp_path, "--name", "Anna") as pty:
        pty.wait_for(lambda _: pty.marked("@") is not None or ran(tmp_path) != "")
        assert ran(tmp_path) == ""


@pytest.mark.thorough
def test_an_invite_from_the_title_runs_no_code(folder: Path, tmp_path: Path) -> None:
    with gloam(folder, tmp_path) as pty:
        pty.wait_for("Your name:")
        choose(pty, "Let friends in")
        pty.wait_for(lambda rows: any("gloam join " in row for row in rows) or ran(tmp_path) != "")
        assert ran(tmp_path) == ""


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("gloam", ["doctor"]),
        ("gloam", ["replay"]),
        ("gloam", ["ladder"]),
        ("gloam-server", ["check-campaign", "jsrogue"]),
        ("gloam-server", ["lives", "--campaign", "CAMPAIGN", "--turns", "5", "--lives", "2", "--jobs", "2"]),
    ],
)
def test_a_command_runs_no_code(folder: Path, tmp_path: Path, command: str, words: list[str]) -> None:
    campaign = tmp_path / "arena"
    campaign.mkdir()
    for name, body in arena_files().items():
        (campaign / name).write_bytes(body)
    said = [f"{campaign}/" if word == "CAMPAIGN" else word for word in words]
    done = run(folder, tmp_path, command, *said)
    assert ran(tmp_path) == ""
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("command", ["gloam", "gloam-server"])
def test_completion_runs_no_code(folder: Path, tmp_path: Path, command: str) -> None:
    variable = f"_{command.upper().replace('-', '_')}_COMPLETE"
    words = {variable: "bash_complete", "COMP_WORDS": f"{command} re", "COMP_CWORD": "1"}
    done = run(folder, tmp_path, command, **words)
    assert "plain,re" in done.stdout
    assert ran(tmp_path) == ""


@pytest.mark.thorough
def test_the_admin_commands_of_a_server_run_no_code(folder: Path, tmp_path: Path) -> None:
    with ServerProcess(tmp_path / "realm") as server:
        for words in (["status"], ["invite"], ["backup", str(tmp_path / "kept")], ["health"]):
            where = ["--port", str(server.port)] if words == ["health"] else ["--data", str(server.data)]
            done = run(folder, tmp_path, "gloam-server", *words, *where)
            assert (done.returncode, ran(tmp_path)) == (0, ""), done.stderr


@pytest.mark.thorough
def test_each_start_of_an_interpreter_is_guarded() -> None:
    """Each list that begins with sys.executable goes on with -P, and no other way to start a program exists."""
    starts, programs = [], []
    for path in sorted(
        path for side in ("client", "server", "shared") for path in (ROOT / side).rglob("*.py")
    ):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for node in ast.walk(tree):
            if isinstance(node, ast.List | ast.Tuple) and node.elts and is_interpreter(node.elts[0]):
                guard = node.elts[1] if len(node.elts) > 1 else None
                starts.append((path.name, isinstance(guard, ast.Constant) and guard.value == "-P"))
            if is_interpreter(node):
                programs.append(path.name)
    assert starts == [("local_server.py", True), ("supervisor.py", True), ("view_starter.py", True)]
    assert programs == ["local_server.py", "supervisor.py", "view_starter.py"]
    assert {path.name for path in starters()} == {
        "local_server.py",
        "view_starter.py",
        "friends_invite.py",
        "runs.py",
        "supervisor.py",
        "watched_process.py",
        *(
            "realm_children.py",
            "realm_process.py",
            "worker.py",
        ),  # forked, under PYTHONSAFEPATH
    }


def is_interpreter(node: ast.AST) -> bool:
    return isinstance(node, ast.Attribute) and ast.unparse(node) == "sys.executable"


def starters() -> Iterator[Path]:
    """Yield the modules of the product that import what starts programs, or call it from os and asyncio."""
    for side in ("client", "server", "shared"):
        for path in (ROOT / side).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                names = [each.name for each in node.names] if isinstance(node, ast.Import) else []
                module = (node.module or "") if isinstance(node, ast.ImportFrom) else ""
                called = node.attr if isinstance(node, ast.Attribute) else ""
                if {"subprocess", "multiprocessing", "runpy", "pty"} & {*names, module.partition(".")[0]} or (
                    called.startswith(("create_subprocess", "spawn", "posix_spawn", "exec", "popen"))
                    and ast.unparse(node).startswith(("os.", "asyncio."))
                ):
                    yield path


def gloam(folder: Path, tmp_path: Path, *words: str) -> PtyTerminal:
    """Start the installed command in the folder, as a player does."""
    env = {"GLOAM_HOME": str(tmp_path / "home"), "GLOAM_CAMPAIGN": "jsrogue"}
    return PtyTerminal([str(BIN / "gloam"), *words], env, cwd=folder)


def run(
    folder: Path, tmp_path: Path, command: str, *words: str, **env: str
) -> subprocess.CompletedProcess[str]:
    """Run a command of Gloam in the folder, to its end."""
    plain = {key: value for key, value in os.environ.items() if not key.startswith(("GLOAM_", "PYTHON"))}
    return subprocess.run(
        [BIN / command, *words],
        cwd=folder,
        env={**plain, "GLOAM_HOME": str(tmp_path / "home"), **env},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
