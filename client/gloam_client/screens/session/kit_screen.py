"""The choice of a kit at the start of a life, where the campaign offers it: one key; Esc keeps the usual kit (rule F96)."""

from dataclasses import dataclass, replace
from string import ascii_lowercase

from gloam_client.input import keymap
from gloam_client.screens.common.help import answer_common_key
from gloam_client.screens.common.window import draw_window, move_selection, with_letters
from gloam_client.state.client_effects import SendMessage, ShowMessage
from gloam_client.state.model import Model, Pop, Push, Replace, Update, apply_change
from gloam_client.terminal.canvas import Canvas
from gloam_shared.protocol.kit_messages import ChooseKit, KitOffer
from gloam_shared.text import clean

_KITS_MAX = 9
"""The most kits that are shown, as many as a campaign can have."""


@dataclass(frozen=True, slots=True)
class KitScreen:
    """The offered kits of life `life`, with one marked."""

    life: int
    kits: tuple[KitOffer, ...]
    marked: int = 0
    state: str = "kits"

    def on_key(self, model: Model, key: str) -> Update:
        """Choose a kit by letter or mark, or keep the usual one."""
        at = ascii_lowercase.find(key)
        if len(key) == 1 and 0 <= at < len(self.kits):
            return self._take(model, at)
        match keymap.intent(model.options.keys, self.state, key):
            case "take":
                return self._take(model, self.marked)
            case "up" | "down" as intent:
                return Update(
                    Replace(replace(self, marked=move_selection(self.marked, len(self.kits), intent)))
                )
            case other:
                return answer_common_key(model, self.state, other, key)

    def draw(self, model: Model, canvas: Canvas) -> None:
        """Draw the names of the kits with their letters, and below them the sentence of the marked one."""
        lines = [f"{ascii_lowercase[at]} - {clean(kit.name)}" for at, kit in enumerate(self.kits)]
        draw_window(
            canvas, model, "Choose your kit", lines, self.marked, foot=clean(self.kits[self.marked].words)
        )

    def hints(self, model: Model) -> list[tuple[str, str]]:
        """Return the keys of the choice."""
        letters = with_letters(ascii_lowercase[: len(self.kits)], "take that one")
        return [*letters, *keymap.hints(model.options.keys, self.state)]

    def _take(self, model: Model, at: int) -> Update:
        items = keymap.key_for(model.options.keys, "play", "inventory")
        chosen = f"You choose: {clean(self.kits[at].name)}. {items} shows what you carry."
        return Update(Pop(), (SendMessage(ChooseKit(self.life, at)), ShowMessage(chosen, "quiet")))


def offer_kits(model: Model, life: int, kits: tuple[KitOffer, ...]) -> Model:
    """Return the model with the choice of a kit open if this life may still choose one, else without it."""
    model = replace(model, screens=tuple(each for each in model.screens if each.state != "kits"))
    return apply_change(model, Push(KitScreen(life, kits[:_KITS_MAX]))) if kits else model
