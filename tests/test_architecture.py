"""Who may load what, proved by loading it: import-linter reads imports, this runs them."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

SERVER_ONLY = ("twisted", "numpy", "tcod", "sqlalchemy", "alembic", "cryptography", "OpenSSL")
IMPURE = ("twisted", "asyncio", "sqlalchemy", "alembic", "sqlite3")  # numpy itself loads threading
CORE = ("content.loader", "rules", "world.dungeon", "views.projection", "sessions.session", "sessions.pace")

BLOCKED = """
import sys
for name in {blocked}:
    sys.modules[name] = None  # whoever imports it gets ImportError
import {module}
"""


def load(module: str, *, without: tuple[str, ...]) -> subprocess.CompletedProcess[str]:
    code = BLOCKED.format(blocked=without, module=module)
    return subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False
    )


@pytest.mark.parametrize("module", ["gloam_client.__main__", "gloam_client.app", "gloam_shared.codec"])
def test_a_client_loads_without_what_only_a_server_needs(module: str) -> None:
    assert load(module, without=SERVER_ONLY).stderr == ""


@pytest.mark.parametrize("module", [f"gloam_server.{name}" for name in CORE])
def test_the_core_loads_without_network_and_database(module: str) -> None:
    assert load(module, without=IMPURE).stderr == ""


def test_a_server_without_its_extra_names_the_command_that_installs_it() -> None:
    code = BLOCKED.format(blocked=("twisted",), module="gloam_server.__main__")
    code += "sys.argv = ['gloam-server', 'run']\nsys.exit(gloam_server.__main__.main())"
    told = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False
    )
    assert told.returncode != 0
    assert "gloam[server]" in told.stderr
    assert "Traceback" not in told.stderr


def test_a_blocked_module_is_really_blocked() -> None:
    assert "ModuleNotFoundError" in load("gloam_server.storage.sqlite", without=("sqlalchemy",)).stderr


@pytest.mark.parametrize("package", ["server/gloam_server", "client/gloam_client", "shared/gloam_shared"])
def test_a55_nothing_that_comes_from_outside_is_ever_run(package: str) -> None:
    """No pickle, no YAML, no eval: what is read is msgpack, JSON and TOML, which hold data alone."""
    modules = {"pickle", "marshal", "shelve", "dill", "yaml", "code"}
    calls = {"eval", "exec", "compile", "__import__"}
    found = []
    for path in sorted((ROOT / package).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            match node:
                case ast.Import(names=names):
                    used = {each.name.partition(".")[0] for each in names} & modules
                case ast.ImportFrom(module=str(module), level=0):
                    used = {module.partition(".")[0]} & modules
                case ast.Call(func=ast.Name(id=name)):
                    used = {name} & calls
                case _:
                    used = set()
            found += [f"{path.name}: {each}" for each in sorted(used)]
    assert found == []
