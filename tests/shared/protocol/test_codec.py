"""Messages over the wire and back, and what hostile bytes are answered. A-numbers are rows of `server/docs/limits.md`."""

import random  # noqa: TID251  # a fuzz seeds its own
import re
import traceback
from typing import Any, get_args

import msgpack
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import astuple

from gloam_shared import limits
from gloam_shared.protocol import codec
from gloam_shared.protocol.commands import AnyCommand, Move
from gloam_shared.protocol.messages.chat import SendChat
from gloam_shared.protocol.messages.login import Hello, Login
from gloam_shared.protocol.messages.play import SubmitCommand, Update
from gloam_shared.protocol.registry import FromClient, FromServer
from gloam_shared.view import view
from gloam_shared.view.changes import Creatures, Friends
from support.protocol.strategies import from_client, from_server, structs


def refused(body: bytes) -> str:
    """Return the code under which a client's frame is refused."""
    with pytest.raises(codec.Malformed) as caught:
        codec.decode_from_client(body)
    return caught.value.code


def pack(*fields: Any) -> bytes:
    packed: bytes = msgpack.packb(list(fields))
    return packed


@given(from_client())
def test_what_a_client_sends_arrives_as_it_was(message: FromClient) -> None:
    assert codec.decode_from_client(codec.encode(message)) == message


@given(from_server())
def test_what_the_server_sends_arrives_as_it_was(message: FromServer) -> None:
    assert codec.decode_from_server(codec.encode(message)) == message


def trimmed(part: Any) -> list[Any]:
    """Return a struct as its tag and its fields without the last defaults, as PROTOCOL.md defines a message."""
    kind = type(part)
    values, defaults = list(astuple(part)), list(kind.__struct_defaults__)
    while defaults and values[-1] == defaults.pop():
        values.pop()
    return [*filter(None, [kind.__struct_config__.tag]), *values]


@given(from_client() | from_server())
def test_every_message_has_the_bytes_as_defined(message: FromClient | FromServer) -> None:
    assert codec.encode(message) == msgpack.packb(message, default=trimmed)


@given(st.lists(structs(Friends), min_size=1, max_size=5))
def test_a_change_of_the_party_has_its_bytes_each_time(parties: list[Friends]) -> None:
    """It is packed once for all players, so later messages with the same object take another way."""
    for change in (*parties, *parties):
        assert codec.encode(Update((change,), 7)) == msgpack.packb(Update((change,), 7), default=trimmed)


def test_many_changes_of_the_party_are_not_confused() -> None:
    """A change can have the identity of one that is gone."""
    for number in range(1_000):
        change = Update((Friends((f"Player{number}",), ()),))
        assert codec.encode(change) == msgpack.packb(change, default=trimmed)


def test_a_command_is_under_thirty_bytes() -> None:
    assert len(codec.encode(SubmitCommand(2**31 - 1, 2**31 - 1, Move(-1, -1)))) < 30


def spoiled(bodies: bytes, at: int, value: int) -> bytes:
    """Return a message with one byte changed."""
    changed = bytearray(bodies)
    changed[at % len(changed)] = value
    return bytes(changed)


@given(
    st.binary(max_size=limits.ELEMENTS_MAX)
    | st.builds(spoiled, from_client().map(codec.encode), st.integers(0, 100), st.integers(0, 255))
)
def test_a_valid_message_is_valid_step_by_step(body: bytes) -> None:
    """The message read in one go is the one that the steps that find faults read."""
    try:
        message = codec.decode_from_client(body)
    except codec.Malformed:
        return
    assert codec._decode_step_by_step(body) == message


def test_fields_with_a_default_may_be_left_off() -> None:
    assert codec.decode_from_client(pack(1, 7)) == Hello(7, "")
    assert codec.decode_from_server(pack(67, [])) == Update(())


def test_client_not_send_server() -> None:
    """A client does not send what only the server may."""
    assert refused(pack(73, 1, 1)) == "unknown"
    with pytest.raises(codec.Malformed):
        codec.decode_from_server(pack(7))


@pytest.mark.rule("A5")
def test_an_empty_frame() -> None:
    assert refused(b"") == "empty"


@pytest.mark.rule("A10")
@pytest.mark.parametrize("depth", [9, 512, 1_023, 4_000])
def test_nesting(depth: int) -> None:
    assert refused(b"\x91" * depth + b"\xc0") == "depth"


@pytest.mark.rule("A10")
def test_nesting_up_to_the_limit_is_no_fault_of_depth() -> None:
    """bound: DEPTH_MAX."""
    for depth in (limits.DEPTH_MAX - 1, limits.DEPTH_MAX):
        assert refused(b"\x91" * depth + b"\xc0") == "type"
    assert refused(b"\x91" * (limits.DEPTH_MAX + 1) + b"\xc0") == "depth"


@pytest.mark.rule("A11")
@pytest.mark.parametrize(
    "header", [b"\xdd\xff\xff\xff\xff", b"\xdf\xff\xff\xff\xff", b"\x91\xdb\xff\xff\xff\xff"]
)
def test_headers_that_announce_four_giga(header: bytes) -> None:
    assert refused(header) == "malformed"


@pytest.mark.rule("A12")
def test_a_frame_of_empty_maps() -> None:
    empty_maps = b"\xdc" + (4_093).to_bytes(2, "big") + b"\x80" * 4_093
    assert len(empty_maps) == limits.FRAME_FROM_CLIENT_MAX
    assert refused(empty_maps) == "elements"


@pytest.mark.rule("A12")
def test_elements_are_counted_wherever_they_lie() -> None:
    """bound: ELEMENTS_MAX. Two of them are the list itself and its first."""
    for inner, code in ((61, "type"), (62, "type"), (63, "elements")):
        assert refused(pack(6, [0] * inner)) == code


@pytest.mark.rule("A13")
@pytest.mark.parametrize("body", [b"\xc1", b"\x92\x06\xa5ab", b"\x92\x01", pack(7) + b"\x00"])
def test_bytes_that_are_no_message(body: bytes) -> None:
    assert refused(body) == "malformed"


@pytest.mark.rule("A13")
@pytest.mark.parametrize("fields", [(1,), (5, 1, 4), (4, 1, 0, [2, 1]), (4, 1, 0, [1, 1])])
def test_too_few_or_too_many_fields(fields: tuple[Any, ...]) -> None:
    assert refused(pack(*fields)) == "malformed"


@pytest.mark.rule("A14")
@pytest.mark.parametrize("text", [b"\xff\xfe", b"\xed\xa0\x80", b"\xc0\xaf"])
def test_text_that_is_not_utf8(text: bytes) -> None:
    assert refused(b"\x92\x06" + bytes([0xA0 | len(text)]) + text) == "utf8"


@pytest.mark.rule("A15")
@pytest.mark.parametrize(
    "value",
    [
        msgpack.ExtType(5, b"x"),
        msgpack.ExtType(5, b""),
        msgpack.Timestamp(3),
        b"bytes",
        5,
        None,
        ["a"],
        {"a": 1},
    ],
)
def test_other_types_where_text_is_due(value: Any) -> None:
    assert refused(pack(6, value)) == "type"


@pytest.mark.rule("A15")
@pytest.mark.parametrize("body", [b"\x05", b"\x90", b"\x91\xa1x", b"\x91\xc3", b"\x80", b"\xc0"])
def test_what_does_not_begin_with_its_kind(body: bytes) -> None:
    assert refused(body) == "type"


@pytest.mark.rule("A16")
@pytest.mark.parametrize(
    "inner", [b"\x81\x01\x02", b"\x81\x91\x01\x02", b"\x82\xa1a\x01\xa1a\x02", b"\x81\xc0\x01"]
)
def test_keys_of_maps(inner: bytes) -> None:
    assert refused(b"\x92\x06" + inner) == "keys"


@pytest.mark.rule("A17")
@pytest.mark.parametrize("number", [float("nan"), float("inf"), -0.0, 1.0, True])
def test_numbers_of_another_type(number: Any) -> None:
    assert refused(pack(5, number)) == "type"


@pytest.mark.rule("A17")
@pytest.mark.parametrize("number", [2**64 - 1, 2**31, -1])
def test_numbers_out_of_range(number: int) -> None:
    assert refused(pack(5, number)) == "range"


@pytest.mark.rule("A18")
def test_an_unknown_kind_of_message_or_command() -> None:
    assert refused(pack(63)) == "unknown"
    assert refused(pack(4, 1, 0, [255])) == "unknown"


@pytest.mark.rule("A39")
@pytest.mark.parametrize(("dx", "code"), [(1_000, "range"), (2, "range"), (-2, "range"), (0.5, "type")])
def test_a_step_too_far(dx: Any, code: str) -> None:
    assert refused(pack(4, 1, 0, [1, dx, 0])) == code


def names_of_fields(*kinds: Any) -> set[str]:
    return {name for kind in kinds for name in kind.__struct_fields__}


@pytest.mark.rule("A38")
def test_no_message_of_a_client_tells_of_its_terminal() -> None:
    names = names_of_fields(*get_args(FromClient), *get_args(AnyCommand))
    assert names >= {"name", "number", "command", "dx"}
    assert not names & {"width", "height", "columns", "rows", "size", "term", "terminal", "camera"}


@pytest.mark.rule("A74")
def test_no_server_message_asks_for_local_data() -> None:
    """No message of a server asks for files or variables, nor names any."""
    names = names_of_fields(*get_args(FromServer))
    assert names >= {"name", "text", "changes"}
    assert not names & {
        "path",
        "file",
        "url",
        "link",
        "variable",
        "environment",
        "title",
        "clipboard",
        "command",
    }


@pytest.mark.rule("A25")
def test_text_up_to_its_limit() -> None:
    """bound: STRING_MAX."""
    for length in (limits.STRING_MAX - 1, limits.STRING_MAX):
        assert codec.decode_from_client(codec.encode(SendChat("x" * length))) == SendChat("x" * length)
    assert refused(codec.encode(SendChat("x" * (limits.STRING_MAX + 1)))) == "range"


def test_a_token_has_one_length() -> None:
    for length in (limits.TOKEN_SIZE - 1, limits.TOKEN_SIZE + 1):
        assert refused(codec.encode(Login("Bert", bytes(length)))) == "range"
    fitting = Login("Bert", bytes(limits.TOKEN_SIZE))
    assert codec.decode_from_client(codec.encode(fitting)) == fitting


@given(st.lists(st.text(min_size=4, max_size=20), min_size=1, max_size=3))
def test_no_fault_quotes_what_was_sent(texts: list[str]) -> None:
    marked = [f"\x1b]0;{text}evil" for text in texts]
    for fields in (
        (99, *marked),
        (6, *marked, 1),
        (4, 1, 0, marked),
        (6, dict.fromkeys(marked, 1)),
        tuple(marked),
    ):
        with pytest.raises(codec.Malformed) as caught:
            codec.decode_from_client(pack(*fields))
        assert "evil" not in "".join(traceback.format_exception(caught.value))
        assert "evil" not in caught.value.text


@pytest.mark.parametrize(
    "fields",
    [(6, "x" * 1_025), (1, -1), (4, 0, 0, [2]), (6, 5), (1,), (6, "hello", 4), (99,), (16, "x", 1, 1)],
)
def test_a_fault_is_reported_in_our_own_words(fields: tuple[Any, ...]) -> None:
    with pytest.raises(codec.Malformed) as caught:
        codec.decode_from_client(pack(*fields))
    assert re.fullmatch("[A-Z][a-z ,;-]+\\.", caught.value.text), caught.value.text


_SEEDS = [
    codec.encode(Hello(1, "agent")),
    codec.encode(Login("Bert", bytes(32))),
    codec.encode(SubmitCommand(1, 2, Move(1, -1))),
    codec.encode(SendChat("héllo")),
    pack(6, {"a": [1, [2.5, None]]}, b"x", msgpack.ExtType(1, b"y")),
]


def test_fuzz_only_malformed_escapes_the_decoder() -> None:
    chance = random.Random(20_261_121)
    good = 0
    codes = set()
    for turn in range(30_000):
        if turn % 3:
            body = bytearray(chance.choice(_SEEDS))
            for _ in range(chance.randint(1, 4)):
                body[chance.randrange(len(body))] = chance.choice(
                    (0x80, 0x91, 0xC1, 0xD9, 0xDD, chance.randrange(256))
                )
        else:
            body = bytearray(chance.randbytes(chance.randint(0, 60)))
        for decode in (codec.decode_from_client, codec.decode_from_server):
            try:
                decode(bytes(body))
                good += 1
            except codec.Malformed as fault:
                codes.add(fault.code)
    assert good > 100, "the fuzz never reached past the first check"
    assert codes <= {"malformed", "type", "range", "keys", "utf8", "unknown", "elements", "depth", "empty"}


def _nested(depth: int) -> list[object]:
    return [_nested(depth - 1)] if depth > 1 else []


@pytest.mark.parametrize(
    ("raw", "code"),
    [
        ([1, 2, "test", 0, ["a"] * (limits.ABILITIES_MAX + 1)], "range"),
        ([1, 2, "test", 0, [], ["a"] * (limits.ABILITIES_FURTHER_MAX + 1)], "range"),
        ([1, 2, "test", 0, ["a" * (limits.ABILITY_MAX + 1)]], "range"),
        ([50, "party", "depth", "", ["a"] * (limits.LADDER_PARTY_MAX + 1)], "range"),
        ([1, 2, "test", 0, [], _nested(limits.DEPTH_MAX)], "depth"),
        ([1, 2, "test", 0, [], 1, {"a": _nested(limits.DEPTH_MAX - 1)}], "depth"),
        ([5], "malformed"),
        ([5, 1, 2], "malformed"),
    ],
)
def test_a_list_and_a_further_field_have_their_codes(raw: list[object], code: str) -> None:
    """A list that is too long is out of its bounds; a field that is ignored may be no deeper than all others."""
    with pytest.raises(codec.Malformed) as caught:
        codec.decode_from_client(msgpack.packb(raw))
    assert caught.value.code == code


def test_a_further_field_at_the_depth_is_ignored() -> None:
    raw = [1, 2, "test", 0, [], [], _nested(limits.DEPTH_MAX - 1)]
    assert codec.decode_from_client(msgpack.packb(raw)) == Hello(2, "test")


def test_nothing_may_stand_before_a_later_field() -> None:
    """A creature without means of its own and with fame: nil keeps its place in the list."""
    rat = view.Creature(7, 1, 5, 5, 3, 132, "r", "brown", "rat", 4, 1, 2, None, ("killed Ann",))
    body = codec.encode(Update((Creatures(come=(rat,)),)))
    assert codec.decode_from_server(body) == Update((Creatures(come=(rat,)),))
