"""The choice of a kit at the start of a life, where the campaign offers it: one key; Esc keeps the usual kit (rule F96).

Until the first command the key of choices opens it again.
"""

from dataclasses import dataclass, replace
from typing import Final

from msgspec import structs

from gloam_client.input import keymap
from gloam_client.input.key_table import BEACON_HINT
from gloam_client.render.layout import layout
from gloam_client.screens.common.lettered_list import answer_list_key, list_hints, with_own_letters
from gloam_client.screens.common.window import draw_window, in_columns
from gloam_client.screens.session.beacon_screen import BEACONS_MAX, BeaconScreen
from gloam_client.state.client_effects import SendMessage, ShowMessage
from gloam_client.state.model import Model, Pop, Push, Update, push_below_line
from gloam_client.terminal.canvas import Canvas
from gloam_shared.protocol.messages.lives import BeaconOffer, ChooseKit, KitOffer
from gloam_shared.text import cells, clean

_RIMS: Final = 4
"""The columns of a window beside its lines."""
_KITS_MAX: Final = 12
"""The most kits that are shown, as many as a campaign can have."""


@dataclass(frozen=True, slots=True)
class KitScreen:
    """The offered kits of life `life`, with one marked."""

    life: int
    kits: tuple[KitOffer, ...]
    marked: int = 0
    state: str = "kits"

    def on_key(self, model: Model, key: str) -> Update:
        """Choose a kit by letter or mark, or keep the usual one for now."""
        if keymap.intent(model.options.keys, self.state, key) == "back":
            later = keymap.key_for(model.options.keys, "play", "choose")
            words = f"You can choose until your first command: {later}."
            return Update(Pop(), (ShowMessage(words, "quiet"),))
        if keymap.intent(model.options.keys, self.state, key) == "beacons" and model.login.beacons:
            return Update(Push(BeaconScreen(self.life, model.login.beacons)))
        return answer_list_key(
            model,
            key,
            self,
            self.kits,
            self.marked,
            lambda at: self._take(model, at),
            lambda at: replace(self, marked=at),
        )

    def draw(self, model: Model, canvas: Canvas) -> None:
        """Draw the kits with their letters: each with its sentence if there is room, else the marked one with its sentence below."""
        names, words = [clean(kit.name) for kit in self.kits], [clean(kit.words) for kit in self.kits]
        whole = with_own_letters(in_columns(list(zip(names, words, strict=True))))
        wide = max(map(cells, whole)) + _RIMS <= layout(*model.surface.size).overlay.width
        lines, foot = (whole, "") if wide else (with_own_letters(names), words[self.marked])
        again = " (Enter: as last time)" if self.kits[self.marked].last else ""
        draw_window(canvas, model, f"Choose your kit{again}", lines, self.marked, foot=foot)

    def hints(self, model: Model) -> list[tuple[str, str]]:
        """Return the keys of the choice."""
        hints = list_hints(model, self, self.kits, "take that one")
        return hints if model.login.beacons else [each for each in hints if each[1] != BEACON_HINT]

    def _take(self, model: Model, at: int) -> Update:
        items = keymap.key_for(model.options.keys, "play", "inventory")
        chosen = f"You choose: {clean(self.kits[at].name)}. {items} shows what you carry."
        return Update(Pop(), (SendMessage(ChooseKit(self.life, at)), ShowMessage(chosen, "quiet")))


def kit_screen(life: int, kits: tuple[KitOffer, ...]) -> KitScreen:
    """Return the choice of a kit, with the player's last one marked, so that Enter takes it again."""
    return KitScreen(life, kits, next((at for at, kit in enumerate(kits) if kit.last), 0))


def offer_kits(
    model: Model, life: int, kits: tuple[KitOffer, ...], beacons: tuple[BeaconOffer, ...] = ()
) -> Model:
    """Return the model with the choice of a kit, else of a beacon, open if this life may still choose one."""
    kits, beacons = kits[:_KITS_MAX], beacons[:BEACONS_MAX]
    model = structs.replace(
        model,
        screens=tuple(each for each in model.screens if each.state not in ("kits", "beacons")),
        login=structs.replace(model.login, kits=kits, beacons=beacons),
    )
    if kits:
        return push_below_line(model, kit_screen(life, kits))
    return push_below_line(model, BeaconScreen(life, beacons)) if beacons else model
