"""Every refusal of client and server names a next step: what a player can do instead, or until when to wait.

The list of refusals is made from the code, so that a new one without a next step fails.
"""

import ast
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final, NamedTuple, get_args

import pytest

import gloam_client
import gloam_server
from gloam_client.input import keymap
from gloam_client.state.guidance.next_steps import NEXT_STEPS
from gloam_shared.protocol.codes import RefusalCode

SERVER: Final = Path(gloam_server.__file__ or "").parent
CLIENT: Final = Path(gloam_client.__file__ or "").parent
STEP: Final = re.compile(
    r"[;:?] | first\b| until\b| again\b|^(Press|Mark|Type|Name|Report|Whisper|Answer)\b|[.!] [A-Z{/]"
)
"""A part that names a step: after a colon or semicolon, in a second sentence, a time, or a request for words."""
NOTES: Final = frozenset({"refused", "quiet"})
"""The tones of the client's own refusals."""


class Sentence(NamedTuple):
    """A sentence of a refusal in the code: where it is, its text with "{}" for each value in it, and its reason or code."""

    where: str
    text: str
    reason: str


def text_of(node: ast.expr | None, known: dict[str, ast.expr]) -> list[str]:
    """Return the texts that an expression can have; a value in a text is "{}"."""
    match node:
        case ast.Constant(value=str(text)):
            return [text]
        case ast.JoinedStr(values=parts):
            return ["".join(_part(part, known) for part in parts)]
        case ast.IfExp(body=one, orelse=other):
            return [*text_of(one, known), *text_of(other, known)]
        case ast.BoolOp(values=values):
            return [text for value in values for text in text_of(value, known)]
        case ast.Name(id=name) if name in known:
            return text_of(known[name], {key: value for key, value in known.items() if key != name})
        case ast.Call(func=ast.Name(id="with_keys"), args=[_, template, *_]):
            return text_of(template, known)
        case ast.Call(func=ast.Attribute(value=value, attr="capitalize")):
            return text_of(value, known)
        case _:
            return []


def _part(part: ast.expr, known: dict[str, ast.expr]) -> str:
    """Return a part of a text: its words, the words of a name with one text, or "{}"."""
    if isinstance(part, ast.Constant):
        return str(part.value)
    value = part.value if isinstance(part, ast.FormattedValue) else part
    return next(iter(text_of(value, known)), "{}") if isinstance(value, ast.Name) else "{}"


def assigned(tree: ast.AST) -> dict[str, ast.expr]:
    """Return the values of the names that are assigned once in a module or function."""
    found: dict[str, list[ast.expr]] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            found.setdefault(node.targets[0].id, []).append(node.value)
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.value:
            found.setdefault(node.target.id, []).append(node.value)
    return {name: values[0] for name, values in found.items() if len(values) == 1}


def calls(folder: Path, *names: str) -> Iterator[tuple[str, ast.Call, dict[str, ast.expr]]]:
    """Return the calls of these functions in a folder, each with its place and the names that it may use."""
    for path in sorted(folder.rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        known = assigned(tree)
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in names:
                yield f"{path.name}: {ast.unparse(node)[:120]}", node, known


def server_refusals() -> list[Sentence]:
    """Return the refusals of commands."""
    return [
        Sentence(where, text, str(call.args[1].value))
        for where, call, known in calls(SERVER, "Impossible")
        if len(call.args) > 1 and isinstance(call.args[1], ast.Constant)
        for text in text_of(call.args[0], known)
    ]


def server_errors() -> list[Sentence]:
    """Return the sentences of `Error`."""
    return [
        Sentence(where, text, str(call.args[0].value))
        for where, call, known in calls(SERVER, "Error")
        if len(call.args) > 1 and isinstance(call.args[0], ast.Constant)
        for text in text_of(call.args[1], known)
    ]


def reasons_returned() -> list[Sentence]:
    """Return the sentences that functions of the door return: they become an `Error`."""
    found = []
    for path in [*sorted((SERVER / "gateway").rglob("*.py")), SERVER / "world/population/chosen_kit.py"]:
        tree = ast.parse(path.read_text(encoding="utf-8"))
        known = assigned(tree)
        for function in ast.walk(tree):
            if not isinstance(function, ast.FunctionDef) or "str" not in ast.unparse(
                function.returns or function
            ):
                continue
            returned = [node.value for node in ast.walk(function) if isinstance(node, ast.Return)]
            texts = [text for value in returned for text in text_of(value, known) if text.endswith(".")]
            found += [Sentence(f"{path.name}: {function.name}", text, "") for text in texts]
    return found


def client_notes() -> list[Sentence]:
    """Return the client's own refusals."""
    found = []
    for where, call, known in calls(CLIENT, "message", "ShowMessage"):
        tone = [*call.args[1:2], *(each.value for each in call.keywords if each.arg == "tone")]
        said = tone[0].value if tone and isinstance(tone[0], ast.Constant) else "" if tone else "refused"
        if said in NOTES and not (
            isinstance(call.func, ast.Name) and call.func.id == "ShowMessage" and not tone
        ):
            found += [Sentence(where, text, "") for text in text_of(call.args[0], known)]
    return found


def without_step(sentences: list[Sentence]) -> list[Sentence]:
    """Return the refusals without a next step, neither in the sentence nor by their reason."""
    steps = {str(reason): text for reason, text in NEXT_STEPS.items()}
    return [each for each in sentences if not STEP.search(each.text) and not steps.get(each.reason)]


def test_the_lists_are_made_from_the_code() -> None:
    """The walk finds what is there: a change of the code that hides refusals from it fails here."""
    assert len(server_refusals()) > 60
    assert len(server_errors()) > 20
    assert len(reasons_returned()) > 20
    assert len(client_notes()) > 50


def test_a_sentence_without_a_step_is_seen() -> None:
    bare = Sentence("", "You cannot.", "")
    assert without_step([bare]) == [bare]
    assert without_step([Sentence("", "You cannot; wait.", ""), Sentence("", "No.", "gone")]) == []


def test_every_reason_has_a_next_step() -> None:
    assert {*get_args(RefusalCode)} <= set(NEXT_STEPS)
    assert all(NEXT_STEPS.values())


def test_the_next_steps_name_keys_that_exist() -> None:
    intents = {row.intent.replace(" ", "_") for row in keymap.rows("vi", "play") if row.short}
    named = {name for text in NEXT_STEPS.values() for name in re.findall(r"\{(\w+)\}", text)}
    assert named <= intents


@pytest.mark.parametrize(
    "listed", [server_refusals, server_errors, reasons_returned, client_notes], ids=lambda one: one.__name__
)
def test_every_refusal_names_a_next_step(listed: Callable[[], list[Sentence]]) -> None:
    assert without_step(listed()) == []
