"""The usage of a process, as the kernel of this machine counts it (Linux only: it reads /proc)."""

import os
from pathlib import Path


class Usage:
    """Counts from the moment it is made."""

    def __init__(self, pid: int) -> None:
        self._proc = Path(f"/proc/{pid}")
        self._switches = self._voluntary_switches()

    def wakeups(self) -> int:
        """Return how often any thread went to sleep since, which is how often it was woken."""
        return self._voluntary_switches() - self._switches

    def resident_mb(self) -> int:
        """Return the memory that the process holds, in megabytes."""
        pages = int((self._proc / "statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE") // 2**20

    def descriptors(self) -> int:
        """Return how many files and sockets the process has open."""
        return sum(1 for _ in (self._proc / "fd").iterdir())

    def cpu_s(self) -> float:
        """Return the processor time that the process has used in all."""
        fields = (self._proc / "stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def threads_s(self) -> dict[int, float]:
        """Return the processor time of each thread, exact to less than a microsecond."""
        return {int(task.name): _ran_s(task / "schedstat") for task in (self._proc / "task").iterdir()}

    def _voluntary_switches(self) -> int:
        return sum(_switches(task / "status") for task in (self._proc / "task").iterdir())


def _switches(status: Path) -> int:
    lines = status.read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("voluntary_ctxt_switches"))


def _ran_s(schedstat: Path) -> float:
    return int(schedstat.read_text().split()[0]) / 1e9
