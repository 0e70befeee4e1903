"""The processor time and memory of a process on this machine, as Linux reports them."""

import os
from pathlib import Path
from typing import NamedTuple


class ProcessUsage(NamedTuple):
    """The use of a process since its start; 0 where the system does not report it."""

    seconds: float
    memory_bytes: int

    def __str__(self) -> str:
        """Return it in words."""
        return f"{self.seconds:,.1f} s of processor time, {self.memory_bytes / 2**20:,.0f} MiB"


def usage_of(number: int) -> ProcessUsage:
    """Return the use of a process by its number."""
    try:
        fields = Path(f"/proc/{number}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    except OSError:
        return ProcessUsage(0.0, 0)
    ticks = int(fields[11]) + int(fields[12])  # in its own code, and in the system for it
    return ProcessUsage(ticks / os.sysconf("SC_CLK_TCK"), int(fields[21]) * os.sysconf("SC_PAGE_SIZE"))
