"""The choice of a lit beacon where a life begins, by one key; Esc begins at the entrance (rule F188).

Until the first command the choice of a kit leads to it, and so does the key of choices.
"""

from dataclasses import dataclass, replace
from typing import Final

from gloam_client.input import keymap
from gloam_client.screens.common.lettered_list import answer_list_key, list_hints, with_own_letters
from gloam_client.screens.common.window import draw_window
from gloam_client.state.client_effects import SendMessage, ShowMessage
from gloam_client.state.model import Model, Pop, Update
from gloam_client.terminal.canvas import Canvas
from gloam_shared.protocol.messages.lives import BeaconOffer, BeginAtBeacon
from gloam_shared.text import clean

BEACONS_MAX: Final = 24
"""The most beacons that are shown: with the entrance each has a letter."""


@dataclass(frozen=True, slots=True)
class BeaconScreen:
    """The lit beacons that are offered to life `life`, below the entrance, with one line marked."""

    life: int
    beacons: tuple[BeaconOffer, ...]
    marked: int = 0
    state: str = "beacons"

    def on_key(self, model: Model, key: str) -> Update:
        """Begin at a beacon by letter or mark, or stay at the entrance."""
        if keymap.intent(model.options.keys, self.state, key) == "back":
            return Update(Pop())
        return answer_list_key(
            model,
            key,
            self,
            self._lines(),
            self.marked,
            self._take,
            lambda at: replace(self, marked=at),
        )

    def draw(self, model: Model, canvas: Canvas) -> None:
        """Draw the entrance and the beacons with their letters."""
        lines = with_own_letters(self._lines())
        draw_window(canvas, model, "Where to begin", lines, self.marked)

    def hints(self, model: Model) -> list[tuple[str, str]]:
        """Return the keys of the choice."""
        return list_hints(model, self, self._lines(), "begin there")

    def _lines(self) -> list[str]:
        places = [
            f"{clean(each.name).removeprefix('the ')}: depth {each.depth}, level {each.level}"
            for each in self.beacons
        ]
        return ["the entrance", *places]

    def _take(self, at: int) -> Update:
        if not at:
            return Update(Pop())
        beacon = self.beacons[at - 1]
        begun = f"You choose: {clean(beacon.name)}, depth {beacon.depth}. You begin there, at level {beacon.level}."
        asked = SendMessage(BeginAtBeacon(self.life, beacon.depth))
        return Update(Pop(), (asked, ShowMessage(begun, "quiet")))
