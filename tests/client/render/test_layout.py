"""The parts of the screen at every size."""

from itertools import product

from gloam_client.render.layout import COLUMNS_FROM, SIDE_FROM, layout


def test_parts_never_overlap() -> None:
    """The parts never overlap and stay on the screen at any size."""
    for width in range(1, 251, 7):
        for height, level in product(range(1, 101), (0, 50)):
            parts = layout(width, height, level)
            for area in (part for part in parts if part is not None):
                assert area.x >= 0
                assert area.y >= 0
                assert area.x + area.width <= width
                assert area.y + area.height <= max(height, 2)  # an empty one may begin below
            if height >= 5:
                areas = [part for part in parts[:-1] if part is not None]
                cells = sum(area.width * area.height for area in areas)
                columns = 0 if parts.side is None else 2 if width >= COLUMNS_FROM else 1
                gap = parts.map.height * columns
                assert cells + gap == width * height


def test_eighty_twenty_four_keeps_most_rows_map() -> None:
    """Eighty by twenty four keeps most rows for the map."""
    parts = layout(80, 24)

    assert (parts.map.width, parts.map.height) == (80, 16)
    assert parts.log.height == 4


def test_narrow_level_leaves_a_panel() -> None:
    """Next to a narrow level there is a side panel at 80x24, and windows still have the whole width: U31."""
    parts = layout(80, 24, 50)

    assert parts.side is not None
    assert (parts.map.width, parts.side.width) == (50, 29)
    assert parts.overlay == layout(80, 24).map
    assert layout(80, 24, 60).side is None
    assert layout(60, 20, 50).side is None


def test_widest_screen_gives_the_log_a_column() -> None:
    """At 200x60 map, side panel and log stand next to each other over the whole height: U31."""
    parts = layout(200, 60)

    assert parts.side is not None
    assert parts.map.height == parts.side.height == parts.log.height == 56
    assert parts.map.width >= 100
    assert parts.side.width >= 45
    assert parts.log.width >= 45


def test_wide_screen_puts_log() -> None:
    """A wide screen puts log and company beside the map."""
    parts = layout(SIDE_FROM, 30)

    assert parts.side is not None
    assert parts.map.width >= 79
    assert parts.log.x >= parts.map.width
    assert parts.map.height == 26
