"""The pace of frames: a visitor who reads slowly gets the newest state, and never a queue of frames."""

import asyncio
import time
from dataclasses import replace

import msgspec

from gloam_client.screens.play import Play
from gloam_client.state.model import Model
from gloam_door.surfaces.paced_frames import (
    ANSWER_S,
    FRAME_GAP_S,
    SHARE,
    FrameTurns,
    PacedFrames,
    answer_due_s,
)


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


def test_a_key_comes_before_the_frames_of_others() -> None:
    """A hundred frames that no key asks for wait for their turns; one that a key asks for is drawn immediately."""

    async def play() -> tuple[int, bool]:
        turns, drawn = FrameTurns(), list[int]()
        crowd = [PacedFrames() for _ in range(100)]
        for number, frames in enumerate(crowd):
            frames.turns = turns
            assert not frames.accepts(lambda number=number: drawn.append(number))  # type: ignore[misc]
        await asyncio.sleep(0)
        crowd[-1].asked()
        return len(drawn), crowd[-1].accepts(lambda: None)

    drawn, accepted = asyncio.run(play())
    assert drawn < 10
    assert accepted


def test_all_get_their_turns() -> None:
    """Each is called once, in the order in which they asked, and may draw then; who draws by a key needs no turn more."""

    async def play() -> list[int]:
        turns, drawn = FrameTurns(), list[int]()
        crowd = [PacedFrames() for _ in range(20)]
        for number, frames in enumerate(crowd):
            frames.turns = turns
            frames.accepts(lambda number=number: drawn.append(number))  # type: ignore[misc]
            frames.accepts(lambda number=number: drawn.append(number))  # type: ignore[misc]
        crowd[5].asked()
        assert crowd[5].accepts(lambda: None)
        crowd[7].stop()
        async with asyncio.timeout(60):
            while len(drawn) < 18:
                await asyncio.sleep(0.001)
        assert crowd[0].accepts(lambda: None)
        return drawn

    assert asyncio.run(play()) == [number for number in range(20) if number not in (5, 7)]


def test_the_frames_of_others_leave_time() -> None:
    """After a frame that took long the next turn waits, so that frames of others take a part of the time alone."""

    async def play() -> float:
        loop = asyncio.get_running_loop()
        turns, first, second = FrameTurns(), PacedFrames(), PacedFrames()
        ended, came = loop.create_future(), loop.create_future()

        def draw() -> None:
            time.sleep(0.05)
            ended.set_result(loop.time())

        first.turns = second.turns = turns
        first.accepts(lambda: loop.call_soon(draw))
        second.accepts(lambda: came.set_result(loop.time()))
        rested_s: float = await came - await ended
        return rested_s

    assert asyncio.run(play()) >= 0.05 * (1 / SHARE - 1)


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


def test_only_a_command_that_shows_nothing_new_waits() -> None:
    model = Model(screens=(Play(),))
    sent = replace(model, connection=model.connection._replace(unanswered_since_ms=2_000))
    assert answer_due_s(model, model.view) == 0
    assert answer_due_s(sent, model.view) == 2 + ANSWER_S
    assert answer_due_s(replace(sent, view=msgspec.structs.replace(sent.view, pile=())), model.view) == 0
