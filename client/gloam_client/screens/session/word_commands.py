"""The commands of the chat line about words: channels, lists of ignored players, reports, the log by kind."""

from collections.abc import Callable
from typing import Final

from gloam_client.screens.common.command_effects import ignore_effect, message, report_effect, speak_effect
from gloam_client.screens.lists.message_history import History
from gloam_client.state.client_effects import SendMessage, ShowMessage
from gloam_client.state.event_log import LOG_KINDS
from gloam_client.state.model import Model, Pop, Replace, Update
from gloam_shared.protocol.messages.chat import IgnoreKind, SpokenChannel
from gloam_shared.text import clean

LABELS: Final = {
    "/p": ("To the party: ", "party"),
    "/w": ("Whisper: ", "whisper"),
    "/tell": ("Whisper: ", "whisper"),
    "/r": ("Answer: ", "whisper"),
    "/me": ("Emote: ", "emote"),
}
"""The words before a line that begins with a channel's command, and the tone of that channel."""


def run_word_command(model: Model, word: str, rest: str) -> Update | None:
    """Return the reaction to a command about words; None for another command. A line that lacks something stays open."""
    run = _COMMANDS.get(word)
    return None if run is None else run(model, rest)


def _closing(sent: Update) -> Update:
    """Return an effect that closes the line if anything is sent; otherwise the line stays."""
    return (
        sent._replace(change=Pop()) if any(isinstance(each, SendMessage) for each in sent.intents) else sent
    )


def _spoken(channel: SpokenChannel, usage: str) -> Callable[[Model, str], Update]:
    return lambda model, rest: _closing(speak_effect(model, channel, rest)) if rest else message(usage)


def _whisper(model: Model, rest: str) -> Update:
    name, _, text = rest.partition(" ")
    if not text.strip():
        return message("Whisper what, and to which player? /w NAME TEXT.")
    return _closing(speak_effect(model, "whisper", text.strip(), name))


def _answer(model: Model, rest: str) -> Update:
    name = model.company.words.whispered_by
    if not name:
        return message("No one has whispered to you yet; /w NAME TEXT whispers.")
    if not rest:
        return message(f"Answer {name} what? /r TEXT.")
    return _closing(speak_effect(model, "whisper", rest, name))


def _ignore(how: IgnoreKind) -> Callable[[Model, str], Update]:
    return lambda model, rest: _closing(ignore_effect(model, rest.split()[0], how)) if rest else _lists(model)


def _lists(model: Model) -> Update:
    """Return the lists of ignored and blocked players as lines of the log."""
    kinds = (("ignore", model.company.words.ignored), ("block", model.company.words.blocked))
    lines = [f"You {deed} {', '.join(map(clean, names))}." for deed, names in kinds if names]
    lines = lines or ["You neither ignore nor block any player."]
    return Update(Pop(), tuple(ShowMessage(line, kept=True) for line in lines))


def _report(model: Model, rest: str) -> Update:
    name, _, why = rest.partition(" ")
    if not name:
        return message("Report which player? /report NAME WHY.")
    return _closing(report_effect(model, name, why.strip()))


def _log(_: Model, rest: str) -> Update:
    kind = rest.casefold() or "all"
    if kind not in LOG_KINDS:
        return message(f"Name a kind of the log: {', '.join(LOG_KINDS)}.")
    return Update(Replace(History(kind=kind)))


_COMMANDS: Final[dict[str, Callable[[Model, str], Update]]] = {
    "me": _spoken("emote", "Do what? /me waves."),
    "p": _spoken("party", "Say what to your party? /p TEXT."),
    "w": _whisper,
    "tell": _whisper,
    "r": _answer,
    "ignore": _ignore("ignore"),
    "block": _ignore("block"),
    "unignore": _ignore("hear"),
    "unblock": _ignore("hear"),
    "report": _report,
    "log": _log,
}
