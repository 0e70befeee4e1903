"""PROTOCOL.md says what the code does: every tag, field, code and number."""

import re
from pathlib import Path
from typing import Final, get_args

import pytest
from msgspec import NODEFAULT, Struct
from msgspec import inspect as schema

from gloam_shared import appearance, changes, commands, limits, messages, narration, view
from gloam_shared.codec import encode
from gloam_shared.framing import frame

TEXT: Final = (Path(__file__).parents[2] / "shared" / "PROTOCOL.md").read_text(encoding="utf-8")
ROWS: Final = [
    [cell.strip() for cell in line.strip("|").split("|")]
    for line in TEXT.splitlines()
    if line.startswith("|")
]
TAGGED: Final = [
    kind
    for union in (messages.FromClient, messages.FromServer, commands.AnyCommand, changes.AnyChange)
    for kind in get_args(union)
]
UNTAGGED: Final = [
    view.Place,
    view.Creature,
    view.Item,
    view.Thing,
    view.Carried,
    view.Spell,
    view.State,
    view.Friend,
    view.Log,
    view.Line,
]


def row(*first: str) -> list[str]:
    """Return the one row that begins so."""
    found = [cells for cells in ROWS if tuple(cells[: len(first)]) == first]
    assert len(found) == 1, f"{len(found)} rows begin with {first}"
    return found[0]


def code_fields(kind: type[Struct]) -> list[tuple[str, bool]]:
    """Return a kind's fields as (name, whether it may be left off)."""
    info = schema.type_info(kind)
    assert isinstance(info, schema.StructType)
    return [(field.name, field.default is not NODEFAULT) for field in info.fields]


def told_fields(cell: str) -> list[tuple[str, bool]]:
    return [(re.findall(r"`(\w+)`", part)[0], " = " in part) for part in cell.split(";") if "`" in part]


@pytest.mark.parametrize("kind", TAGGED, ids=lambda kind: kind.__name__)
def test_every_tag_stands_with_its_fields_in_their_order(kind: type[Struct]) -> None:
    cells = row(str(kind.__struct_config__.tag), f"`{kind.__name__}`")
    assert told_fields(cells[2]) == code_fields(kind)


@pytest.mark.parametrize("kind", UNTAGGED, ids=lambda kind: kind.__name__)
def test_every_part_of_the_view_stands_with_its_fields(kind: type[Struct]) -> None:
    told = told_fields(row(f"`{kind.__name__}`")[1])
    if kind is view.Log:  # the empty log is a default of the code's own, not of the wire
        told = [(name, True) for name, _ in told]
    assert told == code_fields(kind)


def test_every_row_with_a_tag_is_in_the_code() -> None:
    told = {(cells[0], cells[1].strip("`")) for cells in ROWS if cells[0].isdigit()}
    assert told == {(str(kind.__struct_config__.tag), kind.__name__) for kind in TAGGED}


def test_the_view_stands_part_by_part() -> None:
    for name in view.View.__struct_fields__:
        assert row(f"`{name}`")


@pytest.mark.parametrize("names", [view.Fact, view.Mark, view.Trait, view.Hunger, appearance.Terrain])
def test_every_number_stands_with_its_name(names: type[view.Fact]) -> None:
    for member in names:
        assert re.search(rf"\b{member.value}\s`{member.name}`", TEXT), member


def test_every_colour_and_every_kind_of_line_stands() -> None:
    for word in (*appearance.COLOURS, *narration.TELLINGS):
        assert f"`{word}`" in TEXT, word


def test_every_code_of_the_decoder_stands() -> None:
    source = Path(__file__).parents[2] / "shared" / "gloam_shared" / "codec.py"
    codes = re.findall(r'(?:Malformed\(|code = )"([a-z0-9-]+)"', source.read_text(encoding="utf-8"))
    assert len(codes) > 8
    for code in codes:
        assert row(f"`{code}`")


@pytest.mark.parametrize(
    "bound",
    [
        limits.FRAME_BEFORE_LOGIN_MAX,
        limits.FRAME_FROM_CLIENT_MAX,
        limits.FRAME_FROM_SERVER_MAX,
        limits.STRING_MAX,
    ],
)
def test_the_bounds_stand(bound: int) -> None:
    assert f"{bound:,}" in TEXT


@pytest.mark.parametrize(
    "message",
    [
        messages.Do(7, 3, commands.Move(1, -1)),
        messages.Update((changes.Step(2), changes.Steps((513, 4))), 7),
    ],
)
def test_the_examples_in_hex_are_true(message: messages.FromClient | messages.FromServer) -> None:
    shown = " ".join(re.findall(r"^    ((?:[0-9a-f]{2} )*[0-9a-f]{2})(?:  |$)", TEXT, re.MULTILINE))
    assert frame(encode(message)).hex(" ") in shown


def test_the_version_is_the_codes() -> None:
    assert TEXT.startswith(f"# The protocol of Gloam, version {messages.PROTOCOL_VERSION}\n")
    assert f"- **{messages.PROTOCOL_VERSION}**:" in TEXT
