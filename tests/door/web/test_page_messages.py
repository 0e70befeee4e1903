"""The messages of a page: the door's own are read, and every other text is refused without a fault."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gloam_door.surfaces.flood_limit import BURST, FLOOD_S, PER_S, FloodLimit
from gloam_door.web import page_messages
from support.run.effort import effort

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=30),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)
FIELDS = st.sampled_from(["key", "text", "mouse", "size", "say", "hello", "name", "invite"])


@pytest.mark.parametrize(
    ("message", "read"),
    [
        ({"key": "UP"}, page_messages.Key("UP")),
        ({"key": "CTRL_R"}, page_messages.Key("CTRL_R")),
        ({"key": "KP_7"}, page_messages.Key("KP_7")),
        ({"key": "ü"}, page_messages.Key("ü")),
        ({"text": "hello"}, page_messages.Text("hello")),
        ({"mouse": ["left", 3, 4]}, page_messages.Mouse("left", 3, 4)),
        ({"size": [80, 24]}, page_messages.Size(80, 24)),
        ({"say": True}, page_messages.Say(on=True)),
    ],
)
def test_messages_of_the_page_are_read(message: dict[str, Any], read: page_messages.FromPage) -> None:
    assert page_messages.read_message(json.dumps(message)) == read


@pytest.mark.parametrize(
    "data",
    [
        "", "{}", "[]", "null", '{"key": "UP", "text": "a"}', '{"key": ""}', '{"key": "up the stairs"}',
        '{"key": "\\u001b"}', '{"key": 3}', '{"text": ""}', '{"mouse": ["left", -1, 0]}', '{"mouse": ["left", 0, 60]}',
        '{"size": [43, 24]}', '{"size": [80, 61]}', '{"size": [80, 24, 1]}', '{"more": 1}', "[" * 4_000,
        '{"text": "' + "a" * 801 + '"}', '{"text": "' + "a" * 5_000 + '"}', b'{"key": "UP"}',
    ],
)  # fmt: skip
def test_anything_else_is_refused(data: str | bytes) -> None:
    with pytest.raises(page_messages.BadMessage):
        page_messages.read_message(data)


@given(st.dictionaries(FIELDS, JSON, max_size=4) | JSON)
def test_no_json_is_a_fault(value: Any) -> None:
    for read in (page_messages.read_hello, page_messages.read_message):
        try:
            read(json.dumps(value))
        except page_messages.BadMessage:
            continue


@pytest.mark.parametrize(
    "hello", ['{"hello": true, "size": [80, 24]}', '{"hello": 2}', '{"hello": 2, "size": "80x24"}']
)
def test_a_first_message_of_another_page_is_refused(hello: str) -> None:
    with pytest.raises(page_messages.BadMessage):
        page_messages.read_hello(hello)


def test_a_burst_is_taken_and_a_flood_ends() -> None:
    limit = FloodLimit(0.0)
    assert sum(limit.takes(0.0) for _ in range(200)) == BURST
    seconds = effort(12, 30)
    taken = sum(limit.takes(at / 100) for at in range(seconds * 100))
    assert abs(taken - PER_S * seconds) <= PER_S
    assert limit.is_flood(FLOOD_S + 1)


def test_a_fast_player_is_no_flood() -> None:
    limit = FloodLimit(0.0)
    assert all(limit.takes(at / 20) for at in range(2_000))
    assert not limit.is_flood(100.0)
