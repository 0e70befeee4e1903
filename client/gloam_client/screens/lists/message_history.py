"""The scrollable log: a thousand lines, collapsed and wrapped."""

from dataclasses import dataclass, replace

from gloam_client.input import keymap
from gloam_client.render.damage_summary import damage_summary, summary_words
from gloam_client.render.layout import layout
from gloam_client.render.log_panel import visible_entries
from gloam_client.render.repeated_lines import collapse_repeats
from gloam_client.screens.common.help import Help
from gloam_client.screens.common.window import wrong_key
from gloam_client.state.model import Model, Pop, Push, Replace, Update
from gloam_client.terminal.canvas import Canvas, Style


@dataclass(frozen=True, slots=True)
class History:
    """The log; `back` is the number of rows scrolled up from the end."""

    back: int = 0
    state: str = "history"

    def on_key(self, model: Model, key: str) -> Update:
        """Scroll or go back to the game."""
        intent = keymap.intent(model.options.keys, self.state, key)
        page = max(layout(*model.size).overlay.height - 3, 1)
        by = {"up": 1, "down": -1, "page up": page, "page down": -page, "first": 10**6, "last": -(10**6)}
        if intent in by:
            back = max(0, min(self.back + by[intent], self._last(model)))
            return Update(Replace(replace(self, back=back)))
        if intent == "help":
            return Update(Push(Help(self.state)))
        return Update(Pop()) if intent == "back" else wrong_key(model, key)

    def draw(self, model: Model, canvas: Canvas) -> None:
        """Draw the rows at the scroll position."""
        summary = summary_words(damage_summary(model.log, model.turn))
        area = layout(canvas.width, canvas.height).overlay
        inside = canvas.box(area, f"Log. {summary}" if summary else "Log")
        rows = _rows(model)
        end = max(len(rows) - self.back, 0)
        for row, (mark, text, style) in enumerate(rows[max(end - inside.height, 0) : end]):
            canvas.put(inside.x, inside.y + row, mark, style)
            canvas.put(inside.x + 2, inside.y + row, text, style, inside.x + inside.width)

    def hints(self, model: Model) -> list[tuple[str, str]]:
        """Return the keys of the log."""
        return keymap.hints(model.options.keys, self.state)

    def _last(self, model: Model) -> int:
        return max(len(_rows(model)) - (layout(*model.size).overlay.height - 2), 0)


def _rows(model: Model) -> list[tuple[str, str, Style]]:
    return visible_entries(collapse_repeats(model.log), layout(*model.size).overlay.width - 2)
