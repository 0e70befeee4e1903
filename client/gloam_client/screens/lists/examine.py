"""The description of an inventory item in words and numbers, and its uses.

Costs no time (rules JG.21, TG.29).
"""

from dataclasses import dataclass, replace
from string import ascii_lowercase

from gloam_client.input import keymap
from gloam_client.render.descriptions import describe_inventory_item
from gloam_client.render.gear_comparison import comparison
from gloam_client.render.layout import layout
from gloam_client.screens.common.keyed_screen import KeyedScreen
from gloam_client.screens.common.window import draw_window, move_selection
from gloam_client.screens.lists.item_uses import USES
from gloam_client.state.model import Model, Pop, Push, Replace, Update
from gloam_client.terminal.canvas import Canvas, wrap_text
from gloam_shared.narration.rendering import with_count
from gloam_shared.text import clean
from gloam_shared.view.view import InventoryItem


@dataclass(frozen=True, slots=True)
class Examine(KeyedScreen):
    """The description of the item in a slot."""

    slot: int
    state: str = "examine"

    def on_key(self, model: Model, key: str) -> Update:
        """Use the item, go to the next one, or go back to the list."""
        item = self._thing(model)
        intent = keymap.intent(model.options.keys, self.state, key)
        if item is None or intent == "back":
            return Update(Pop())
        if intent in USES and USES[intent].fits(model, item):
            return _instead(USES[intent].act(model, item))
        match intent:
            case "up" | "down":
                slots = [item.slot for item in model.view.inventory]
                at = move_selection(slots.index(self.slot), len(slots), intent)
                return Update(Replace(replace(self, slot=slots[at])))
            case other:
                return self.answer(model, other, key)

    def draw(self, model: Model, canvas: Canvas) -> None:
        """Draw the description, and below it the uses with their keys."""
        item = self._thing(model)
        width = layout(*model.surface.size).overlay.width - 6
        if item is None:
            draw_window(canvas, model, "An item", ["it is gone"])
            return
        told = [*describe_inventory_item(item), *filter(None, [comparison(model.view, item)])]
        lines = [line for words in told for line in wrap_text(words, width)]
        uses = [f"{key:3} {word}" for key, word in self._uses(model, item)]
        title = f"{ascii_lowercase[item.slot]} - {clean(with_count(item.name, item.count))}"
        draw_window(canvas, model, title, [*lines, "", *uses])

    def hints(self, model: Model) -> list[tuple[str, str]]:
        """Return the keys for this item."""
        item = self._thing(model)
        uses = self._uses(model, item) if item else []
        intents = ("down", "back", "help")
        return [*uses, *keymap.hints(model.options.keys, self.state, intents)]

    def _thing(self, model: Model) -> InventoryItem | None:
        return next((item for item in model.view.inventory if item.slot == self.slot), None)

    def _uses(self, model: Model, item: InventoryItem) -> list[tuple[str, str]]:
        fit = [intent for intent, use in USES.items() if use.fits(model, item)]
        return keymap.hints(model.options.keys, self.state, fit)


def _instead(done: Update) -> Update:
    """Return the use of the item: on top of this screen, or replacing it."""
    return done._replace(change=Replace(done.change.screen) if isinstance(done.change, Push) else Pop())
