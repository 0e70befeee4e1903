"""Output to a terminal that is read late, never, or that is gone."""

import asyncio
import os
import select
import tty
from collections.abc import Iterator
from contextlib import suppress

import pytest

from gloam_client.terminal.output import TerminalOutput


@pytest.fixture
def line() -> Iterator[tuple[int, int]]:
    master, slave = os.openpty()
    tty.setraw(slave)
    yield master, slave
    for descriptor in (master, slave):
        with suppress(OSError):
            os.close(descriptor)


def read_all(master: int) -> bytes:
    read = b""
    while select.select([master], [], [], 0.05)[0]:
        read += os.read(master, 65_536)
    return read


def test_what_a_terminal_does_not_take_waits_in_order(line: tuple[int, int]) -> None:
    master, slave = line
    output = TerminalOutput(slave)
    picture = bytes(range(32, 127)) * 2_000

    output.write(picture)
    assert output.blocked
    output.write(b"the end")

    async def main() -> bytes:
        taken, read = asyncio.Event(), b""
        output.when_taken(taken.set)
        while not taken.is_set():
            read += await asyncio.to_thread(read_all, master)
        return read + read_all(master)

    assert asyncio.run(main()) == picture + b"the end"
    assert not output.blocked


def test_the_given_descriptor_still_waits_for_others(line: tuple[int, int]) -> None:
    """The shell shares it: a change of it would outlive the client."""
    TerminalOutput(line[1]).write(b"x")
    assert os.get_blocking(line[1])


def test_finish_gives_up_a_terminal_that_is_not_read(line: tuple[int, int]) -> None:
    output = TerminalOutput(line[1])
    output.write(b"x" * 200_000)
    assert not output.finish(0.05)
    assert not output.blocked


def test_a_lost_terminal_resumes_the_writer(line: tuple[int, int]) -> None:
    master, slave = line
    output = TerminalOutput(slave)
    output.write(b"x" * 200_000)

    async def main() -> None:
        resumed = asyncio.Event()
        output.when_taken(resumed.set)
        os.close(master)
        await asyncio.wait_for(resumed.wait(), 60)

    asyncio.run(main())
    with pytest.raises(OSError, match="Input/output"):
        output.write(b"x")
