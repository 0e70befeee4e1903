"""What becomes of pasted text: it goes into a line that is being typed, and is never taken for keys."""

from dataclasses import replace

from gloam_client.model import Model, Push, Reaction, Replace
from gloam_client.screens.orders import note
from gloam_client.screens.play import Play
from gloam_client.screens.say import Saying
from gloam_client.screens.secret import Secret
from gloam_shared import limits
from gloam_shared.text import clean


def pasted(model: Model, text: str) -> Reaction:
    """Return what pasted text does: while one plays it opens the line of chat, and says nothing by itself."""
    words = clean(text)
    match model.top:
        case Saying() as saying:
            return Reaction(Replace(replace(saying, text=(saying.text + words)[: limits.CHAT_CELLS_MAX])))
        case Secret() as secret:
            typed = secret.text + "".join(char for char in text if char.isprintable())
            return Reaction(Replace(replace(secret, text=typed[: limits.PASSWORD_MAX])))
        case Play() if model.in_dungeon and words:
            return Reaction(Push(Saying(words[: limits.CHAT_CELLS_MAX])))
        case _:
            return note("What is pasted goes into a line of chat, and there is none here.", "quiet")
