"""What players say, as lines of the log: each channel has words and a tone of its own. Pure."""

from typing import Final

from gloam_client.state.model import Model, add_message
from gloam_shared.protocol.chat_messages import Spoken
from gloam_shared.protocol.messages import ChatLine, FromServer, Update

CHANNEL_TONES: Final = {"say": "chat", "party": "party", "whisper": "whisper", "emote": "emote"}
"""The tone of a line by its channel; a channel that this client does not know looks like "say"."""


def with_words(model: Model, said: Spoken | ChatLine) -> Model:
    """Return the model with words in its log; the server's own have no speaker."""
    if isinstance(said, ChatLine):
        words = f"{said.name}: {said.text}" if said.name else said.text
        return add_message(model, words, "chat" if said.name else "urgent")
    if not said.name:
        return add_message(model, said.text, "note")
    return add_message(model, _ago(said.ago_s) + _line(model, said), CHANNEL_TONES.get(said.channel, "chat"))


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
