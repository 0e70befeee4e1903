"""The header of the PROXY protocol: what is understood, and that everything else is refused as soon as it can be."""

from ipaddress import ip_address

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gloam_server.net.proxy_protocol import HEADER_MAX, SIGNATURE, BadHeader, Header, parse
from support.server.proxy_header import header

NAMED = header("203.0.113.7", 50_000)


@pytest.mark.parametrize("more", [b"", b"\x16", b"\r\n\r\n\0\r\nQUIT\n"])
@pytest.mark.parametrize("host", ["203.0.113.7", "0.0.0.0", "127.0.0.1", "2001:db8::7", "::1", "::"])
def test_source_relayed_line_reported(host: str, more: bytes) -> None:
    """The parser returns the source of a relayed connection and the header's size, with anything after it."""
    data = header(host, 50_000)
    assert parse(data + more) == Header(len(data), relayed=True, host=host, port=50_000)


@pytest.mark.parametrize("family", [0x00, 0x11, 0x21, 0x31, 0xFF])
@pytest.mark.parametrize("payload", [b"", b"x" * 12])
def test_a_proxy_s_own_line_has_any_family(family: int, payload: bytes) -> None:
    data = SIGNATURE + bytes((0x20, family)) + len(payload).to_bytes(2) + payload
    assert parse(data) == Header(len(data), relayed=False)


def test_relayed_line_proxy_knows_nothing() -> None:
    """A relayed line of which the proxy knows nothing."""
    data = SIGNATURE + b"\x21\x00\x00\x03abc"
    assert parse(data) == Header(19, relayed=True)


def test_more_that_the_proxy_tells_is_passed_over() -> None:
    data = header("203.0.113.7", 1, b"\x04\x00\x02xx")
    assert parse(data) == Header(len(data), relayed=True, host="203.0.113.7", port=1)


@pytest.mark.parametrize(
    "data",
    [
        b"P",  # version 1 begins so
        b"\x16",
        b"\0",
        SIGNATURE[:5] + b"!",
        SIGNATURE + b"\x11",  # version 1
        SIGNATURE + b"\x22",  # a command that there is not
        SIGNATURE + b"\x21\x01",  # no family, and yet a stream
        SIGNATURE + b"\x21\x12",  # UDP
        SIGNATURE + b"\x21\x31",  # a path
        SIGNATURE + b"\x21\x11\x00\x0b",  # too short for its addresses
        SIGNATURE + b"\x21\x21\x00\x23",
        SIGNATURE + b"\x20\x00" + (HEADER_MAX - 15).to_bytes(2),  # too long
        SIGNATURE + b"\x20\x00\xff\xff",
    ],
)
def test_no_such_header_refused_first_wrong_byte(data: bytes) -> None:
    """Bytes that are no such header are refused with the first wrong byte."""
    assert parse(data[:-1]) is None
    with pytest.raises(BadHeader):
        parse(data)


def test_the_longest_header_is_understood() -> None:
    """bound: HEADER_MAX."""
    data = SIGNATURE + b"\x20\x00" + (HEADER_MAX - 16).to_bytes(2) + bytes(HEADER_MAX - 16)
    assert parse(data[:-1]) is None
    assert parse(data) == Header(HEADER_MAX, relayed=False)


def outcome(data: bytes) -> Header | str | None:
    try:
        return parse(data)
    except BadHeader:
        return "bad"


HEADERS = st.builds(
    header, st.ip_addresses().map(str), st.integers(0, 65_535), st.binary(max_size=HEADER_MAX - 52)
)
SPOILED = st.builds(
    lambda data, at, byte: data[: at % len(data)] + bytes((byte,)) + data[at % len(data) + 1 :],
    HEADERS,
    st.integers(0, HEADER_MAX),
    st.integers(0, 255),
)


@given(HEADERS | SPOILED | st.binary(max_size=80) | st.binary(max_size=80).map(SIGNATURE.__add__))
def test_however_bytes_sliced_outcome_same(data: bytes) -> None:
    """Once it is known, no later byte changes it; so asking after each slice is the same as asking once."""
    result = outcome(data)
    prefixes = [outcome(data[:size]) for size in range(len(data))]
    known = [each for each in prefixes if each is not None]
    assert set(known) <= {result}
    assert None not in prefixes[len(prefixes) - len(known) :]
    if isinstance(result, Header):
        assert len(known) == len(data) - result.size
    assert result is not None or len(data) < HEADER_MAX


@given(st.ip_addresses(), st.integers(0, 65_535), st.binary(max_size=40))
def test_what_a_proxy_tells_is_what_is_understood(ip: object, port: int, more: bytes) -> None:
    parsed = parse(header(str(ip), port, more))
    assert parsed is not None
    assert (ip_address(parsed.host), parsed.port) == (ip, port)


@pytest.mark.parametrize(
    ("fields", "door"),
    [
        (b"\xe0\x00\x03web", "web"),
        (b"\x04\x00\x02xx\xe0\x00\x03ssh", "ssh"),
        (b"\xe0\x00\x04mail", ""),
        (b"\xe0\x00\x00", ""),
        (b"\xe0\x00\x09web", "web"),  # longer than what follows
        (b"\xe0\xff", ""),
    ],
)
def test_a_door_names_its_kind(fields: bytes, door: str) -> None:
    data = header("203.0.113.7", 1, fields)
    assert parse(data) == Header(len(data), relayed=True, host="203.0.113.7", port=1, door=door)
