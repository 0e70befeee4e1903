"""Runs `gloam-server`, which tells on stderr of each append to the journal that took over 25 ms by its own measure.

The moment is of the monotonic clock, which all processes of a machine share.
"""

import os
from collections.abc import Callable
from typing import Final

from gloam_server.__main__ import main
from gloam_server.engine.server_statistics import ServerStatistics

SLOW_S: Final = 0.025


def telling(tell: Callable[[str], object]) -> Callable[[ServerStatistics, float, float], None]:
    """Return `ServerStatistics.appended` that tells a line of each slow append, when it is durable."""
    appended = ServerStatistics.appended

    def told(statistics: ServerStatistics, began_s: float, now_s: float) -> None:
        appended(statistics, began_s, now_s)
        if statistics.append_took_s > SLOW_S:
            tell(f"slow append: {1_000 * statistics.append_took_s:.1f} ms until {now_s:.6f}\n")

    return told


if __name__ == "__main__":
    ServerStatistics.appended = telling(lambda line: os.write(2, line.encode()))  # type: ignore[method-assign, assignment]
    main()
