"""The witness: a small file beside a world with the number of durable inputs, for a disk that loses confirmed writes.

A disk that confirms writes too early may lose the newest appends in a power cut, and the database before these appends
is still valid. The witness is written after each append as a separate file, so on a correct disk it is never ahead of
the world; if it is ahead, inputs are missing.

The server does not wait for the witness: it costs 10 us an append. Inputs that the disk takes from both files are not noticed.
"""

import os
import re
from pathlib import Path
from typing import Final, NamedTuple
from zlib import crc32

ENDING: Final = "-witness"
"""The suffix of the file's name, after the world's."""

_LINE: Final = re.compile(rb"realm ([0-9a-f]{8}) had (\d{16}) inputs at (\d{12}), ([0-9a-f]{8})\n")


class WitnessRecord(NamedTuple):
    """A realm, its number of inputs on all partitions together, and the time (seconds since 1970)."""

    realm: int
    inputs: int
    at_s: int


class DurabilityWitness:
    """The file, open as long as its world. Disk errors are ignored: the journal has everything."""

    def __init__(self, world: Path) -> None:
        self._path = path_beside(world)
        self._file: int | None = None

    def read(self) -> WitnessRecord | None:
        """Return the last stored position; None if there is none, or it cannot be read."""
        try:
            found = _LINE.match(self._path.read_bytes())
        except OSError:
            return None
        if found is None or int(found[4], 16) != crc32(found[0][: found.start(4)]):
            return None
        return WitnessRecord(int(found[1], 16), int(found[2]), int(found[3]))

    def write(self, record: WitnessRecord, *, surely: bool) -> None:
        """Write the world's position, in one sector, so atomically; `surely` waits for the disk."""
        said = b"realm %08x had %016d inputs at %012d, " % record
        try:
            if self._file is None:
                self._file = os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o600)
            os.pwrite(self._file, said + b"%08x\n" % crc32(said), 0)
            if surely:
                os.fdatasync(self._file)
        except OSError:
            self.close()

    def close(self) -> None:
        """Close the file."""
        if self._file is not None:
            os.close(self._file)
            self._file = None


def path_beside(world: Path) -> Path:
    """Return the path of a world's witness."""
    return world.with_name(world.name + ENDING)
