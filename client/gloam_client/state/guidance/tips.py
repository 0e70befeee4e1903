"""One tip for each run of the client, shown while the log is nearly empty.

Each tip is shown once before any is shown again.
"""

import os
from contextlib import suppress
from pathlib import Path
from typing import Final

from gloam_client.state.guidance.key_words import with_keys
from gloam_client.state.model import Model

FILE: Final = "tips"
_SIZE_MAX: Final = 32
_STRIDE: Final = 7
"""Tips that follow each other in the list are this many sessions apart or more; it has no divisor with their number."""

TIPS: Final = (
    "{look} describes what you see, and how dangerous it is.",
    "{find} finds every place and item that you have seen, and leads there.",
    "Shift and a direction run; a foe that comes into view stops you.",
    "{menu} shows every action and its key.",
    "The world waits for you while a foe is near and you think.",
    "Monsters gain levels too: one that killed you is stronger than before.",
    "Stairs are a way out: few foes follow you at once.",
    "In a corridor only one foe at a time can reach you.",
    "{throw} throws what you carry; a dagger hurts from afar.",
    "{rest} rests until you are well, or until something comes.",
    "{call} pings a place for your friends: come, danger, mine, thanks.",
    "{history} shows the whole log, with the damage of the last turns.",
    "{options} changes colors, glyphs, keys and hints.",
    "A named monster carries a trophy that is worth having.",
    "An heir may take one item of the life before: the keepsake.",
    "{friend} leads to a friend, also over the stairs.",
    "Sleeping foes wake more seldom if you keep away from them.",
    "{inventory} and a letter say what an item does, and compare it with what you use.",
    "Closed doors stop what cannot open them: {close} closes one.",
    "What you cannot carry can lie on the stairs; you will pass them again.",
)
"""The tips. A player with more than ten sessions sees none twice in ten of them."""

_ALONE: Final = {
    "{call} pings a place for your friends: come, danger, mine, thanks.": "{sheet} shows your character, and what your powers do.",
    "{friend} leads to a friend, also over the stairs.": "{chronicle} shows the deeds, the deaths and the names of this dungeon.",
}
"""The tips that stand for those about friends while no other player is in the dungeon."""


def next_session(data: Path) -> int:
    """Return the number of this session, and store it; the first one is drawn, and an unwritable folder draws each time."""
    try:
        with (data / FILE).open("rb") as file:
            number = (int(file.read(_SIZE_MAX)) + 1) % len(TIPS)
    except (OSError, ValueError):
        number = os.urandom(1)[0] % len(TIPS)
    with suppress(OSError):
        draft = data / f"{FILE}.{os.getpid()}"
        draft.write_text(f"{number}\n", encoding="ascii")
        draft.replace(data / FILE)
    return number


def tip(model: Model) -> str:
    """Return the tip of this session with the player's keys; "" if there is none, or the player wants no hints."""
    session = model.guidance.guide.session
    if session < 0 or model.options.hints == "off" or not model.in_dungeon:
        return ""
    words = TIPS[session * _STRIDE % len(TIPS)]
    return f"Tip: {with_keys(model, words if model.in_company else _ALONE.get(words, words))}"
