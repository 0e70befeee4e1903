"""The rules of axe-core for accessible pages, fetched from npm once and checked by its digest; no test depends on the network."""

import hashlib
import shutil
import subprocess
import tarfile
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from support.door.browser import Tab

_PACKAGE: Final = "axe-core@4.10.3"
_SHA256: Final = "0f2b4d7dcdf7d1219df8d1959ad68e565f51d14c3f0d88bb71cd59abeb956292"
_KEPT: Final = Path(__file__).parents[3] / ".pytest_cache" / "axe-core-4.10.3.tgz"
_PATIENCE_S: Final = 60


def axe_script() -> str | None:
    """Return the script, from the folder of caches or from npm; None where neither has it."""
    if not _KEPT.exists() and not _fetch():
        return None
    archive = _KEPT.read_bytes()
    assert hashlib.sha256(archive).hexdigest() == _SHA256, f"{_KEPT} is another package; remove it"
    with tarfile.open(_KEPT) as files:
        script = files.extractfile("package/axe.min.js")
        assert script is not None
        return script.read().decode()


def _fetch() -> bool:
    npm = shutil.which("npm")
    if npm is None:
        return False
    with TemporaryDirectory() as folder:
        fetched = subprocess.run(
            [npm, "pack", _PACKAGE, "--pack-destination", folder],
            check=False,
            capture_output=True,
            timeout=_PATIENCE_S,
        )
        found = list(Path(folder).glob("*.tgz"))
        if fetched.returncode or not found:
            return False
        _KEPT.parent.mkdir(exist_ok=True)
        shutil.copy(found[0], _KEPT)
    return True


def findings(tab: Tab, script: str) -> list[Any]:
    """Return what the rules find on a page as it is now: the rule, and the elements."""
    tab.run(f"{script}; globalThis.found = undefined; axe.run().then(each => globalThis.found = each); 0")
    tab.wait(lambda: tab.run("globalThis.found !== undefined"))
    found: list[Any] = tab.run(
        "found.violations.map(one => [one.id, one.impact, ...one.nodes.map(node => node.html)])"
    )
    return found
