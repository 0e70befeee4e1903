"""Look for known vulnerabilities in what the image installs: `make audit` calls it.

pip-audit runs in an environment of its own, and asks the advisory database of the package index. Where none answers,
that is said, and the exit code is 2, or 0 with `--offline-ok`. It is 1 for vulnerabilities.
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
LOCK = ROOT / "server" / "requirements.lock"
UNANSWERED = "make audit: NOTHING WAS AUDITED: no advisory database answered for {what}; try again where one can be reached."


def main(environment: Path, *, offline_ok: bool = False) -> int:
    """Audit, and tell; 1 where something is vulnerable, 2 where something was not audited."""
    unaudited = 0 if offline_ok else 2
    packages = _audited(environment)
    unanswered = [each["name"] for each in packages if "skip_reason" in each]
    if len(unanswered) == len(packages):
        print(UNANSWERED.format(what="the lock"))
        return unaudited
    for name in unanswered:
        print(UNANSWERED.format(what=name))
    found = [(each, fault) for each in packages for fault in each.get("vulns", ())]
    for package, fault in found:
        mend = f"fixed in {', '.join(fault['fix_versions'])}" if fault["fix_versions"] else "not fixed yet"
        print(f"make audit: {package['name']} {package['version']} is vulnerable: {fault['id']}, {mend}")
    if not found:
        print(f"make audit: {len(packages) - len(unanswered)} packages, none with a known vulnerability")
    if found:
        return 1
    return unaudited if unanswered else 0


def _audited(environment: Path) -> list[dict[str, Any]]:
    """Return what pip-audit says of each package of the lock; nothing where it could not ask."""
    program = environment / "bin" / "pip-audit"
    if not program.exists():
        python = environment / "bin" / "python"
        install: list[object] = [
            python,
            "-m",
            "pip",
            "install",
            "--quiet",
            "--disable-pip-version-check",
            "pip-audit",
        ]
        for step in ([sys.executable, "-m", "venv", environment], install):
            if _run(step):
                return []
    with tempfile.TemporaryDirectory() as folder:
        report_path = Path(folder) / "result.json"
        command: list[object] = [program, "--requirement", LOCK, "--require-hashes", "--disable-pip"]
        command += ["--progress-spinner", "off", "--format", "json", "--output", report_path]
        _run(command)
        if not report_path.exists():
            return []
        packages: list[dict[str, Any]] = json.loads(report_path.read_text(encoding="utf-8"))["dependencies"]
        return packages


def _run(command: list[object]) -> int:
    return subprocess.run([str(word) for word in command], check=False, capture_output=True).returncode


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), offline_ok="--offline-ok" in sys.argv[2:]))
