"""The list of things: what one carries, to look at, drop, eat, wield, wear or take off, and what lies underfoot.

The keys of one's belongings are the server's slot letters. The server decides; what plainly has no object is told here.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from string import ascii_lowercase
from typing import Final, NamedTuple

from gloam_client import keymap
from gloam_client.model import Model, Pop, Push, Reaction, Replace
from gloam_client.render.canvas import Canvas
from gloam_client.screens.help import Help
from gloam_client.screens.orders import note, order
from gloam_client.screens.window import draw_window, moved, wrong_key
from gloam_shared.commands import AnyCommand, Drop, Eat, PickUp, Wear, Wield
from gloam_shared.narration import inventory_name
from gloam_shared.text import clean
from gloam_shared.view import Carried, Trait

_HANDLES_MAX: Final = 26
"""As many as one command may name, and as one can carry."""


class Row(NamedTuple):
    """One line: `key` is the slot of a thing that one carries, or the handle of one that lies here.

    The twenty-seventh thing of a pile and those after it have no letter; the mark reaches them.
    """

    key: int
    letter: str
    words: str


class Use(NamedTuple):
    """What can be done with one's belongings: how it is asked, with which of them, how, and what is told for none."""

    caption: str
    fits: Callable[[int], bool]
    command: Callable[[Carried], AnyCommand]
    none: str


def _can_take_up(traits: int) -> bool:
    return _can_wield(traits) or bool(traits & Trait.WEARABLE and not traits & Trait.WORN)


def _can_wield(traits: int) -> bool:
    return bool(traits & Trait.WIELDABLE and not traits & Trait.WIELDED)


_USES: Final = {
    "drop": Use("Drop what?", lambda _: True, lambda thing: Drop(thing.slot), "You have nothing to drop!"),
    "eat": Use(
        "Eat what?",
        lambda traits: bool(traits & Trait.EDIBLE),
        lambda thing: Eat(thing.slot),
        "You have nothing to eat.",
    ),
    "wield": Use(
        "Wield or wear what?",
        _can_take_up,
        lambda thing: Wield(thing.slot) if _can_wield(thing.traits) else Wear(thing.slot),
        "You have nothing else to wield or wear.",
    ),
    "take off": Use(
        "Take off what?",
        lambda traits: bool(traits & (Trait.WIELDED | Trait.WORN)),
        lambda thing: Wield() if thing.traits & Trait.WIELDED else Wear(),
        "You are neither wielding nor wearing anything.",
    ),
}
_CAPTIONS: Final = {"inventory": "Inventory", "pick up": "Pick up what?"}
_STATES: Final = {"inventory": "inventory", "pick up": "pile"}
WISHES: Final = (*_CAPTIONS, *_USES)
"""The intents of play that this screen serves."""


@dataclass(frozen=True, slots=True)
class Things:
    """A list of things for an intent of play; one is marked, and of a pile several may be selected."""

    wish: str
    marked: int
    selected: frozenset[int] = frozenset()

    @property
    def state(self) -> str:
        """Looking at one's belongings, choosing one of them, or selecting of a pile."""
        return _STATES.get(self.wish, "things")

    def on_key(self, model: Model, key: str) -> Reaction:
        """Choose or select by letter or mark, confirm, or go back."""
        rows = _rows(model, self.wish)
        if not rows:
            return Reaction(Pop())
        lettered = next((row for row in rows if row.letter == key), None)
        if lettered is not None and self.wish != "inventory":
            return self._take(model, lettered.key)
        match keymap.intent(model.options.keys, self.state, key):
            case "up" | "down" as intent:
                at = moved(self._place(rows), len(rows), intent)
                return Reaction(Replace(replace(self, marked=rows[at].key)))
            case "toggle":
                return self._toggled(self.marked)
            case "all":
                every = frozenset(row.key for row in rows)
                return Reaction(
                    Replace(replace(self, selected=frozenset() if self.selected >= every else every))
                )
            case "take":
                return self._confirmed(model, rows)
            case "help":
                return Reaction(Push(Help(self.state)))
            case "back":
                return Reaction(Pop())
            case _:
                return wrong_key(model, key)

    def draw(self, model: Model, canvas: Canvas) -> None:
        """Draw the list with its letters; a "+" stands before what is selected."""
        rows = _rows(model, self.wish)
        lines = [f"{row.letter:1} {'+' if row.key in self.selected else '-'} {row.words}" for row in rows]
        caption = _CAPTIONS.get(self.wish) or _USES[self.wish].caption
        draw_window(canvas, model, caption, lines or ["nothing is left of it"], self._place(rows))

    def hints(self, model: Model) -> list[tuple[str, str]]:
        """Return the keys of the list."""
        word = {"things": "take that one", "pile": "select"}.get(self.state)
        letters = [("a-z", word)] if word else []
        return [*letters, *keymap.hints(model.options.keys, self.state)]

    def _place(self, rows: list[Row]) -> int:
        return next((at for at, row in enumerate(rows) if row.key == self.marked), 0)

    def _take(self, model: Model, key: int) -> Reaction:
        return self._toggled(key) if self.state == "pile" else _used(model, self.wish, key)

    def _toggled(self, key: int) -> Reaction:
        return Reaction(Replace(replace(self, marked=key, selected=self.selected ^ {key})))

    def _confirmed(self, model: Model, rows: list[Row]) -> Reaction:
        """Send what was asked for, of what is still there."""
        if self.state == "pile":
            handles = tuple(row.key for row in rows if row.key in self.selected)
            if not handles:
                return note("Nothing is selected: a letter selects, Esc leaves it all.", "quiet")
            return _closing(order(model, PickUp(handles[:_HANDLES_MAX])))
        if self.marked not in [row.key for row in rows]:
            return Reaction(Replace(replace(self, marked=rows[0].key)))
        return _used(model, self.wish, self.marked)


def opened(model: Model, wish: str) -> Reaction:
    """Return what an intent of play does that is about things: a list, a command where no choice is, or a word."""
    rows = _rows(model, wish)
    if not rows:
        return note(_nothing(model, wish))
    if len(rows) == 1 and wish == "pick up":
        return order(model, PickUp((rows[0].key,)))
    if len(rows) == 1 and wish == "take off":
        return _used(model, wish, rows[0].key)._replace(change=None)
    return Reaction(Push(Things(wish, rows[0].key)))


def _rows(model: Model, wish: str) -> list[Row]:
    view = model.view
    if wish == "pick up":
        return [
            Row(thing.handle, ascii_lowercase[at : at + 1], clean(thing.name))
            for at, thing in enumerate(view.pile)
        ]
    use = _USES.get(wish)
    return [
        Row(thing.slot, ascii_lowercase[thing.slot], _words(thing))
        for thing in view.inventory
        if use is None or use.fits(thing.traits)
    ]


def _words(thing: Carried) -> str:
    """Return a thing's name, and what it adds while it is wielded or worn."""
    gains = [f"{word} {n:+}" for word, n in (("Atk", thing.attack), ("Def", thing.defence)) if n]
    return "  ".join([clean(inventory_name(thing)), *gains])


def _nothing(model: Model, wish: str) -> str:
    if wish == "pick up":
        return "There is nothing here to pick up."
    if wish == "inventory" or (wish != "drop" and not model.view.inventory):
        return "You are not carrying anything!"
    return _USES[wish].none


def _used(model: Model, wish: str, slot: int) -> Reaction:
    thing = next(thing for thing in model.view.inventory if thing.slot == slot)
    return _closing(order(model, _USES[wish].command(thing)))


def _closing(reaction: Reaction) -> Reaction:
    return reaction._replace(change=Pop())
