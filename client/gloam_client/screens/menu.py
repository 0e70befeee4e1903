"""The menu of every action, so that no key need be known; each stands there with its key."""

from dataclasses import dataclass, replace

from gloam_client import keymap
from gloam_client.keymap import Binding
from gloam_client.model import Model, Pop, Push, Reaction, Replace
from gloam_client.render.canvas import Canvas
from gloam_client.screens import play
from gloam_client.screens.help import Help
from gloam_client.screens.window import draw_window, moved


@dataclass(frozen=True, slots=True)
class Menu:
    """Every action of play, one of them marked."""

    marked: int = 0
    state: str = "menu"

    def on_key(self, model: Model, key: str) -> Reaction:
        """Do the marked action, or the one whose own key was pressed."""
        rows = _rows(model)
        match keymap.intent(model.options.keys, self.state, key):
            case "up" | "down" as intent:
                return Reaction(Replace(replace(self, marked=moved(self.marked, len(rows), intent))))
            case "take":
                return _instead(play.act(model, rows[self.marked].intent))
            case "help":
                return Reaction(Push(Help(self.state)))
            case "back":
                return Reaction(Pop())
        return _instead(play.Play().on_key(model, key))

    def draw(self, model: Model, canvas: Canvas) -> None:
        """Draw the actions with their keys."""
        lines = [f"{keymap.told(row.keys[0]):9} {row.help}" for row in _rows(model)]
        draw_window(canvas, model, "Actions", lines, self.marked)

    def hints(self, model: Model) -> list[tuple[str, str]]:
        """Return the keys of the menu."""
        return keymap.hints(model.options.keys, self.state)


def _rows(model: Model) -> list[Binding]:
    """Return the actions, those of acting first; the menu itself is none."""
    rows = [row for row in keymap.rows(model.options.keys, "play") if row.intent != "menu"]
    return sorted(rows, key=lambda row: row.section in ("Moving", "Running"))


def _instead(reaction: Reaction) -> Reaction:
    """Return a reaction of play as one of the menu: the menu closes."""
    if isinstance(reaction.change, Push):
        return reaction._replace(change=Replace(reaction.change.screen))
    return reaction._replace(change=Pop())
