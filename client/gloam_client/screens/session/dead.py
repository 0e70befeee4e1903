"""The end of a life: its cause of death or victory, and its statistics. Enter begins the next life.

The heir may carry one of the offered keepsakes (rules JG.24, TG.30, RG.30).
"""

from collections import Counter
from dataclasses import dataclass, replace
from string import ascii_lowercase

from msgspec import structs

from gloam_client.input import keymap
from gloam_client.screens.common import window
from gloam_client.screens.common.help import Help
from gloam_client.screens.lists.ladder import open_ladder
from gloam_client.screens.lists.message_history import History
from gloam_client.screens.session.chat_line import ChatScreen
from gloam_client.screens.session.death_pages import NO_RECAP, life_lines, recap_lines, whereabouts
from gloam_client.screens.session.quit import Quit
from gloam_client.state.client_effects import SendMessage, ShowMessage, StartWatching, WriteDump
from gloam_client.state.model import Model, Push, Replace, Screen, Update
from gloam_client.state.players.joining_friends import friend_to_join
from gloam_client.terminal.canvas import GRAVE_RIM, VICTORY_RIM, Canvas
from gloam_shared.narration.rendering import depth_text, end_of_life, possessive, with_definite_article
from gloam_shared.protocol.messages.lives import Died, JoinFriend, NewLife, Recap
from gloam_shared.text import clean

_NOTHING = -1


@dataclass(frozen=True, slots=True)
class DeathScreen:
    """The ended life; `kept` is the row of the marked keepsake, -1 for none, and `page` the one that is open."""

    life: Died
    kept: int = 0
    recap: Recap = NO_RECAP
    page: int = 0
    state: str = "dead"

    def on_key(self, model: Model, key: str) -> Update:
        """Mark a keepsake, turn the page, begin a new life, read, write a dump, chat or leave."""
        items = len(self._rows())
        at = _letters(model).find(key) if len(key) == 1 else -1
        if 0 <= at < items:
            return self._marking(at)
        match keymap.intent(model.options.keys, self.state, key):
            case "again":
                return Update(intents=(SendMessage(NewLife(model.login.life, self._keepsake())),))
            case "join" if friend_to_join(model) is not None:
                return Update(intents=(SendMessage(JoinFriend(model.login.life, self._keepsake())),))
            case "up" | "down" as intent if items:
                return self._marking((window.move_selection(self.kept + 1, items + 1, intent)) - 1)
            case "nothing" if items:
                return self._marking(_NOTHING)
            case "turn":
                page = (self.page + 1) % len(self._pages(model))
                return Update(Replace(replace(self, page=page)))
            case "dump":
                return Update(intents=(WriteDump(),))
            case "ladder":
                return open_ladder(model)
            case "watch":
                return Update(intents=(StartWatching(model.name),))
            case other:
                return _common(model, self.state, other, key)

    def draw(self, model: Model, canvas: Canvas) -> None:
        """Draw the open page: the end and the keepsakes, the life and its line, or the place on the map."""
        pages = self._pages(model)
        page = pages[min(self.page, len(pages) - 1)]
        words = "You have won!" if self.life.won else "You are dead"
        title = f"{words} ({self.page + 1} of {len(pages)})" if len(pages) > 1 else words
        if page == "place":
            window.draw_question(
                canvas, model, f"{title}: this is where, on depth {depth_text(self.life.depth)}."
            )
            return
        rim = VICTORY_RIM if self.life.won else GRAVE_RIM
        if page == "life":
            window.draw_window(canvas, model, title, [], head=life_lines(self.life, self.recap), rim=rim)
            return
        told = (
            [*whereabouts(self.life), *recap_lines(self.recap, model.view)] if self.recap != NO_RECAP else []
        )
        head = [self._end(model), *(told or life_lines(self.life, self.recap))]
        kept, marked = self._keepsakes(model)
        window.draw_window(canvas, model, title, kept, marked, head=head, foot=self._foot(model), rim=rim)

    def _pages(self, model: Model) -> list[str]:
        """Return the pages that there is something for."""
        life = ["life"] if self.recap != NO_RECAP else []
        return ["end", *life, *(["place"] if model.in_dungeon else [])]

    def _keepsakes(self, model: Model) -> tuple[list[str], int | None]:
        """Return the lines of the keepsakes, and which is marked."""
        if model.world.one_life:
            return [], None
        letters = _letters(model)
        kept = [
            f"{letters[at : at + 1]:1} {'>' if at == self.kept else '-'} {_one_of(name, count)}"
            for at, (name, count) in enumerate(self._rows().items())
        ]
        if not kept:
            return [], None
        kept = ["A keepsake for your heir:", *kept, f"- {'>' if self.kept < 0 else '-'} nothing"]
        return kept, len(kept) - 1 if self.kept < 0 else self.kept + 1

    def _foot(self, model: Model) -> str:
        if model.world.one_life:
            return (
                "It was the one life in the seed of the day. Q leaves, and prints the line for your friends."
            )
        friend = friend_to_join(model)
        if friend is None:
            return "Enter begins a new life under the same name."
        return f"Enter begins a new life, G begins it beside {clean(friend.name)} (depth {depth_text(friend.depth)})."

    def hints(self, model: Model) -> list[tuple[str, str]]:
        """Return the keys of this screen."""
        letters = "" if model.world.one_life else _letters(model)[: len(self._rows())]
        dead_keys = (
            {"Enter", "G"} if model.world.one_life else {"G"} if friend_to_join(model) is None else set()
        )
        keys = keymap.hints(model.options.keys, self.state)
        return [*window.with_letters(letters, "keepsake"), *(key for key in keys if key[0] not in dead_keys)]

    def _rows(self) -> Counter[str]:
        """Return the names of the keepsakes, the best first, with the number of equal ones: each is one row."""
        return Counter(self.life.keepsakes)

    def _name(self, row: int) -> str | None:
        """Return the name of the keepsake of a row, None for none."""
        return next((name for at, name in enumerate(self._rows()) if at == row), None)

    def _keepsake(self) -> int | None:
        """Return the server's index of the marked keepsake, None for none."""
        name = self._name(self.kept)
        return None if name is None else self.life.keepsakes.index(name)

    def _marking(self, at: int) -> Update:
        name = self._name(at)
        takes = "no keepsake" if name is None else with_definite_article(possessive(clean(name)))
        return Update(Replace(replace(self, kept=at)), (ShowMessage(f"Your heir takes {takes}."),))

    def _end(self, model: Model) -> str:
        name, by = clean(model.name), clean(self.life.by)
        if self.life.won:
            return f"{name} has won by {by}!"
        return f"{name} {end_of_life(by)}."


def _one_of(name: str, count: int) -> str:
    """Return the words of a keepsake, of which the heir takes one: "ration (one of 3)"."""
    return f"{possessive(clean(name))}{f' (one of {count})' if count > 1 else ''}"


def _common(model: Model, state: str, intent: str | None, key: str) -> Update:
    """Answer the keys that open another screen."""
    screens: dict[str, Screen] = {
        "history": History(),
        "say": ChatScreen(),
        "help": Help(state),
        "quit": Quit(),
    }
    screen = screens.get(intent or "")
    return window.wrong_key(model, key) if screen is None else Update(Push(screen))


def _letters(model: Model) -> str:
    """Return the letters of keepsakes: those without another meaning here."""
    taken = {key for row in keymap.rows(model.options.keys, "dead") for key in row.keys}
    return "".join(letter for letter in ascii_lowercase if letter not in taken)


def take_recap(model: Model, recap: Recap) -> Model:
    """Return the model with a recap on the screen of the life's end."""
    screens = tuple(
        replace(screen, recap=recap) if isinstance(screen, DeathScreen) else screen
        for screen in model.screens
    )
    return structs.replace(model, screens=screens)
