"""The contents of the wheel: three packages with their data and migrations, and nothing else: not the lab."""

import re
import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import pytest

ROOT = Path(__file__).parents[2]
PACKAGES = {
    "gloam_server": ROOT / "server" / "gloam_server",
    "gloam_client": ROOT / "client" / "gloam_client",
    "gloam_door": ROOT / "client" / "gloam_door",
    "gloam_shared": ROOT / "shared" / "gloam_shared",
}
BUILD = "import sys; from hatchling.build import build_wheel; build_wheel(sys.argv[1])"


@pytest.fixture(scope="module")
def contents(tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    folder = tmp_path_factory.mktemp("wheel")
    subprocess.run(
        [sys.executable, "-c", BUILD, folder], cwd=ROOT, check=True, capture_output=True, timeout=60
    )
    [wheel] = folder.glob("gloam-*.whl")
    return set(ZipFile(wheel).namelist())


def test_every_file_of_the_packages_is_in_the_wheel(contents: set[str]) -> None:
    for name, folder in PACKAGES.items():
        files = [path for path in folder.rglob("*") if path.is_file() and "__pycache__" not in path.parts]
        assert {f"{name}/{path.relative_to(folder).as_posix()}" for path in files} <= contents


@pytest.mark.parametrize(
    ("folder", "suffix"),
    [
        ("gloam_server/content/", ".toml"),
        ("gloam_shared/", "py.typed"),
    ],
)
def test_what_is_no_plain_module_is_there_too(contents: set[str], folder: str, suffix: str) -> None:
    assert any(name.startswith(folder) and name.endswith(suffix) for name in contents)


def test_nothing_else_is_in_the_wheel(contents: set[str]) -> None:
    tops = {name.partition("/")[0] for name in contents}
    assert {top for top in tops if not top.endswith(".dist-info")} == set(PACKAGES)
    assert not [name for name in contents if "test" in name.lower() and name.endswith(".py")]
    assert not [name for name in contents if name.endswith((".pyc", ".db", ".log"))]


def test_all_commands_are_declared() -> None:
    from importlib.metadata import entry_points

    scripts = {
        script.name for script in entry_points(group="console_scripts") if script.value.startswith("gloam")
    }
    assert scripts == {"gloam", "gloam-door", "gloam-server"}


def test_pin_image_hash_and_covers_projects_needs() -> None:
    """Every pin of the image has its hash and covers the projects needs."""
    import tomllib

    lock = (ROOT / "server" / "requirements.lock").read_text(encoding="utf-8")
    pins = [block for block in lock.split("\n") if block and not block.startswith((" ", "#"))]
    assert all("==" in pin and pin.endswith("\\") for pin in pins)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    wanted = project["dependencies"] + extras["server"] + extras["door"]
    names = {pin.partition("==")[0] for pin in pins}
    for requirement in wanted:
        assert requirement.split(">")[0].split("[")[0].strip() in names, f"{requirement}: make the lock again"


IMPORTED = """
import sys
import gloam_server.__main__, gloam_server.cli.main, gloam_server.app.server, gloam_server.ops.http_endpoint
from importlib.metadata import packages_distributions
owners = packages_distributions()
print(*{owner for name in list(sys.modules) for owner in owners.get(name, ())})
"""


@pytest.mark.thorough
def test_everything_server_imports_locked_image() -> None:
    """Everything that the server imports is locked for the image."""
    done = subprocess.run([sys.executable, "-c", IMPORTED], check=True, capture_output=True, text=True)
    imported = {name.lower().replace("_", "-").replace(".", "-") for name in done.stdout.split()}
    locked = re.findall(r"^([a-z0-9-]+)==", (ROOT / "server" / "requirements.lock").read_text(), re.MULTILINE)
    assert {"prometheus-client", "twisted", "tcod"} <= imported
    assert imported - {*locked, "gloam", "setuptools"} == set()


def test_no_text_names_a_package_of_the_index() -> None:
    """The name is not held on the package index: a stranger could publish under it what these lines would install."""
    texts = [
        *ROOT.glob("*.md"),
        *(path for side in ("client", "server", "shared") for path in (ROOT / side).rglob("*.py")),
        *(path for side in ("client", "server", "shared") for path in (ROOT / side).rglob("*.md")),
    ]
    said = re.compile(r"pip install (?:--?[\w-]+ )*[\"'`]?gloam\b")
    assert not [path.name for path in texts if said.search(path.read_text(encoding="utf-8"))]
