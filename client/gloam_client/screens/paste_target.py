"""The target of pasted text: the text field that is open. Pasted text is never taken for keys."""

from typing import Final

from gloam_client.input import keymap
from gloam_client.screens.common.command_effects import message
from gloam_client.screens.common.help import Help
from gloam_client.screens.map.find import Find
from gloam_client.screens.play import Play
from gloam_client.screens.session.chat_line import ChatScreen
from gloam_client.screens.session.secret_line import SecretScreen
from gloam_client.screens.title.servers import ServersScreen
from gloam_client.screens.title.title import Title
from gloam_client.state.guidance.key_words import with_keys
from gloam_client.state.model import Model, Push, Replace, Update
from gloam_shared.text import clean

_TYPED_MAX: Final = 120
"""More characters than any of these fields holds."""


def paste_into(model: Model, text: str) -> Update:
    """Return the reaction to pasted text: during play it opens the chat line, without sending it."""
    words = clean(text)
    match model.top:
        case ChatScreen() as saying:
            return saying.typed(words)
        case SecretScreen() as secret:
            return secret.typed("".join(char for char in text if char.isprintable()))
        case Title() | ServersScreen() | Find() | Help():
            return _type_text(model, words)
        case Play() if model.in_dungeon and words:
            opened = ChatScreen().typed(words).change
            return Update(Push(opened.screen) if isinstance(opened, Replace) else None)
        case _:
            return message(
                with_keys(model, "Pasted text goes into a chat line; {say} opens one in play."), "quiet"
            )


def _type_text(model: Model, words: str) -> Update:
    """Return the reaction to text typed into a field, without keys that have another meaning there."""
    screen = model.top
    for char in words[:_TYPED_MAX]:
        if keymap.intent(model.options.keys, screen.state, char) is None:
            change = screen.on_key(model, char).change
            screen = change.screen if isinstance(change, Replace) else screen
    return Update(Replace(screen))
