"""This user's own worlds: play one, begin one with a seed, or delete one."""

from dataclasses import dataclass, replace
from typing import Final

from gloam_client.input import keymap
from gloam_client.net.own_worlds import OwnWorld
from gloam_client.screens.common.confirm import Confirm
from gloam_client.screens.common.keyed_screen import KeyedScreen
from gloam_client.screens.common.text_field import EMPTY, TextField
from gloam_client.screens.common.window import draw_window, move_selection
from gloam_client.state.client_effects import DeleteWorld, GoTo, ShowMessage
from gloam_client.state.model import Model, Push, Replace, Update
from gloam_client.terminal.canvas import Canvas, Rect
from gloam_shared.text import clean

_SEED_DIGITS: Final = 18
_ABOUT: Final = {
    "gloam": "27 depths of caves, halls, warrens and crypts",
    "jsrogue": "six levels of caves and a boss",
    "rltut": "five levels; carry the teddy bear out",
    "ruggrogue": "rooms and corridors; each round is harder",
}


@dataclass(frozen=True, slots=True)
class WorldsScreen(KeyedScreen):
    """The campaigns with one marked, and the digits of a seed for a new world."""

    name: str
    marked: int = 0
    seed: TextField = EMPTY
    state: str = "worlds"

    def on_key(self, model: Model, key: str) -> Update:
        """Mark a campaign, type a seed, play or delete."""
        worlds = model.home.worlds
        world = worlds[min(self.marked, len(worlds) - 1)] if worlds else None
        match keymap.intent(model.options.keys, self.state, key):
            case "up" | "down" as intent:
                marked = move_selection(self.marked, len(worlds), intent)
                return Update(Replace(replace(self, marked=marked, seed=EMPTY)))
            case "take" if world is not None:
                wanted = int(self.seed.text) if self.seed.text and not world.exists else None
                return Update(intents=(GoTo(self.name, campaign=world.campaign, seed=wanted),))
            case "delete" if world is not None:
                return _ask_delete(world)
            case intent if (seed := self.seed.edited(intent)) is not None:
                return Update(Replace(replace(self, seed=seed)))
            case other if other is None and key.isdigit() and key.isascii():
                return self._seeded(world, key)
            case other:
                return self.answer(model, other, key)

    def draw(self, model: Model, canvas: Canvas) -> None:
        """Draw the campaigns, each with its world."""
        canvas.fill(Rect(0, 0, canvas.width, canvas.height))
        worlds = model.home.worlds
        marked = min(self.marked, len(worlds) - 1)
        lines = [_row(world) for world in worlds]
        foot = "Enter plays the marked one. D deletes its world, with all lives in it."
        typed = self.seed.with_cursor(_SEED_DIGITS + 1) if self.seed.text else ""
        if worlds and not worlds[marked].exists:
            foot = f"Enter begins a new world. Digits give it a seed: {typed or 'any'}"
        draw_window(canvas, model, "Your worlds", lines, marked, foot=foot)

    def _seeded(self, world: OwnWorld | None, digit: str) -> Update:
        if world is None or world.exists:
            words = "A world that exists has its seed; delete it to begin another."
            return Update(intents=(ShowMessage(words, "refused"),))
        return Update(Replace(replace(self, seed=self.seed.typed(digit, _SEED_DIGITS))))


def _ask_delete(world: OwnWorld) -> Update:
    if not world.exists:
        return Update(
            intents=(ShowMessage("There is no world of that campaign to delete; Enter begins one.", "quiet"),)
        )
    question = f"Delete the world of {clean(world.campaign)}, with every life and every level in it?"
    return Update(Push(Confirm(question, (DeleteWorld(world.campaign),))))


def _row(world: OwnWorld) -> str:
    state = "in play now" if world.running else "your world" if world.exists else "no world yet"
    return f"{clean(world.campaign):10.24} {state:13} {_ABOUT.get(world.campaign, 'your own campaign')}"
