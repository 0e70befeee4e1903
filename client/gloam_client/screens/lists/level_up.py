"""The level-up choice: never forced, kept until made (rules J14.9, T14.9). Costs no time."""

from dataclasses import dataclass, replace

from msgspec import structs

from gloam_client.input import keymap
from gloam_client.render.gain_words import gain_words
from gloam_client.render.layout import layout
from gloam_client.screens.common.help import Help
from gloam_client.screens.common.window import draw_window, move_selection, with_letters, wrong_key
from gloam_client.state.client_effects import SendCommand, ShowMessage
from gloam_client.state.model import Model, Pop, Push, Replace, Update, add_message
from gloam_client.terminal.canvas import Canvas
from gloam_shared.narration.rendering import capital
from gloam_shared.protocol.commands import Choose, ChooseFor
from gloam_shared.text import cells, clean, pad
from gloam_shared.view.view import Stat

_LETTERS = "abcdefghi"
_DIGITS = "123456789"


@dataclass(frozen=True, slots=True)
class LevelUpScreen:
    """The offered options with one marked."""

    marked: int = 0
    state: str = "choose"

    def on_key(self, model: Model, key: str) -> Update:
        """Choose an option by letter, digit or mark, or leave it for later."""
        choices = model.view.choices
        if not choices:
            return Update(Pop())
        at = max(_LETTERS.find(key), _DIGITS.find(key))
        if len(key) == 1 and 0 <= at < len(choices):
            return _take_option(model, at)
        match keymap.intent(model.options.keys, self.state, key):
            case "take":
                return _take_option(model, min(self.marked, len(choices) - 1))
            case "up" | "down" as intent:
                return Update(
                    Replace(replace(self, marked=move_selection(self.marked, len(choices), intent)))
                )
            case "help":
                return Update(Push(Help(self.state)))
            case "back":
                later = keymap.key_for(model.options.keys, "play", "choose")
                return Update(Pop(), (ShowMessage(f"You can choose at any time: {later}.", "quiet"),))
            case _:
                return wrong_key(model, key)

    def draw(self, model: Model, canvas: Canvas) -> None:
        """Draw the options with letters or digits, as the campaign defines, and how many may be chosen."""
        choices = model.view.choices[: len(_LETTERS)]
        bare = [f"{_mark(model, at)} {clean(choice)}" for at, choice in enumerate(choices)]
        effects = [gain_words(model, gain) for gain in model.view.gains[: len(choices)]]
        lines = _with_effects(bare, effects, layout(*model.surface.size).overlay.width - 4)
        own = clean(model.view.choosing.title)  # a bent or a card, which is no point to spend
        foot = f"Remaining points: {max(model.fact(Stat.POINTS), 1)}" if choices and not own else ""
        if lines == bare and self.marked < len(effects) and effects[self.marked]:
            foot = f"{capital(effects[self.marked])}. {foot}".rstrip()
        draw_window(
            canvas,
            model,
            own or model.world.choosing,
            lines or ["nothing left to choose"],
            self.marked,
            foot=foot,
        )

    def hints(self, model: Model) -> list[tuple[str, str]]:
        """Return the keys of the choice."""
        marks = _DIGITS if model.world.marks == "digits" else _LETTERS
        letters = with_letters(marks[: len(model.view.choices)], "take that one")
        return [*letters, *keymap.hints(model.options.keys, self.state)]


def note_default_choice(before: Model, model: Model) -> Model:
    """Return the model with a line in the log if the server has chosen; a window without a choice is closed."""
    if before.login.life != model.login.life or before.view is model.view or not before.view.choices:
        return model
    if not model.view.choices:
        model = structs.replace(
            model, screens=tuple(each for each in model.screens if each.state != "choose")
        )
    if model.fact(Stat.POINTS) >= before.fact(Stat.POINTS) or model.dead:
        return model
    if isinstance(model.keys.last_command, Choose):
        return structs.replace(
            model, keys=structs.replace(model.keys, last_command=None)
        )  # that choice is made: the next one needs another command
    most = model.fact(Stat.HP_MAX)
    what = (
        "the level brought you health: {} at most" if most > before.fact(Stat.HP_MAX) else "the server chose"
    )
    return add_message(model, f"You did not choose for a minute, so {what.format(most)}.", "note")


def _with_effects(lines: list[str], effects: list[str], width: int) -> list[str]:
    """Return the options with what they change in fights, if all of that fits the width; else without."""
    widest = max(map(cells, lines), default=0)
    told = [
        f"{pad(line, widest)}  {words}" if words else line
        for line, words in zip(lines, [*effects, *[""] * len(lines)], strict=False)
    ]
    return told if max(map(cells, told), default=0) <= width else lines


def _mark(model: Model, at: int) -> str:
    """Return the prefix of an option: "a -" (rule J14.9) or "[1]" (rule T14.9)."""
    return f"[{_DIGITS[at]}]" if model.world.marks == "digits" else f"{_LETTERS[at]} -"


def _take_option(model: Model, at: int) -> Update:
    """Choose an option; the window stays open while points are left after it."""
    is_last = model.fact(Stat.POINTS) <= 1
    level = model.view.choosing.level
    command = ChooseFor(at, level) if level and "cards" in model.world.abilities else Choose(at)
    return Update(Pop() if is_last else None, (SendCommand(command),))
