"""This user's replays, the newest first: whose life it was, where, when, how deep it got and how it ended."""

from dataclasses import dataclass

from gloam_client.input import keymap
from gloam_client.replays.replay_library import KeptReplay
from gloam_client.screens.common.confirm import Confirm
from gloam_client.screens.common.keyed_screen import MarkedScreen
from gloam_client.screens.common.window import draw_window
from gloam_client.screens.replays.replay_view import ReplayView
from gloam_client.state.client_effects import DeleteReplay, OpenReplay
from gloam_client.state.model import Model, Push, Update
from gloam_client.terminal.canvas import Canvas, Rect
from gloam_shared.narration.rendering import depth_text, end_of_life
from gloam_shared.text import clean, cut, pad

_HEAD = "The newest lives are kept, 20 at most; an option of play turns it off."


@dataclass(frozen=True, slots=True)
class ReplayList(MarkedScreen):
    """The replays with one marked."""

    marked: int = 0
    state: str = "replays"

    def on_key(self, model: Model, key: str) -> Update:
        """Mark a replay, play or delete it, or go back."""
        kept = model.home.replays or ()
        marked = kept[min(self.marked, len(kept) - 1)] if kept else None
        match keymap.intent(model.options.keys, self.state, key):
            case "take" if marked is not None:
                return Update(Push(ReplayView(title=_owner(marked))), (OpenReplay(marked.id),))
            case "delete" if marked is not None:
                question = f"Delete the replay of {_owner(marked)}, {marked.date}?"
                return Update(Push(Confirm(question, (DeleteReplay(marked.id),))))
            case other:
                return self.answer_list(model, other, key, len(kept))

    def draw(self, model: Model, canvas: Canvas) -> None:
        """Draw the replays over the whole window."""
        canvas.fill(Rect(0, 0, canvas.width, canvas.height))
        kept = model.home.replays
        if kept is None:
            draw_window(canvas, model, "Replays", ["Reading ..."])
            return
        if not kept:
            draw_window(
                canvas, model, "Replays", ["There is no replay yet: each life that you play is kept."]
            )
            return
        marked = min(self.marked, len(kept) - 1)
        also = f" `gloam replay {kept[marked].id}` plays it, too." if model.surface.kind == "terminal" else ""
        foot = f"{kept[marked].id}: {_end(kept[marked])}{also}"
        draw_window(
            canvas, model, "Replays", [_row(each) for each in kept], marked, head=[_HEAD, ""], foot=foot
        )


def describe_replay(kept: KeptReplay) -> str:
    """Return a replay in one line."""
    return f"{_row(kept)}  {_end(kept)}"


def _owner(kept: KeptReplay) -> str:
    return f"{clean(kept.about.name)}, life {kept.about.life}"


def _row(kept: KeptReplay) -> str:
    about = kept.about
    turns = f"{about.turns} turns" if about.over else "goes on"
    depth = depth_text(min(about.depth, 2**31 - 1))
    return f"{kept.date}  {pad(cut(_owner(kept), 20), 20)}  depth {depth:>2}  L {about.level:<2}  {turns}"


def _end(kept: KeptReplay) -> str:
    about = kept.about
    where = clean(about.campaign)
    if not about.over:
        return f"{where}."
    return f"{where}; won by {clean(about.by)}." if about.won else f"{where}; {end_of_life(clean(about.by))}."
