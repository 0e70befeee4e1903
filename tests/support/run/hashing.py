"""Programs under several orders of hashing: their output must be the same under each."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Final

_TESTS: Final = Path(__file__).parents[2]


def said_under_each_order(*arguments: str) -> set[str]:
    """Run Python with these arguments under two orders of hashing; return everything that it printed."""
    path = os.pathsep.join([str(_TESTS), *filter(None, [os.environ.get("PYTHONPATH")])])
    return {
        subprocess.run(
            [sys.executable, *arguments],
            env={**os.environ, "PYTHONPATH": path, "PYTHONHASHSEED": hashing},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for hashing in ("1", "2")
    }
