"""Chat as lines of the log: each channel has its own words and tone. Pure."""

from typing import Final

from msgspec.structs import replace

from gloam_client.state.model import Model, add_message
from gloam_shared import limits
from gloam_shared.protocol.messages.chat import ChatLine, Ignored, Spoken
from gloam_shared.protocol.messages.play import Update
from gloam_shared.protocol.registry import FromServer
from gloam_shared.text import clean

CHANNEL_TONES: Final = {"say": "chat", "party": "party", "whisper": "whisper", "emote": "emote"}
"""The tone of a line by its channel; a channel that this client does not know looks like "say"."""

_LISTED_MAX: Final = limits.IGNORED_MAX


def with_words(model: Model, said: Spoken | ChatLine | Ignored) -> Model:
    """Return the model with words in its log, or with the lists that arrived.

    The server's own words have no speaker.
    """
    match said:
        case Ignored(ignored, blocked, text):
            words = model.company.words._replace(
                ignored=tuple(map(clean, ignored[:_LISTED_MAX])),
                blocked=tuple(map(clean, blocked[:_LISTED_MAX])),
            )
            model = replace(model, company=replace(model.company, words=words))
            return add_message(model, text, "note") if text else model
        case ChatLine(name="", text=text):
            return add_message(model, text, "urgent")
        case ChatLine(name, text):
            return _heard(add_message(model, f"{name}: {text}", "chat", name), name)
        case Spoken(name="", text=text):
            return add_message(model, text, "note")
        case Spoken(channel=channel, name=name):
            text = _ago(said.ago_s) + _line(model, said)
            model = add_message(model, text, CHANNEL_TONES.get(channel, "chat"), name)
            return _heard(model, name, whisper=channel == "whisper")


def _heard(model: Model, name: str, *, whisper: bool = False) -> Model:
    if name == model.name:
        return model
    return replace(
        model, company=replace(model.company, words=model.company.words.heard(clean(name), whisper=whisper))
    )


def words_after_view(messages: tuple[FromServer, ...]) -> list[ChatLine | Spoken]:
    """Return the words to show after a view: they refer to its log, such as a death."""
    updates = [at for at, message in enumerate(messages) if isinstance(message, Update)]
    return [one for one in messages[updates[0] :] if isinstance(one, ChatLine | Spoken)] if updates else []


def _line(model: Model, said: Spoken) -> str:
    """Return words with their speaker. No part of them is ever a template (A53)."""
    if said.channel == "whisper" and said.name == model.name:
        return f"You whisper to {said.target}: {said.text}"
    match said.channel:
        case "party":
            return f"{said.name} (party): {said.text}"
        case "whisper":
            return f"{said.name} whispers: {said.text}"
        case "emote":
            return f"{said.name} {said.text}"
        case _:
            return f"{said.name}: {said.text}"


def _ago(seconds: int) -> str:
    """Return when words were said that the player missed, rounded down; nothing for words of now."""
    if not seconds:
        return ""
    for unit_s, unit in ((86_400, "d"), (3_600, "h"), (60, "min")):
        if seconds >= unit_s:
            return f"({seconds // unit_s} {unit} ago) "
    return "(just now) "
