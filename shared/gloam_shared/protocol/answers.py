"""Answers to commands that take no turn: from the reason to the code that every client knows."""

from gloam_shared.protocol.codes import AnswerCode, ReasonCode
from gloam_shared.protocol.messages.play import Answer


def refusal(number: int, text: str, reason: ReasonCode) -> Answer:
    """Return the answer to a command that is refused."""
    match reason:
        case "gone" | "rock" | "hungry" | "state" | "choice":
            return _answer(number, reason, text, reason)
        case _:
            return _answer(number, "cannot", text, reason)


def plan_end(number: int, text: str, reason: ReasonCode) -> Answer:
    """Return the answer that ends a plan."""
    match reason:
        case "explored" | "foe" | "hungry":
            return _answer(number, reason, text, reason)
        case _:
            return _answer(number, "ended", text, reason)


def _answer(number: int, code: AnswerCode, text: str, reason: ReasonCode) -> Answer:
    return Answer(number, code, text, "" if reason == code else reason)
