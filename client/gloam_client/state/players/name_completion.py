"""Names and commands that Tab completes in the chat line. Pure."""

from gloam_client.input.chat_commands import CHAT_COMMANDS
from gloam_client.state.model import Model
from gloam_shared.text import clean, fold
from gloam_shared.view.view import CreatureFlag


def completions(model: Model, text: str) -> list[str]:
    """Return what may stand in place of the last word of a line: commands at its start, elsewhere names.

    Names of players who spoke last come first.
    """
    before, _, stem = text.rpartition(" ")
    known = (
        [row[0].split()[0] for row in CHAT_COMMANDS] if not before and stem.startswith("/") else _names(model)
    )
    return [each for each in known if fold(each).startswith(fold(stem))]


def completed(text: str, word: str) -> str:
    """Return a line with another last word."""
    before, space, _ = text.rpartition(" ")
    return f"{before}{space}{word}"


def _names(model: Model) -> list[str]:
    in_sight = [one.name for one in model.view.creatures if one.marks & CreatureFlag.PLAYER]
    names = (
        *model.company.words.speakers,
        *(friend.name for friend in model.friends),
        *in_sight,
        *model.company.words.ignored,
        *model.company.words.blocked,
    )
    return [name for name in dict.fromkeys(map(clean, names)) if name and name != model.name]
