"""The pace of frames: a visitor who reads slowly gets the newest state, and never a queue of frames."""

import asyncio

from gloam_door.surfaces.paced_frames import FRAME_GAP_S, PacedFrames


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
