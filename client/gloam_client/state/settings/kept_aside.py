"""Files of settings that people may edit: read within limits, and kept aside where they are broken."""

from pathlib import Path
from typing import Any, Final

_SIZE_MAX: Final = 65_536
"""In bytes; such a file has some hundred."""
_KEPT_MAX: Final = 20
"""The number of broken files that are kept; the next one replaces the last."""


class Broken(ValueError):
    """A file of settings cannot be used; the text says why."""


def read_table(path: Path) -> dict[str, Any]:
    """Return the contents of a TOML file; an empty table without one. Raises Broken."""
    if not path.exists():
        return {}
    import tomllib  # noqa: PLC0415  # only where there is a file to read

    try:
        with path.open("rb") as file:
            data = file.read(_SIZE_MAX + 1)
        if len(data) > _SIZE_MAX:
            raise Broken(f"it is longer than {_SIZE_MAX} bytes")
        return tomllib.loads(data.decode("utf-8-sig"))  # editors of other systems put a mark at the start
    except (OSError, ValueError, RecursionError) as error:
        raise Broken(str(error) or type(error).__name__) from error


def keep_aside(path: Path, why: str, now: str) -> str:
    """Rename a broken file, and return a sentence: its name, the reason, where it is kept, and what counts now."""
    names = [f"{path.name}.broken", *(f"{path.name}.broken-{n}" for n in range(2, _KEPT_MAX + 1))]
    kept = next((name for name in names if not path.with_name(name).exists()), names[-1])
    try:
        path.replace(path.with_name(kept))
    except OSError:
        return f"{path} is broken: {why}. {now}"
    return f"{path} is broken: {why}. It is kept as {kept}. {now}"
