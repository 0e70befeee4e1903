"""Refusals: everything that the server turns down is counted by reason and logged, in few words without secrets."""

import logging
import os
import re
from pathlib import Path

import msgpack
import pytest

from gloam_server.gateway.log_rate_limit import ADDRESSES_MAX
from gloam_server.gateway.rejections import EXPECTED_CLOSES, FRAME_SHOWN, REASONS, Rejections
from gloam_shared import limits
from gloam_shared.protocol.codec import encode
from gloam_shared.protocol.framing import frame
from gloam_shared.protocol.messages.login import AskStatus, Goodbye
from gloam_shared.protocol.messages.play import HeartbeatReply, Thinking
from support.server.raw_client import RawClient
from support.server.sim_server import SimServer
from support.server.transports import address

FLOOD = 1_000_000 if os.environ.get("CI") else 100_000
ELSEWHERE = "203.0.113.7"
ROOT = Path(__file__).parents[3]


def playing(host: str = ELSEWHERE) -> RawClient:
    client = RawClient(SimServer(), host)
    client.log_in("Anna")
    return client


def counted(client: RawClient) -> dict[str, int]:
    return {reason: count for reason, count in client.server.front.refusals.counts.items() if count}


def lines(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [record.message for record in caplog.records if "refused" in record.message]


def test_code_ends_or_refuses_reason_or_farewell() -> None:
    """Every code that ends or refuses anything is a reason or a farewell."""
    code = re.compile(
        r"""(?:\bBye|\bError|\bMalformed|_end|\bend|refused|turn_away)\(\s*(?:self, )?"([a-z0-9-]+)","""
    )
    found = {
        name
        for folder in ("server/gloam_server", "shared/gloam_shared")
        for path in (ROOT / folder).rglob("*.py")
        for name in code.findall(path.read_text())
    }
    assert len(found) > 20
    assert found <= {*REASONS, *EXPECTED_CLOSES}


@pytest.mark.rule("A10")
def test_log_shows_deep_frame_hex_prefix(caplog: pytest.LogCaptureFixture) -> None:
    """The log shows of a deep frame a hex prefix only."""
    deep = b"\x91" * 1_023 + b"\xc0"
    playing().send(frame(deep))
    assert lines(caplog) == [f"{ELSEWHERE}: 1 refused: depth (frame {'91' * FRAME_SHOWN})"]


@pytest.mark.parametrize(
    ("sent", "reason", "shown"),
    [
        (frame(b""), "empty", ""),
        (frame(b"\xc1"), "malformed", "c1"),
        (frame(msgpack.packb([99, "x" * 50])), "unknown", "9263"),
        (frame(msgpack.packb([7, 1])), "malformed", "920701"),
        (frame(b"\x90"), "type", "90"),
        (frame(bytes(5_000))[:8], "too-big", "88270000"),
    ],
)
def test_refused_frame_counted_and_reported_beginning(
    caplog: pytest.LogCaptureFixture, sent: bytes, reason: str, shown: str
) -> None:
    """The server counts a refused frame, and logs its beginning."""
    client = playing()
    client.send(sent)
    assert counted(client) == {reason: 1}
    assert lines(caplog) == [f"{ELSEWHERE}: 1 refused: {reason}" + (f" (frame {shown})" if shown else "")]


def test_a_foreign_protocol_is_known_by_its_bytes(caplog: pytest.LogCaptureFixture) -> None:
    client = RawClient(SimServer(), ELSEWHERE)
    client.send(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
    assert counted(client) == {"foreign": 1}
    assert lines(caplog) == [
        f"{ELSEWHERE}: 1 refused: foreign (frame {b'GET / HTTP/1.1'.hex()}0d0a486f73743a20780d0a0d0a)"
    ]


def test_late_silent_or_reads_nothing_counted(caplog: pytest.LogCaptureFixture) -> None:
    """A client that is late, silent or reads nothing is counted."""
    late = RawClient(SimServer(), ELSEWHERE)
    late.server.clock.pump([1] * 6)
    assert counted(late) == {"late": 1}
    silent = playing()
    silent.server.clock.pump([1] * 16)
    assert counted(silent) == {"silent": 1}
    unread = playing()
    unread.connection.pauseProducing()
    unread.connection._write(b"x" * (limits.QUEUED_BYTES_MAX + 1))
    assert counted(unread) == {"unread": 1}
    assert len(lines(caplog)) == 3


def test_frames_dropped_unread_counted() -> None:
    """Frames that are dropped unread are counted each."""
    client = playing()
    client.server.clock.advance(2)
    client.send(frame(encode(Thinking())) * 1_000)
    assert counted(client) == {"rate": 940}


def test_an_honest_conversation_is_no_refusal(caplog: pytest.LogCaptureFixture) -> None:
    client = playing()
    client.say(HeartbeatReply(1), Goodbye())
    RawClient(client.server).say(AskStatus())
    assert counted(client) == {}
    assert lines(caplog) == []


@pytest.mark.rule("A72")
def test_a_flood_of_bad_frames_is_one_log_line(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """A million bad frames are one line for each address in ten seconds."""
    server = SimServer()
    refusals = Rejections(server.clock)
    attackers = [address(f"203.0.113.{number}") for number in (7, 8)]
    for _ in range(60):
        for count in range(FLOOD // 60):
            refusals.record(attackers[count % 2], "malformed", b"\xc1" * 4_096)
        server.clock.advance(1)
    records = [record for record in caplog.records if "203.0.113.7" in record.message]

    assert len(records) == len(caplog.records) / 2 == 7, "the first at once, then six summaries"
    share = FLOOD // 60 // 2 * 10
    assert records[2].message == f"203.0.113.7: {share:,} refused: malformed (frame {'c1' * 32})"
    assert refusals.counts["malformed"] == FLOOD // 60 * 60
    server.clock.advance(10)
    assert server.timers() == 0


@pytest.mark.rule("A72")
def test_flood_everywhere_stays_under_megabyte(tmp_path: Path) -> None:
    """A flood from everywhere stays under a megabyte a minute."""
    from gloam_server import logs

    server = SimServer()
    refusals = Rejections(server.clock)
    path = tmp_path / "log"
    with path.open("w") as stream:
        handler = logs.begin("json", stream)
        try:
            for number in range(6_000):
                refusals.record(address(f"2001:db8:{number % 1_000:x}::1"), "malformed", b"\xc1" * 32)
                if number % 100 == 0:
                    server.clock.advance(1)
        finally:
            logging.getLogger().removeHandler(handler)
    assert 100_000 < path.stat().st_size < 1_000_000
    assert len(refusals._complaints) <= ADDRESSES_MAX + 1
