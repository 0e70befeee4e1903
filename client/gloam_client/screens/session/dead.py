"""The end of a life: its cause of death or victory, and its statistics. Enter begins the next life.

The heir may carry one of the offered keepsakes (rules JG.24, TG.30, RG.30).
"""

from dataclasses import dataclass, replace
from string import ascii_lowercase

from gloam_client.input import keymap
from gloam_client.screens.common.help import Help
from gloam_client.screens.common.window import draw_window, move_selection, with_letters, wrong_key
from gloam_client.screens.lists.message_history import History
from gloam_client.screens.session.chat_line import ChatScreen
from gloam_client.screens.session.quit import Quit
from gloam_client.state.client_effects import SendMessage, StartWatching
from gloam_client.state.joining_friends import friend_to_join
from gloam_client.state.model import Model, Push, Replace, Update
from gloam_client.terminal.canvas import GRAVE_RIM, VICTORY_RIM, Canvas
from gloam_shared.narration.rendering import depth_text, end_of_life, possessive
from gloam_shared.protocol.messages import Died, JoinFriend, NewLife
from gloam_shared.text import clean

_NOTHING = -1


@dataclass(frozen=True, slots=True)
class DeathScreen:
    """The ended life; `kept` is the index of the marked keepsake, -1 for none."""

    life: Died
    kept: int = 0
    state: str = "dead"

    def on_key(self, model: Model, key: str) -> Update:
        """Mark a keepsake, begin a new life, read, chat or leave."""
        things = len(self.life.keepsakes)
        at = _letters(model).find(key) if len(key) == 1 else -1
        if 0 <= at < things:
            return self._marking(at)
        match keymap.intent(model.options.keys, self.state, key):
            case "again":
                return Update(intents=(SendMessage(NewLife(model.life, self._keepsake())),))
            case "join" if friend_to_join(model) is not None:
                return Update(intents=(SendMessage(JoinFriend(model.life, self._keepsake())),))
            case "up" | "down" as intent if things:
                return self._marking((move_selection(self.kept + 1, things + 1, intent)) - 1)
            case "nothing" if things:
                return self._marking(_NOTHING)
            case "history":
                return Update(Push(History()))
            case "watch":
                return Update(intents=(StartWatching(model.name),))
            case "say":
                return Update(Push(ChatScreen()))
            case "help":
                return Update(Push(Help(self.state)))
            case "quit":
                return Update(Push(Quit()))
            case _:
                return wrong_key(model, key)

    def draw(self, model: Model, canvas: Canvas) -> None:
        """Draw the life in words and numbers, and the keepsakes.

        A victory has its own text, rim and colour.
        """
        life = self.life
        numbers = f"Depth {depth_text(life.depth)}  Level {life.level}  Experience {life.experience}"
        head = [self._end(model), *map(clean, life.life)]
        if not life.life:
            head += ["", f"{numbers}  Turns {life.turns}  Kills {life.kills}"]
        letters = _letters(model)
        kept = [
            f"{letters[at : at + 1]:1} {'>' if at == self.kept else '-'} {possessive(clean(name))}"
            for at, name in enumerate(life.keepsakes)
        ]
        marked = None
        if kept:
            kept = ["A keepsake for your heir:", *kept, f"- {'>' if self.kept < 0 else '-'} nothing"]
            marked = len(kept) - 1 if self.kept < 0 else self.kept + 1
        title, rim = ("You have won!", VICTORY_RIM) if life.won else ("You are dead", GRAVE_RIM)
        friend = friend_to_join(model)
        foot = "Enter begins a new life under the same name."
        if friend is not None:
            foot = f"Enter begins a new life, G begins it beside {clean(friend.name)} (depth {depth_text(friend.depth)})."
        draw_window(canvas, model, title, kept, marked, head=head, foot=foot, rim=rim)

    def hints(self, model: Model) -> list[tuple[str, str]]:
        """Return the keys of this screen."""
        letters = _letters(model)[: len(self.life.keepsakes)]
        alone = friend_to_join(model) is None
        keys = keymap.hints(model.options.keys, self.state)
        return [*with_letters(letters, "keepsake"), *(key for key in keys if not (alone and key[0] == "G"))]

    def _keepsake(self) -> int | None:
        """Return the index of the marked keepsake, None for none."""
        return self.kept if 0 <= self.kept < len(self.life.keepsakes) else None

    def _marking(self, at: int) -> Update:
        return Update(Replace(replace(self, kept=at)))

    def _end(self, model: Model) -> str:
        name, by = clean(model.name), clean(self.life.by)
        if self.life.won:
            return f"{name} has won by {by}!"
        return f"{name} {end_of_life(by)}."


def _letters(model: Model) -> str:
    """Return the letters of keepsakes: those without another meaning here."""
    taken = {key for row in keymap.rows(model.options.keys, "dead") for key in row.keys}
    return "".join(letter for letter in ascii_lowercase if letter not in taken)
