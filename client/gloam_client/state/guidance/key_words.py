"""Texts with the keys of the player's own table in them."""

from functools import lru_cache

from gloam_client.input import keymap
from gloam_client.input.own_keys import KeyChoice
from gloam_client.state.model import Model


def with_keys(model: Model, text: str, **words: str) -> str:
    """Return a text with each intent of play in braces, such as "{pick_up}", replaced by its key.

    "{letters}" are the letters that walk; `words` are further replacements.
    """
    return _filled(model.options.keys, text, **words)


@lru_cache(maxsize=256)  # the line of the goal is in every frame
def _filled(choice: KeyChoice, text: str, **words: str) -> str:
    return text.format(**_words(choice), **words)


@lru_cache(maxsize=256)
def _words(choice: KeyChoice) -> dict[str, str]:
    keys = {
        row.intent.replace(" ", "_"): keymap.key_label(row.keys[0])
        for row in keymap.rows(choice, "play")
        if row.short
    }
    return {"letters": keymap.walking_words(choice)[0], **keys}
