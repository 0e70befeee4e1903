"""The dungeons of a host that has several: the player chooses one before the login."""

from dataclasses import dataclass, replace

from gloam_client.input import keymap
from gloam_client.net.many_dungeons import Dungeon, safe_dungeons
from gloam_client.screens.common.lettered_list import answer_list_key, list_hints, with_own_letters
from gloam_client.screens.common.window import draw_window, in_columns
from gloam_client.screens.lists.ladder import LadderScreen
from gloam_client.state.client_effects import ClientEffect, GoTo, ProbeServer, ShowMessage, StopWatching
from gloam_client.state.client_events import DungeonsReceived
from gloam_client.state.home import Home
from gloam_client.state.model import Model, Push, Update
from gloam_client.state.players.ladder import LadderOwner
from gloam_client.terminal.canvas import Canvas, Rect, fit_text
from gloam_client.user_files.address import Address

_NAME_CELLS = 32
_TITLE_CELLS = 24


@dataclass(frozen=True, slots=True)
class DungeonsScreen:
    """The dungeons of the host at `address`, one of them marked; `watches` says what for."""

    address: Address
    dungeons: tuple[Dungeon, ...]
    watches: bool
    marked: int = 0
    state: str = "dungeons"

    def on_key(self, model: Model, key: str) -> Update:
        """Go into a dungeon by letter or mark, look at its ladder, ask again, or go back."""
        match keymap.intent(model.options.keys, self.state, key):
            case "again":
                return Update(intents=(GoTo(model.name, self.address, watches=self.watches),))
            case "ladder":
                owner = LadderOwner(self.dungeons[self.marked].address)
                ladder = LadderScreen(model.name, owner)
                return Update(Push(ladder), ladder.asks(model))
            case "back":
                return Update(intents=(StopWatching(),))
        return answer_list_key(
            model,
            key,
            self,
            self.dungeons,
            self.marked,
            lambda at: self._go(model, self.dungeons[at]),
            lambda at: replace(self, marked=at),
        )

    def draw(self, model: Model, canvas: Canvas) -> None:
        """Draw the dungeons, each as its server answers now."""
        canvas.fill(Rect(0, 0, canvas.width, canvas.height))
        lines = in_columns([_cells(model.home, each) for each in self.dungeons])
        foot = "Enter watches there." if self.watches else "Enter goes into the marked one."
        draw_window(
            canvas, model, f"Dungeons of {self.address.host}", with_own_letters(lines), self.marked, foot=foot
        )

    def hints(self, model: Model) -> list[tuple[str, str]]:
        """Return the keys of the list."""
        return list_hints(model, self, self.dungeons, "go into that one")

    def _go(self, model: Model, dungeon: Dungeon) -> Update:
        if not dungeon.served:
            words = f"No server has {dungeon.name} open now; Ctrl-R asks again."
            return Update(intents=(ShowMessage(words, "refused"),))
        return Update(intents=(GoTo(model.name, dungeon.address, watches=self.watches, chosen=True),))


def offer_dungeons(received: DungeonsReceived) -> Update:
    """Return the list of the dungeons, with the dialed one marked; each server is asked who plays there."""
    found = safe_dungeons(received.address, received.found)
    marked = next((at for at, each in enumerate(found) if each.address == received.address), 0)
    probes: tuple[ClientEffect, ...] = tuple(ProbeServer(each.address) for each in found if each.served)
    return Update(Push(DungeonsScreen(received.address, found, received.watches, marked)), probes)


def _cells(home: Home, dungeon: Dungeon) -> tuple[str, ...]:
    status = home.status(str(dungeon.address))
    if not dungeon.served:
        now = "not served now"
    elif status is None:
        now = "asking ..."
    else:
        now = "no answer" if isinstance(status, str) else f"{status.players} playing, {status.ms} ms"
    return fit_text(dungeon.name, _NAME_CELLS), fit_text(dungeon.title, _TITLE_CELLS), now
