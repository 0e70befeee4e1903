"""The figures of the wire: each scene in each campaign, and in halls of many players."""

import statistics
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Final

from benchmarks.figures import Figure
from benchmarks.wire_cost import scenes
from benchmarks.wire_cost.metered_wire import Meter, Sent, metered
from gloam_server.content.campaign import Campaign
from gloam_server.content.loader import load
from support.content.campaigns import arena_files, shipped

CAMPAIGNS: Final = ("gloam", "jsrogue", "rltut", "ruggrogue")
SEEDS: Final = (3, 21)
HALLS: Final = ((50, "<= 400"), (200, "<= 600"))

Scene = Callable[[Meter, Campaign, int], Sent]

_SCENES: Final[tuple[tuple[str, Scene, str], ...]] = (
    ("login and first screen", scenes.first_screen, "<= 6144"),
    ("a step on known ground, 8/s", partial(scenes.known_ground, every_ms=scenes.HUMAN_MS), "<= 64"),
    ("a step on known ground, 20/s", partial(scenes.known_ground, every_ms=scenes.FASTEST_MS), "<= 64"),
    ("a step on new ground, 8/s", partial(scenes.new_ground, every_ms=scenes.HUMAN_MS), "<= 64"),
    ("a step on new ground, 20/s", partial(scenes.new_ground, every_ms=scenes.FASTEST_MS), "<= 64"),
    ("a second of ten random keys", scenes.random_keys, "<= 300"),
    ("a turn of a fight beside three friends", scenes.fight, "<= 120"),
)


def wire_cost(_: Path | None = None) -> Iterator[Figure]:
    """Yield the bytes from the server for every scene; compressed, as `gloam` gets them; the note has the plain bytes."""
    for name, scene, limit in _SCENES:
        for key in CAMPAIGNS:
            yield _figure(f"{key}: {name}", scene, shipped(key), SEEDS, limit)
    for players, limit in HALLS:
        hall = partial(scenes.hall, players=players)
        yield _figure(f"an update in a hall of {players}", hall, _wide_hall(), SEEDS[:1], limit)
    login = partial(scenes.login_to_hall, players=HALLS[-1][0])
    yield _figure(f"login beside {HALLS[-1][0]} players", login, _wide_hall(), SEEDS[:1], "<= 6144")


def _figure(name: str, scene: Scene, campaign: Campaign, seeds: tuple[int, ...], limit: str) -> Figure:
    """Measure one scene with some seeds."""
    with metered() as meter:
        all_sent = [scene(meter, campaign, seed) for seed in seeds]
    plain, packed = (statistics.mean(values) for values in zip(*all_sent, strict=True))
    return Figure(name, round(packed, 1), "B", limit, f"{plain:.1f} uncompressed")


def _wide_hall() -> Campaign:
    """Return a campaign with one wide cave without monsters."""
    files = arena_files()
    levels = (
        files["levels.toml"].replace(b"width = 30", b"width = 150").replace(b"height = 12", b"height = 60")
    )
    return load({**files, "levels.toml": levels})
