"""Texts with the keys of the player's own table in them."""

from gloam_client.input import keymap
from gloam_client.state.model import Model


def with_keys(model: Model, text: str, **words: str) -> str:
    """Return a text with each intent of play in braces, such as "{pick_up}", replaced by its key.

    "{letters}" are the letters that walk; `words` are further replacements.
    """
    keys = {
        row.intent.replace(" ", "_"): keymap.key_label(row.keys[0])
        for row in keymap.rows(model.options.keys, "play")
        if row.short
    }
    return text.format(letters=keymap.walking_words(model.options.keys)[0], **keys, **words)
