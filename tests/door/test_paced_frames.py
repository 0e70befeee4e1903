"""The pace of a visitor's frames and news: the newest state, never a queue of frames; keys come first, and all get turns."""

import asyncio
import time
from collections.abc import Coroutine
from typing import Final, TypeVar

from msgspec.structs import replace

from gloam_client.screens.play import Play
from gloam_client.state.model import Model
from gloam_door.paced_reader import PacedReader, Turns
from gloam_door.surfaces.paced_frames import ANSWER_S, FRAME_GAP_S, PacedFrames, answer_due_s

T = TypeVar("T")
_LEAST_REST: Final = 1.0
"""The rest after a turn, in times of what it took: the turns get at most half of the processor's time."""


def run(work: Coroutine[None, None, T]) -> T:
    """Run a coroutine, for a minute at most."""

    async def limited() -> T:
        async with asyncio.timeout(60):
            return await work

    return asyncio.run(limited())


def test_no_frame_is_drawn_while_one_is_on_its_way() -> None:
    """However often a frame is asked for, the next is drawn once, after the last was taken and the gap is over."""

    async def play() -> tuple[list[bool], float, int]:
        loop = asyncio.get_running_loop()
        frames, drawn = PacedFrames(), asyncio.Queue[float]()
        assert frames.accepts(lambda: drawn.put_nowait(loop.time()))
        frames.sent()
        sent = loop.time()
        refused = [frames.accepts(lambda: drawn.put_nowait(loop.time())) for _ in range(100)]
        await asyncio.sleep(2 * FRAME_GAP_S)
        assert drawn.empty()
        frames.taken()
        at = await drawn.get()
        return refused, at - sent, drawn.qsize()

    refused, waited, more = asyncio.run(play())
    assert not any(refused)
    assert waited >= FRAME_GAP_S
    assert more == 0


def test_a_stopped_pace_calls_nothing() -> None:
    async def play() -> bool:
        frames, drawn = PacedFrames(), asyncio.Queue[int]()
        frames.sent()
        assert not frames.accepts(lambda: drawn.put_nowait(1))
        frames.taken()
        frames.stop()
        await asyncio.sleep(2 * FRAME_GAP_S)
        return drawn.empty()

    assert asyncio.run(play())


def test_a_frame_waits_for_the_answer_to_a_command() -> None:
    """The answer brings the frame immediately; without one it may be drawn when its time is over."""

    async def play() -> tuple[bool, bool, float]:
        loop = asyncio.get_running_loop()
        answered, silent, drawn = PacedFrames(), PacedFrames(), asyncio.Queue[float]()
        due_s = loop.time() + 0.05
        waits = (
            answered.accepts(lambda: None, due_s),
            silent.accepts(lambda: drawn.put_nowait(loop.time()), due_s),
        )
        async with asyncio.timeout(60):
            return any(waits), answered.accepts(lambda: None), await drawn.get() - due_s

    waits, accepted, late_s = asyncio.run(play())
    assert not waits
    assert accepted
    assert late_s >= 0


def test_a_frame_waits_only_for_commands() -> None:
    model = Model(screens=(Play(),))
    sent = replace(model, connection=model.connection._replace(unanswered_since_ms=2_000))
    assert answer_due_s(model) == 0
    assert answer_due_s(sent) == 2 + ANSWER_S


def test_a_key_comes_before_all_turns() -> None:
    """While a slow turn makes a hundred others wait, the reader whose visitor presses a key reads immediately."""

    async def play() -> tuple[bytes, int]:
        turns = Turns()
        turns.spend(3_600)
        crowd = [PacedFrames() for _ in range(100)]
        readers = [PacedReader(frames, turns) for frames in crowd]
        reads = [asyncio.ensure_future(reader.read(100)) for reader in readers]
        for reader in readers:
            reader.feed_data(b"news")
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        crowd[-1].asked()
        data = await reads[-1]
        return data, sum(read.done() for read in reads)

    assert run(play()) == (b"news", 1)


def test_an_answer_is_read_without_a_turn() -> None:
    async def play() -> bytes:
        turns, frames = Turns(), PacedFrames()
        turns.spend(3_600)
        reader = PacedReader(frames, turns)
        assert not frames.accepts(lambda: None, asyncio.get_running_loop().time() + 3_600)
        reader.feed_data(b"answer")
        return await reader.read(100)

    assert run(play()) == b"answer"


def test_all_get_turns_and_read_what_came() -> None:
    """Turns follow the order in which readers ask; what arrives while one waits is read with the rest, up to the limit."""

    async def play() -> list[tuple[int, bytes]]:
        turns, read = Turns(), list[tuple[int, bytes]]()

        async def hear(number: int, reader: PacedReader) -> None:
            read.append((number, await reader.read(8)))

        readers = [PacedReader(PacedFrames(), turns) for _ in range(20)]
        tasks = [asyncio.ensure_future(hear(number, reader)) for number, reader in enumerate(readers)]
        for reader in readers:
            reader.feed_data(b"first")
        tasks[7].cancel()
        await asyncio.sleep(0)
        for reader in readers:
            reader.feed_data(b"second")
        await asyncio.gather(*tasks, return_exceptions=True)
        return read

    read = run(play())
    assert [number for number, _ in read] == [number for number in range(20) if number != 7]
    assert {data for _, data in read[1:]} == {b"firstsec"}


def test_turns_leave_time() -> None:
    """After a turn that took long the next one waits, so that turns take a part of the time alone."""

    async def play() -> float:
        loop, turns = asyncio.get_running_loop(), Turns()
        first, second = PacedReader(PacedFrames(), turns), PacedReader(PacedFrames(), turns)
        first.feed_data(b"news")
        await first.read(100)
        time.sleep(0.05)  # the work of a turn holds the loop
        ended_s = loop.time()
        again = asyncio.ensure_future(first.read(100))
        await asyncio.sleep(0)
        second.feed_data(b"news")
        await second.read(100)
        again.cancel()
        return loop.time() - ended_s

    assert run(play()) >= 0.05 * _LEAST_REST


def test_a_cut_line_ends_what_is_read() -> None:
    async def play() -> list[bytes]:
        reader = PacedReader(PacedFrames(), Turns())
        reader.feed_data(b"last")
        reader.feed_eof()
        return [await reader.read(100), await reader.read(100)]

    assert run(play()) == [b"last", b""]
