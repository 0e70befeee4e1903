"""Caches of one client among several in a process."""

from contextvars import copy_context
from pathlib import Path

from gloam_client.app_start import agent, begin
from gloam_client.net.launch_options import LaunchOptions
from gloam_client.player_store import PlayerStore
from gloam_client.services.own_machine import OwnMachine
from gloam_client.state.model import Model
from gloam_client.state.options import Options
from gloam_client.terminal.canvas import Canvas, Rect
from gloam_client.terminal.kept_panel import keep
from gloam_client.terminal.own_cache import CacheStore, own_cache, store, using_store
from gloam_shared.text import cells, count_ambiguous
from support.client.headless_client import HeadlessSurface

COUNTED: list[object] = []


@own_cache(maxsize=1)
def squared(number: int) -> int:
    COUNTED.append(number)
    return number * number


@keep(str.lower)
def word(canvas: Canvas, area: Rect, text: str) -> int:
    COUNTED.append(text)
    canvas.put(area.x, area.y, text)
    return area.y + 1


def play(number: int) -> None:
    assert squared(number) == number * number
    assert word(Canvas(9, 1), Rect(0, 0, 9, 1), f"word {number}") == 1


def test_clients_in_turn_keep_their_own() -> None:
    """Each asks for something else, and a cache of the process with room for one would never be right."""
    stores: list[CacheStore] = [{}, {}, {}]
    COUNTED.clear()
    for _ in range(2):
        for number, kept in enumerate(stores):
            with using_store(kept):
                play(number)
        assert len(COUNTED) == 6
    with using_store({}):
        play(1)
    assert len(COUNTED) == 8


class RememberingSurface(HeadlessSurface):
    """Remembers the store with which each frame is drawn."""

    def __init__(self) -> None:
        super().__init__(24, 80)
        self.stores: list[CacheStore] = []

    def show(self, model: Model) -> None:
        super().show(model)
        self.stores.append(store())


def test_a_client_draws_with_its_own_caches(tmp_path: Path) -> None:
    """A host's task that asks for a frame, such as one that learns of a new size, does not draw with its own caches."""
    surfaces = [RememberingSurface(), RememberingSurface()]
    for surface in surfaces:
        start = LaunchOptions("Anna", agent(), b"token", tmp_path)
        kept = PlayerStore(tmp_path, tmp_path / "options.toml")
        app = begin(start, surface, OwnMachine(start), kept, Options(), ())
        for _ in range(2):
            with using_store({}):
                app.first_paint()
    (first, again), (other, _) = (surface.stores for surface in surfaces)
    assert first is again
    assert first is not other


def test_each_client_counts_as_its_terminal_draws() -> None:
    """A visitor on a terminal that is set up for East Asian fonts does not shift the columns of the others."""

    def width(ambiguous: int) -> tuple[int, int]:
        count_ambiguous(ambiguous)
        return cells("\u201cx\u201d"), Canvas(9, 1).put(0, 0, "\u201cx\u201d")

    assert [copy_context().run(width, ambiguous) for ambiguous in (1, 2, 1)] == [(3, 3), (5, 5), (3, 3)]
    assert cells("\u201cx\u201d") == 3
