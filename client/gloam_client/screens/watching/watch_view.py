"""The view of a watched player: what they see, and a line that says so. No key of it acts in the dungeon."""

from dataclasses import dataclass

from msgspec.structs import replace

from gloam_client.input import keymap
from gloam_client.render.layout import layout
from gloam_client.screens.common.keyed_screen import KeyedScreen
from gloam_client.screens.common.window import draw_window
from gloam_client.screens.lists.message_history import History
from gloam_client.screens.play import Play
from gloam_client.screens.watching.watch_list import WatchList
from gloam_client.state.client_effects import ShowMessage, WatchPlayer
from gloam_client.state.map.friend_locations import NO_LOCATIONS
from gloam_client.state.map.sightings import NOTHING_SEEN
from gloam_client.state.model import Model, Push, Update, add_message, show_flash
from gloam_client.state.players.watching import WatchState, watcher_news
from gloam_client.state.records import ConnectionStatus
from gloam_client.terminal.canvas import MARKED, Canvas, Rect
from gloam_shared.protocol.messages.watching import BansChanged, Watchable, WatchChoice, Watchers, Watching
from gloam_shared.text import pad
from gloam_shared.view.view import NOWHERE


@dataclass(frozen=True, slots=True)
class WatchView(KeyedScreen):
    """The watched player's dungeon."""

    state: str = "watching"

    def on_key(self, model: Model, key: str) -> Update:
        """Watch the next player, read the log, or go back to the list."""
        match keymap.intent(model.options.keys, self.state, key):
            case "next":
                names = [player.name for player in model.company.watch.players or ()]
                at = names.index(model.company.watch.name) + 1 if model.company.watch.name in names else 0
                if not names or names[at % len(names)] == model.company.watch.name:
                    return Update(
                        intents=(
                            ShowMessage(
                                "There is no other player to watch; Esc goes back to the list.", "quiet"
                            ),
                        )
                    )
                return Update(intents=(WatchPlayer(names[at % len(names)]),))
            case "history":
                return Update(Push(History()))
            case "back":
                return Update(intents=(WatchPlayer(""),))
            case other:
                return self.answer(model, other, key)

    def hints(self, model: Model) -> list[tuple[str, str]]:
        """Return the keys; a guest, who has no name, can only leave."""
        return keymap.hints(model.options.keys, self.state, None if model.name else ("back",))

    def draw(self, model: Model, canvas: Canvas) -> None:
        """Draw the dungeon as the player sees it, and on its first line who it is and how late."""
        watch = model.company.watch
        canvas.fill(Rect(0, 0, canvas.width, canvas.height))
        Play().draw(replace(model, name=watch.name), canvas)
        area = layout(canvas.width, canvas.height).top
        late = f", {watch.delay_s} s late" if watch.delay_s else ""
        if model.connection.state == "joined":
            words = f" You watch {watch.name}{late}. {model.view.place.name}"
            canvas.put(area.x, area.y, pad(words, area.width), MARKED, area.x + area.width)
        if not model.in_dungeon:
            begins = (
                f"The view begins {watch.delay_s} s after you have come." if watch.delay_s else "Coming ..."
            )
            draw_window(canvas, model, watch.name, [begins])


def begin_watching(model: Model, name: str, address: str) -> Model:
    """Return the model of a client that connects to watch: without a life, a view or a log."""
    return replace(
        base := _without_view(model),
        screens=(WatchList(),),
        name=name,
        connection=ConnectionStatus("joining", since_ms=model.now_ms),
        server=replace(base.server, address=address or model.server.address),
        company=replace(base.company, watch=WatchState(here=True)),
        login=replace(base.login, life=0),
    )


def end_watching(model: Model) -> Model:
    """Return the model of a client that no longer watches, and is about to play."""
    return (
        replace(base := _without_view(model), company=replace(base.company, watch=WatchState()))
        if model.company.watch.here
        else model
    )


def take_watching(
    model: Model, message: Watchable | Watching | Watchers | WatchChoice | BansChanged
) -> Model:
    """Return the model after a message about watching: the view of a player opens, or closes with the reason."""
    before = model.company.watch
    model = replace(model, company=replace(model.company, watch=before.take(message)))
    if isinstance(message, Watchers):
        for words in watcher_news(before, model.company.watch):
            model = add_message(model, words)
    elif isinstance(message, Watching) and message.name:
        return replace(_without_view(model), screens=(_list(model), WatchView()))
    elif isinstance(message, Watching):
        model = replace(_without_view(model), screens=(_list(model),))
        return show_flash(model, message.text, "note") if message.text else model
    return model


def _list(model: Model) -> WatchList:
    lowest = model.screens[0]
    return lowest if isinstance(lowest, WatchList) else WatchList()


def _without_view(model: Model) -> Model:
    """Return the model without what was seen: the next view is another player's."""
    return replace(
        model,
        view=NOWHERE,
        messages=replace(model.messages, entries=(), next=0, fresh=0, announced_at=-1),
        memory=replace(
            model.memory,
            recall={},
            whereabouts=NO_LOCATIONS,
            explored={},
            barred={},
            sightings=NOTHING_SEEN,
            stains={},
        ),
    )
