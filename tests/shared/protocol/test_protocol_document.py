"""PROTOCOL.md says what the schema and the code say: every tag, field, type, bound, default, code, order and number."""

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final, get_args

import pytest

from gloam_shared.event_kinds import TEMPLATES, EventKind
from gloam_shared.protocol import commands, registry
from gloam_shared.protocol.codec import encode
from gloam_shared.protocol.framing import frame
from gloam_shared.protocol.messages import play
from gloam_shared.view import changes
from support.protocol.sent_messages import read_document

TEXT: Final = (Path(__file__).parents[3] / "shared" / "PROTOCOL.md").read_text(encoding="utf-8")
DOCUMENT: Final = read_document()
TAGGED: Final = [
    *DOCUMENT["messages"]["from_client"],
    *DOCUMENT["messages"]["from_server"],
    *DOCUMENT["commands"],
    *DOCUMENT["changes"],
]
NEVER: Final = "–"


def tables() -> dict[tuple[str, ...], list[list[str]]]:
    """Return the rows of each table of the page, by the names of its columns; tables with the same columns are one."""
    found: dict[tuple[str, ...], list[list[str]]] = {}
    rows: list[list[str]] = []
    for line in TEXT.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")] if line.startswith("|") else []
        if cells and not rows:
            rows = found.setdefault(tuple(cells), [])
            rows.append([])
        elif cells and not set(cells[0]) <= {"-"}:
            rows.append(cells)
        elif not cells:
            rows = []
    return {columns: [cells for cells in each if cells] for columns, each in found.items()}


TABLES: Final = tables()


def table(*columns: str) -> dict[str, list[str]]:
    """Return a table's rows by their first cells, without its quotes."""
    rows = TABLES[columns]
    cells_by_name = {cells[0].strip("`"): cells[1:] for cells in rows}
    assert len(cells_by_name) == len(rows)
    return cells_by_name


def described(fields: Iterable[dict[str, Any]]) -> str:
    """Return fields as the page gives them."""
    return "; ".join(f"`{field['name']}` {_type(field)}{_default(field)}" for field in fields) or NEVER


def _default(field: dict[str, Any]) -> str:
    if "default" not in field:
        return ""
    default = field["default"]
    if default is None:
        return " = nil"
    return f' = "{default}"' if isinstance(default, str) else f" = {str(default).lower()}"


def _type(entry: dict[str, Any]) -> str:
    return _plain(entry) + (" or nil" if entry.get("nil") else "")


def _plain(entry: dict[str, Any]) -> str:
    bounds = entry.get("min"), entry.get("max")
    match entry["type"], bounds:
        case "text", _ if "one_of" in entry:
            *most, last = [f'"{word}"' for word in entry["one_of"]]
            return f"{', '.join(most)} or {last}"
        case "text", (None, None | 1_024):
            return "text"
        case "text", (None, most):
            return f"text of at most {most:,}"
        case "bytes", (int(size), most) if size == most:
            return f"{size} bytes"
        case "list", (None, None):
            return f"list of {_type(entry['of'])}"
        case "list", (None, most):
            return f"list of at most {most} {_several(_type(entry['of']), entry.get('name', ''))}"
        case "int", bounds:
            return _number(entry, *bounds)
        case "Command", _:
            return "a command of section 7"
        case "Change", _:
            return "change of section 9"
        case name, _:
            return str(name)


def _several(kind: str, name: str) -> str:
    return name if kind == "cell" else kind.replace("text", "texts")


def _number(entry: dict[str, Any], least: int | None, most: int | None) -> str:
    match least, most:
        case (0, 65_535):
            return "handle" if entry.get("name") == "handle" else "cell"
        case (0, 25):
            return "slot" if entry["name"] == "slot" else "0 to 25"
        case (0, 7):
            return "heading"
        case (0, 2_147_483_647):
            return "number"
        case (1, 2_147_483_647):
            return "number from 1"
        case (_, None):
            return "int"
        case _:
            return f"{least:,} to {most:,}"


@pytest.mark.parametrize("kind", TAGGED, ids=lambda kind: kind["name"])
def test_tag_stands_fields_types_bounds(kind: dict[str, Any]) -> None:
    """Every tag stands with its fields types bounds and defaults."""
    rows = [
        cells
        for column in ("message", "command", "change")
        for cells in TABLES["tag", column, "fields", "meaning"]
    ]
    [cells] = [cells for cells in rows if cells[:2] == [str(kind["tag"]), f"`{kind['name']}`"]]
    assert cells[2] == described(kind["fields"]).replace("list of change ", "list of changes ")


def test_every_row_with_a_tag_is_in_the_schema() -> None:
    names = {
        (cells[0], cells[1].strip("`")) for rows in TABLES.values() for cells in rows if cells[0].isdigit()
    }
    assert names == {(str(kind["tag"]), kind["name"]) for kind in TAGGED}


def test_tags_stand_order_and_left_named() -> None:
    """Tags stand in their order and those left out are named."""
    tags = [int(cells[0]) for cells in TABLES["tag", "command", "fields", "meaning"]]
    assert tags == sorted(tags)
    assert {*range(1, 30)} - {*tags} == {28}
    assert "The tag 28 is free." in TEXT


@pytest.mark.parametrize("kind", DOCUMENT["parts"], ids=lambda kind: kind["name"])
def test_every_part_of_the_view_stands_with_its_fields(kind: dict[str, Any]) -> None:
    text = table("list", "fields", "meaning")[kind["name"]][0]
    if kind["name"] == "Log":  # the empty log is a default of the code's own, not of the wire
        text = text.replace("first` int", "first` int = 0").replace("of LogLine", "of LogLine = []")
    assert text == described(kind["fields"])


def test_the_view_stands_part_by_part() -> None:
    assert [*table("part", "type", "meaning")] == [field["name"] for field in DOCUMENT["view"]]


@pytest.mark.parametrize(
    "names", ["sheet", "marks", "member_marks", "traits", "effects", "gains", "hunger", "terrain"]
)
def test_every_number_stands_with_its_name(names: str) -> None:
    for member in DOCUMENT[names]:
        assert re.search(rf"\b{member['number']}\s`{member['name']}`", TEXT), member


def test_every_colour_stands() -> None:
    paragraph = TEXT[TEXT.index("**Colors**") :].partition("\n\n")[0]
    assert re.findall(r"`(\w+)`", paragraph) == [each["name"] for each in DOCUMENT["colours"]]


def test_kind_line_stands_fields_words_use() -> None:
    """Every kind of line stands with the fields that its words use."""
    names = {
        kind: fields.split(", ")
        for kinds, _, fields in TABLES["kind", "what happened", "fields"]
        for kind in re.findall(r"`(\w+)`", kinds)
    }
    assert names == {each["kind"]: each["fields"] for each in DOCUMENT["lines"]}


def test_kinds_lines_type_templates_and_page() -> None:
    """`EventKind`, the message templates and the table of section 10 name the same kinds, each once."""
    kinds = get_args(EventKind)
    table = [
        kind for row in TABLES["kind", "what happened", "fields"] for kind in re.findall(r"`(\w+)`", row[0])
    ]
    assert sorted(kinds) == sorted(TEMPLATES) == sorted(table)


def test_code_stands_meaning_message_carries() -> None:
    """Every code stands with its meaning by the message that carries it."""
    text = table("code", "`Error`: the connection stays", "`Bye`: the connection ends")
    for column, message in enumerate(("Error", "Bye")):
        meanings = {code: cells[column] for code, cells in text.items() if cells[column] != NEVER}
        assert meanings == {each["code"]: each["meaning"] for each in DOCUMENT["codes"][message]}
    answers = {each["code"]: [each["meaning"]] for each in DOCUMENT["codes"]["Answer"]}
    assert table("code", "meaning") == answers
    reasons = {each["code"]: [each["meaning"]] for each in DOCUMENT["codes"]["Reason"]}
    assert table("reason", "what it says") == reasons


def test_what_may_come_when_stands_phase_by_phase() -> None:
    phases = {
        phase: {name: after or phase for name, after in re.findall(r"`(\w+)`(?: \(then: (\w+)\))?", cells[0])}
        for phase, cells in table("phase", "what is sent").items()
    }
    at_any_time = {name for name, after in phases["greeted"].items() if after == "greeted"}
    at_any_time -= {"Bye", "Dungeons"}
    for phase in ("playing", "dead", "watching"):
        phases[phase] |= dict.fromkeys(at_any_time, phase)
    phases["closed"] = {}
    for messages_ in phases.values():
        messages_.update({"Bye": "closed"} if messages_ else {})
    for phase in ("connected", "greeted", "playing", "dead", "watching"):
        phases[phase]["Bye"] = "closed"
    assert phases == {each["phase"]: each["messages"] for each in DOCUMENT["phases"]}


def test_every_reserved_name_stands() -> None:
    paragraph = TEXT[TEXT.index("Reserved are") :].partition("\n\n")[0]
    assert sorted(re.findall(r"`(\w+)`", paragraph)) == DOCUMENT["names"]["reserved"]


def test_every_part_of_the_schema_stands() -> None:
    names = [name for cell in table("part", "what it holds") for name in re.findall(r"\w+", cell)]
    assert sorted(names) == sorted(DOCUMENT)


@pytest.mark.parametrize(
    "bound", ["frame_before_login_max", "frame_from_client_max", "frame_from_server_max", "string_max"]
)
def test_the_bounds_stand(bound: str) -> None:
    assert f"{DOCUMENT['limits'][bound]:,}" in TEXT


def test_deadline_and_time_client_meets_stands() -> None:
    """Each deadline and time that a client meets stands."""
    times = DOCUMENT["timings"]
    for name in (
        "handshake_s",
        "login_s",
        "frame_s",
        "heartbeat_s",
        "dead_s",
        "refresh_s",
        "chat_same_s",
        "call_shown_s",
    ):
        assert f" {times[name]} s" in TEXT.replace("\n", " "), name
    assert f" {times['ack_delay_ms']} ms" in TEXT
    assert f" {times['resume_s'] // 60} minutes" in TEXT
    assert f" {times['name_free_s'] // 86_400} days" in TEXT


@pytest.mark.parametrize(
    "message",
    [
        play.SubmitCommand(7, 3, commands.Move(1, -1)),
        play.Update((changes.Step(2), changes.Steps((513, 4))), 7),
    ],
)
def test_the_examples_in_hex_are_true(message: registry.FromClient | registry.FromServer) -> None:
    shown = " ".join(re.findall(r"^    ((?:[0-9a-f]{2} )*[0-9a-f]{2})(?:  |$)", TEXT, re.MULTILINE))
    assert frame(encode(message)).hex(" ") in shown


def test_the_version_is_the_codes() -> None:
    assert TEXT.startswith(f"# The protocol of Gloam, version {registry.PROTOCOL_VERSION}\n")
    assert f"- **{registry.PROTOCOL_VERSION}**:" in TEXT


def test_every_ability_stands() -> None:
    assert [*table("ability", "meaning")] == DOCUMENT["protocol"]["abilities"]
