"""The effort of a test: little by default, more with CI=true.

`make crash`, `fuzz` and `simulate` try by the thousand.
"""

import os
from typing import Final

CI: Final = bool(os.environ.get("CI"))


def effort(plain: int, ci: int) -> int:
    """Return how many cases a test tries now."""
    return ci if CI else plain
