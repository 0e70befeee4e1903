"""The list of items: carried ones to describe or use, and ones underfoot to pick up.

The keys of carried items are the server's slot letters (rules J10.9-J10.12).
"""

from dataclasses import dataclass, replace
from string import ascii_lowercase
from typing import Final, NamedTuple

from gloam_client.input import keymap
from gloam_client.render.gear_comparison import gear_changes
from gloam_client.screens.common.command_effects import command_effect, early_notice, message
from gloam_client.screens.common.keyed_screen import KeyedScreen
from gloam_client.screens.common.window import draw_window, move_selection, with_letters
from gloam_client.screens.lists.examine import Examine
from gloam_client.screens.lists.item_uses import USES, beside
from gloam_client.state.aiming import reaches_foe
from gloam_client.state.client_effects import RememberChoice, SpareLetter
from gloam_client.state.guidance.key_words import with_keys
from gloam_client.state.model import Model, Pop, Push, Replace, Update
from gloam_client.terminal.canvas import Canvas
from gloam_shared.narration.rendering import inventory_name, possessive
from gloam_shared.protocol.commands import PickUp
from gloam_shared.text import clean
from gloam_shared.view.danger import means_of
from gloam_shared.view.view import InventoryItem, ItemFlag, View

_IN_USE: Final = int(ItemFlag.WIELDED | ItemFlag.WORN | ItemFlag.PUT_ON)
_HANDLES_MAX: Final = 26
"""The most items in one command, and in an inventory."""


class Row(NamedTuple):
    """One line: `key` is the slot of a carried item, or the handle of a floor item.

    After the twenty-sixth item of a pile there are no letters; the mark reaches the rest.
    """

    key: int
    letter: str
    words: str
    name: str


_CAPTIONS: Final = {"inventory": "Inventory", "pick up": "Choose the items you wish to pickup"}
_STATES: Final = {"inventory": "inventory", "pick up": "pile"}
LIST_PURPOSES: Final = (*_CAPTIONS, *USES)
"""The intents of play that this screen serves."""


@dataclass(frozen=True, slots=True)
class ItemList(KeyedScreen):
    """A list of items for an intent of play; one is marked, and several of a pile may be selected."""

    purpose: str
    marked: int
    selected: frozenset[int] = frozenset()

    @property
    def state(self) -> str:
        """The state in the key table: looking at items, choosing one, or selecting from a pile."""
        return _STATES.get(self.purpose, "things")

    def on_key(self, model: Model, key: str) -> Update:
        """Choose or select by letter or mark, confirm, or go back."""
        rows = _rows(model, self.purpose)
        if not rows:
            return Update(Pop())
        lettered = next((row for row in rows if row.letter == key), None)
        if lettered is not None:
            return self._take(model, lettered.key)
        match keymap.intent(model.options.keys, self.state, key):
            case "up" | "down" as intent:
                at = move_selection(self._place(rows), len(rows), intent)
                return Update(Replace(replace(self, marked=rows[at].key)))
            case "toggle":
                return self._toggled(self.marked)
            case "all":
                every = frozenset(row.key for row in rows)
                return Update(
                    Replace(replace(self, selected=frozenset() if every <= self.selected else every))
                )
            case "take":
                return self._confirmed(model, rows)
            case other:
                return self.answer(model, other, key)

    def draw(self, model: Model, canvas: Canvas) -> None:
        """Draw the list with its letters; a "+" precedes each selected item."""
        rows = _rows(model, self.purpose)
        lines = [f"{row.letter:1} {'+' if row.key in self.selected else '-'} {row.words}" for row in rows]
        caption = _CAPTIONS.get(self.purpose) or USES[self.purpose].caption
        draw_window(canvas, model, caption, lines or ["nothing is left of it"], self._place(rows))

    def hints(self, model: Model) -> list[tuple[str, str]]:
        """Return the keys of the list."""
        word = {"things": "take that one", "pile": "select", "inventory": "describe an item"}[self.state]
        letters = "".join(row.letter for row in _rows(model, self.purpose))
        return [*with_letters(letters, word), *keymap.hints(model.options.keys, self.state)]

    def _place(self, rows: list[Row]) -> int:
        return next((at for at, row in enumerate(rows) if row.key == self.marked), 0)

    def _take(self, model: Model, key: int) -> Update:
        if self.state == "pile":
            return self._toggled(key)
        if self.state == "inventory":
            return Update(Push(Examine(key)))
        return _use_item(model, self.purpose, key)

    def _toggled(self, key: int) -> Update:
        return Update(Replace(replace(self, marked=key, selected=self.selected ^ {key})))

    def _confirmed(self, model: Model, rows: list[Row]) -> Update:
        """Send the command for the selected items that are still there."""
        if self.state == "pile":
            handles = tuple(row.key for row in rows if row.key in self.selected)
            if not handles:
                return Update(Pop())
            return command_effect(model, PickUp(handles[:_HANDLES_MAX]))._replace(change=Pop())
        if self.marked not in [row.key for row in rows]:
            return Update(Replace(replace(self, marked=rows[0].key)))
        return self._take(model, self.marked)


_DIRECT: Final = frozenset({"take off", "use", "eat", "wield", "zap", "put on"})
"""The intents that take the only item that fits without a list: there is nothing to choose."""
_KNOWN: Final = frozenset({"quaff", "read"})
"""The intents that do so with a known thing that does no harm: whether to try an unknown one is a choice."""


def open_list(model: Model, intent: str) -> Update:
    """Return the reaction to an intent about items: a list, a command if there is no choice, or a message."""
    if not model.in_dungeon:
        return early_notice()
    rows = _rows(model, intent)
    if not rows:
        return message(_nothing(model, intent))
    if intent == "give" and not beside(model):
        return message(
            with_keys(model, "No player stands beside you to take anything; {friend} goes to one.")
        )
    if len(rows) == 1 and intent == "pick up":
        return _without_list(command_effect(model, PickUp((rows[0].key,))), rows[0])
    if len(rows) == 1 and intent in _DIRECT | _KNOWN:
        only = _find_carried(model, rows[0].key)
        if intent in _DIRECT or (only.effect and not only.harms):
            return _without_list(USES[intent].act(model, only), rows[0])
    return Update(Push(ItemList(intent, _first_marked(model, intent, rows))))


def _without_list(used: Update, row: Row) -> Update:
    """Return the use of the only item, whose letter as the next key is no command: a habit types it."""
    return used._replace(intents=(*used.intents, SpareLetter(row.letter)))


def _first_marked(model: Model, intent: str, rows: list[Row]) -> int:
    """Return the item last used so, if it still makes sense.

    What is in use is thrown only by choice, and what is made for it comes first. A wand that reaches no foe comes last.
    """
    last = model.memory.choices.get(intent, "")
    if intent == "throw":
        spare = [item for item in model.view.inventory if not item.traits & _IN_USE]
        fits = [item.slot for item in spare if item.name == last]
        fits += [item.slot for _, item in means_of(model.view).missiles]
        return [*fits, *(item.slot for item in spare), rows[0].key][0]
    if intent == "zap":
        far = {item.slot for item in model.view.inventory if not reaches_foe(item, model.view)}
        rows = [row for row in rows if row.key not in far] or rows
    return next((row.key for row in rows if row.name == last), rows[0].key)


def _rows(model: Model, intent: str) -> list[Row]:
    view = model.view
    if intent == "pick up":
        # What stays where it is, such as a grave, is offered only alone: then the answer to the key says why it stays.
        offered = [item for item in view.pile if not item.traits & ItemFlag.BOUND] or view.pile
        return [
            Row(item.handle, ascii_lowercase[at : at + 1], possessive(clean(item.name)), item.name)
            for at, item in enumerate(offered)
        ]
    use = USES.get(intent)
    return [
        Row(item.slot, ascii_lowercase[item.slot], _words(view, item, lends=intent == "give"), item.name)
        for item in view.inventory
        if use is None or use.fits(model, item)
    ]


def _words(view: View, item: InventoryItem, *, lends: bool) -> str:
    """Return an item's name, and what changes if the player takes it up; its bonus if it is in use; whether it is only lent."""
    gains = [f"{word} {n:+}" for word, n in (("Atk", item.attack), ("Def", item.defence)) if n]
    changes = gear_changes(view, item)
    loan = ["(lend)"] if lends and item.traits & ItemFlag.BOUND else []
    return "  ".join([clean(inventory_name(item)), *([changes] if changes else gains), *loan])


def _nothing(model: Model, intent: str) -> str:
    if intent == "pick up":
        return with_keys(model, "There is nothing here to pick up; {find} lists what you have seen.")
    if intent == "inventory" or (intent != "drop" and not model.view.inventory):
        return with_keys(model, "You are not carrying anything! {explore} explores, and picks things up.")
    if intent == "read" and model.view.spells:
        cast = keymap.key_for(model.options.keys, "play", "cast")
        return f"{USES[intent].none} You need not read books: {cast} casts their spells."
    return with_keys(model, f"{USES[intent].none} {{inventory}} lists what you carry.")


def _find_carried(model: Model, slot: int) -> InventoryItem:
    return next(item for item in model.view.inventory if item.slot == slot)


def _use_item(model: Model, intent: str, slot: int) -> Update:
    """Return the use of an item: the list closes, or is replaced by the question that follows."""
    item = _find_carried(model, slot)
    done = USES[intent].act(model, item)
    change = Replace(done.change.screen) if isinstance(done.change, Push) else Pop()
    return Update(change, (*done.intents, RememberChoice(intent, item.name)))
