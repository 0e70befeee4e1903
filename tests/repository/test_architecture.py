"""Tests of the packages that may load each other, by loading them: import-linter reads imports, this runs them."""

import ast
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

SERVER_ONLY = ("twisted", "numpy", "tcod", "sqlite3", "cryptography", "OpenSSL")
IMPURE = ("twisted", "asyncio", "sqlite3")  # numpy itself loads threading
PAGES = (
    ROOT / "CONTRIBUTING.md",
    ROOT / "SECURITY.md",
    ROOT / "server" / "ARCHITECTURE.md",
    *sorted((ROOT / "server" / "docs").glob("*.md")),
)
CORE = (
    "content.loader",
    "rules",
    "world.transition.dungeon",
    "views.projection",
    "sessions.session",
    "engine.timing.turn_timing",
    "autopilot.plans",
)

BLOCKED = """
import sys
for name in {blocked}:
    sys.modules[name] = None  # an import of it raises ImportError
import {module}
"""


def load(module: str, *, without: tuple[str, ...]) -> subprocess.CompletedProcess[str]:
    code = BLOCKED.format(blocked=without, module=module)
    return subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False
    )


@pytest.mark.parametrize(
    "module", ["gloam_client.__main__", "gloam_client.app", "gloam_shared.protocol.codec"]
)
def test_client_loads_without_server_needs(module: str) -> None:
    """A client loads without what only a server needs."""
    assert load(module, without=SERVER_ONLY).stderr == ""


@pytest.mark.parametrize("module", [f"gloam_server.{name}" for name in CORE])
def test_the_core_loads_without_network_and_database(module: str) -> None:
    assert load(module, without=IMPURE).stderr == ""


def test_server_without_extra_names_command() -> None:
    """A server without its extra names the command that installs it."""
    code = BLOCKED.format(blocked=("twisted",), module="gloam_server.__main__")
    code += "sys.argv = ['gloam-server', 'run']\nsys.exit(gloam_server.__main__.main())"
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False
    )
    assert result.returncode != 0
    assert "pip install" in result.stderr
    assert "Traceback" not in result.stderr


def test_the_picture_of_the_layers_is_the_contract() -> None:
    """ARCHITECTURE shows the layers in the order of the contract that `make lint` checks, siblings in one row."""
    text = (ROOT / "server" / "ARCHITECTURE.md").read_text(encoding="utf-8")
    shown = re.findall(
        r"^    (\S+(?: \| \S+)*)  ", text.partition("## Layers")[2].partition("\n## ")[0], re.MULTILINE
    )
    tools = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]
    contract = next(
        each for each in tools["importlinter"]["contracts"] if each["name"] == "The server's layers"
    )
    assert shown == [layer.replace("gloam_server.", "") for layer in contract["layers"]]


@pytest.mark.parametrize(
    ("opening", "name"),
    [("In `world`, from the top: ", "The floors of the world"), ("In the client: ", "The client's layers")],
)
def test_lists_of_layers_are_the_contracts(opening: str, name: str) -> None:
    text = (ROOT / "server" / "ARCHITECTURE.md").read_text(encoding="utf-8")
    listed = text.partition(opening)[2].partition(".")[0]
    tools = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]
    contract = next(each for each in tools["importlinter"]["contracts"] if each["name"] == name)
    layers = [set(re.findall(r"\w+\.(\w+)(?: |$)", layer)) for layer in contract["layers"]]
    assert [set(re.findall(r"`(\w+)`", row)) for row in listed.split(";")] == [
        layer for layer in layers if layer != {"__main__"}
    ]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_file_that_a_page_names_exists(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    paths = re.findall(r"`((?:server|client|shared|tests)/[^`\s]*)`", text)
    links = [link for link in re.findall(r"\]\(([^)#]+)[^)]*\)", text) if "://" not in link]
    assert [each for each in paths if not (ROOT / each).exists()] == []
    assert [each for each in links if not (page.parent / each).exists()] == []


def test_the_glossary_says_each_word_once_and_in_order() -> None:
    text = (ROOT / "server" / "docs" / "GLOSSARY.md").read_text(encoding="utf-8")
    sections = [
        [
            word
            for word, _ in re.findall(r"^\| ([^|]+) \| ([^|]+) \|$", section, re.MULTILINE)
            if word != "word"
        ]
        for section in text.split("\n## ")[1:]
    ]
    words = [word.removesuffix(" *") for section in sections for word in section]
    assert len(words) == len(set(words)) > 150
    assert [[word.removesuffix(" *") for word in section] for section in sections] == [
        sorted(word.removesuffix(" *") for word in section) for section in sections
    ]


def test_a_blocked_module_is_really_blocked() -> None:
    assert (
        "ModuleNotFoundError"
        in load("gloam_server.storage.sqlite.sqlite_journal", without=("sqlite3",)).stderr
    )


@pytest.mark.rule("A55")
@pytest.mark.parametrize(
    "package", ["server/gloam_server", "server/gloam_lab", "client/gloam_client", "shared/gloam_shared"]
)
def test_nothing_that_comes_from_outside_is_ever_run(package: str) -> None:
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
