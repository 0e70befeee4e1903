"""shared/protocol.json is what the types say now, and its closed lists are those that the type checker knows."""

import json
import re
from typing import Any, Final, get_args

import pytest

from gloam_lab.schema import protocol, render_document
from gloam_shared.protocol import codes, commands
from gloam_shared.protocol.registry import CLIENT_MESSAGES, PHASES, FromServer, Phase
from gloam_shared.text import name_fault
from support.protocol.sent_messages import FILE, read_document

DOCUMENT: Final = read_document()


def test_the_file_is_what_its_generator_makes() -> None:
    assert FILE.read_text(encoding="utf-8") == render_document(), "run `make protocol`"
    assert json.loads(render_document()) == json.loads(json.dumps(protocol()))


@pytest.mark.parametrize(
    ("listed", "meanings"),
    [
        (codes.AnswerCode, codes.ANSWERS),
        (codes.ReasonCode, codes.REASONS),
        (codes.ErrorCode, codes.ERRORS),
        (codes.ByeCode, codes.BYES),
    ],
)
def test_every_code_has_a_meaning(listed: Any, meanings: dict[str, str]) -> None:
    known = {code for part in get_args(listed) for code in get_args(part) or (part,)}
    assert known == set(meanings)


def test_every_message_of_a_server_has_its_phase() -> None:
    named = {kind.__name__ for kind in get_args(FromServer)}
    assert {message for phase in PHASES.values() for message in phase} == named
    assert {after for phase in PHASES.values() for after in phase.values()} <= {*PHASES}


_SERVERS_PHASE: Final[dict[str, Phase]] = {
    "connected": "greeting",
    "greeted": "lobby",
    "fetching": "fetching",
    "playing": "playing",
    "dead": "playing",
    "watching": "watching",
    "closed": "closed",
}
"""The phase of the server's session while the client is in a phase: it has one for a player, alive or dead."""


def test_both_tables_of_phases_agree() -> None:
    """In each phase the server takes messages, and each answer to one may arrive in every phase of that client."""
    assert set(_SERVERS_PHASE) == set(PHASES)
    assert set(_SERVERS_PHASE.values()) == set(get_args(Phase))
    taken = {phase for row in CLIENT_MESSAGES.values() for phase in row.phases}
    assert taken == set(get_args(Phase)) - {"closed"}
    for asked, row in CLIENT_MESSAGES.items():
        for phase, arrives in PHASES.items():
            if row.answer is not None and _SERVERS_PHASE[phase] in row.phases:
                assert row.answer.__name__ in arrives, (asked, phase)


def test_a_phase_is_left_by_messages_of_its_clients() -> None:
    """A login, a watcher and a fetch reach their phase, and no message leads where a client may send nothing."""
    for phase, arrives in PHASES.items():
        left = {_SERVERS_PHASE[after] for after in arrives.values()} - {_SERVERS_PHASE[phase], "closed"}
        for after in left:
            assert any(after in row.phases for row in CLIENT_MESSAGES.values()), (phase, after)
    assert {"playing", "watching", "fetching"} <= set(PHASES["greeted"].values())


def test_command_takes_turn_or_plan() -> None:
    """Every command takes a turn or is a plan or takes nothing."""
    takes = {each["name"]: each["takes"] for each in DOCUMENT["commands"]}
    assert [name for name, what in takes.items() if what == "nothing"] == [
        "Choose",
        "ChooseFor",
        "Duel",
        "OfferTrade",
        "ConfirmTrade",
        "EndTrade",
        "Stop",
    ]
    assert {name for name, what in takes.items() if what == "plan"} == {
        kind.__name__ for kind in get_args(commands.Plan)
    }


def test_names_are_reported_as_they_are_judged() -> None:
    names = DOCUMENT["names"]
    assert all(re.fullmatch(names["pattern"], name) and name_fault(name) for name in names["reserved"])
    assert name_fault("A" * names["max"]) is None
    assert name_fault("A" * names["min"]) is None
    assert name_fault("A" * (names["max"] + 1))
    assert name_fault("A" * (names["min"] - 1))


def test_no_kind_of_field_is_passed_over() -> None:
    text = json.dumps(DOCUMENT)
    assert {"bool", "int", "text", "bytes", "list", "Command", "Change"} <= set(
        re.findall(r'"type": "(\w+)"', text)
    )
    named = {part["name"] for part in DOCUMENT["parts"]}
    assert named <= set(re.findall(r'"type": "(\w+)"', text))
