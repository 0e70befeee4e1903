"""The player's spells with their costs; the list remembers the last one cast.

Costs no time until one is cast.
"""

from dataclasses import dataclass, replace
from string import ascii_lowercase

from gloam_client.input import keymap
from gloam_client.render.descriptions import describe_aim
from gloam_client.screens.common.command_effects import command_effect, early_notice, message
from gloam_client.screens.common.keyed_screen import KeyedScreen
from gloam_client.screens.common.window import draw_window, move_selection, with_letters
from gloam_client.screens.map.target import aim_at
from gloam_client.state.aiming import Aim
from gloam_client.state.client_effects import RememberChoice
from gloam_client.state.guidance.key_words import with_keys
from gloam_client.state.model import Model, Pop, Push, Replace, Update
from gloam_client.terminal.canvas import Canvas
from gloam_shared.protocol.commands import Cast
from gloam_shared.text import clean
from gloam_shared.view.view import Spell, Stat

_LIST = "spells"


@dataclass(frozen=True, slots=True)
class Spells(KeyedScreen):
    """The list; `marked` is the key of a spell."""

    marked: str
    state: str = "spells"

    def on_key(self, model: Model, key: str) -> Update:
        """Cast by letter or mark, or go back."""
        spells = model.view.spells
        if not spells:
            return Update(Pop())
        at = ascii_lowercase.find(key)
        if len(key) == 1 and 0 <= at < len(spells):
            return cast(model, spells[at])
        match keymap.intent(model.options.keys, self.state, key):
            case "take":
                return cast(model, spells[self._place(model)])
            case "up" | "down" as intent:
                at = move_selection(self._place(model), len(spells), intent)
                return Update(Replace(replace(self, marked=spells[at].key)))
            case other:
                return self.answer(model, other, key)

    def draw(self, model: Model, canvas: Canvas) -> None:
        """Draw the spells with letters and costs, unusable ones faint with the reason, and one description."""
        spells = model.view.spells
        lines = [
            f"{ascii_lowercase[at : at + 1]:1} - {spell_words(spell)}{_shortage(model, spell)}"
            for at, spell in enumerate(spells)
        ]
        faint = frozenset(at for at, spell in enumerate(spells) if _shortage(model, spell))
        place = self._place(model)
        foot = clean(spells[place].words) if spells else ""
        mana = f"Cast what? Mana {model.fact(Stat.MANA)} of {model.fact(Stat.MANA_MAX)}"
        draw_window(canvas, model, mana, lines or ["you know no spells"], place, faint=faint, foot=foot)

    def hints(self, model: Model) -> list[tuple[str, str]]:
        """Return the keys of the list."""
        letters = with_letters(ascii_lowercase[: len(model.view.spells)], "cast that one")
        return [*letters, *keymap.hints(model.options.keys, self.state)]

    def _place(self, model: Model) -> int:
        keys = [spell.key for spell in model.view.spells]
        return keys.index(self.marked) if self.marked in keys else 0


def open_list(model: Model) -> Update:
    """Return the list of spells with the last one cast marked, or a message if there are none."""
    if not model.view.spells:
        return (
            message("You know no spells: levels, books and scrolls teach some.")
            if model.in_dungeon
            else early_notice()
        )
    return Update(Push(Spells(model.memory.choices.get(_LIST, ""))))


def cast(model: Model, spell: Spell) -> Update:
    """Return the casting of a spell, or the cursor to aim it with, or why it cannot be cast now."""
    if _shortage(model, spell):
        needs = f"You need {spell.cost} mana for that, and have {model.fact(Stat.MANA)}"
        return message(with_keys(model, f"{needs}: {{rest}} rests until it has come back."))
    kept = RememberChoice(_LIST, spell.key)
    if spell.target in ("", "self"):
        done = command_effect(model, Cast(spell.key))
        return done._replace(change=Pop(), intents=(*done.intents, kept))
    name = clean(spell.name)
    aim = Aim(
        f"Cast {name}", spell.name, Cast(spell.key), spell.target, spell.range, spell.radius, spell.harms
    )
    cursor = aim_at(model, aim)
    assert isinstance(cursor.change, Push)
    return Update(Replace(cursor.change.screen), (kept,))


def spell_words(spell: Spell) -> str:
    """Return a spell in a line: its name, its cost, and what it is aimed at."""
    return f"{clean(spell.name)}  {spell.cost} mana, {describe_aim(spell.target, spell.range, spell.radius)}"


def _shortage(model: Model, spell: Spell) -> str:
    missing = spell.cost - model.fact(Stat.MANA)
    return f" ({missing} short)" if missing > 0 else ""
