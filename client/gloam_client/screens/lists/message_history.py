"""The scrollable log: a thousand lines, collapsed and wrapped, of all kinds or of one."""

from dataclasses import dataclass, replace

from gloam_client.input import keymap
from gloam_client.render.damage_summary import damage_summary, summary_words
from gloam_client.render.layout import layout
from gloam_client.render.panels.log_panel import visible_entries
from gloam_client.render.repeated_lines import collapse_repeats
from gloam_client.screens.common.command_effects import ignore_effect, message, report_effect
from gloam_client.screens.common.help import answer_common_key
from gloam_client.screens.common.keyed_screen import KeyedScreen
from gloam_client.state.event_log import lines_of, next_kind
from gloam_client.state.model import Entry, Model, Replace, Update
from gloam_client.terminal.canvas import QUIET, TITLE, Canvas, Style, wrap_text


@dataclass(frozen=True, slots=True)
class History(KeyedScreen):
    """The log; `back` is the number of rows scrolled up from the end, `kind` the kind of lines shown."""

    back: int = 0
    kind: str = "all"
    state: str = "history"

    def on_key(self, model: Model, key: str) -> Update:
        """Scroll, show another kind of lines, do something about a speaker, or go back to the game."""
        intent = keymap.intent(model.options.keys, self.state, key)
        page = max(layout(*model.surface.size).overlay.height - 3, 1)
        by = {"up": 1, "down": -1, "page up": page, "page down": -page, "first": 10**6, "last": -(10**6)}
        if intent in by:
            back = max(0, min(self.back + by[intent], self._last(model)))
            return Update(Replace(replace(self, back=back)))
        if intent == "filter":
            return Update(Replace(History(kind=next_kind(self.kind))))
        if intent in ("ignore", "block", "report"):
            return self._about_speaker(model, intent)
        return answer_common_key(model, self.state, intent, key)

    def draw(self, model: Model, canvas: Canvas) -> None:
        """Draw the rows at the scroll position, and on the rim what can be done about their last speaker."""
        summary = summary_words(damage_summary(model.messages.entries, model.fights))
        title = "Log" if self.kind == "all" else f"Log: {self.kind}"
        area = layout(canvas.width, canvas.height).overlay
        inside = canvas.box(
            area, f"{title}. {summary}" if summary and self.kind in ("all", "fights") else title
        )
        rows = _rows(self._entries(model), inside.width)
        end = max(len(rows) - self.back, 0)
        for row, (mark, text, style) in enumerate(rows[max(end - inside.height, 0) : end]):
            canvas.put(inside.x, inside.y + row, mark, style)
            canvas.put(inside.x + 2, inside.y + row, text, style, inside.x + inside.width)
        if not rows:
            canvas.put(inside.x + 2, inside.y, "No line of this kind yet.", QUIET)
        if speaker := self._speaker(model):
            right = inside.x + inside.width
            canvas.put(inside.x + 1, inside.y + inside.height, _speaker_words(model, speaker), TITLE, right)

    def _about_speaker(self, model: Model, intent: str) -> Update:
        """Return the effect on the last speaker in view; the log stays open."""
        speaker = self._speaker(model)
        if not speaker:
            return message("No words of another player are in view; scroll to them.")
        if intent == "report":
            return report_effect(model, speaker)
        return ignore_effect(model, speaker, "block" if intent == "block" else "ignore")

    def _speaker(self, model: Model) -> str:
        """Return the other player who spoke last in the rows in view; "" for none."""
        inside = layout(*model.surface.size).overlay
        row, found = 0, ""
        entries = self._entries(model)
        rows = [len(wrap_text(entry.text, inside.width - 4)) for entry in entries]
        end = sum(rows) - self.back
        for entry, count in zip(entries, rows, strict=True):
            if (
                end - (inside.height - 2) < row + count
                and row < end
                and entry.speaker not in ("", model.name)
            ):
                found = entry.speaker
            row += count
        return found

    def _entries(self, model: Model) -> list[Entry]:
        return collapse_repeats(lines_of(model.messages.entries, self.kind))

    def _last(self, model: Model) -> int:
        area = layout(*model.surface.size).overlay
        return max(len(_rows(self._entries(model), area.width - 2)) - (area.height - 2), 0)


def _rows(entries: list[Entry], width: int) -> list[tuple[str, str, Style]]:
    return visible_entries(entries, width)


def _speaker_words(model: Model, speaker: str) -> str:
    """Return what can be done about a speaker, with its keys."""
    keys = model.options.keys
    deeds = [
        f"{keymap.key_for(keys, 'history', intent)} {intent}" for intent in ("ignore", "block", "report")
    ]
    return f" {speaker}: {', '.join(deeds)} "
