"""The parts of the screen at every size."""

from gloam_client.render.layout import SIDE_FROM, layout


def test_parts_never_overlap() -> None:
    """The parts never overlap and stay on the screen at any size."""
    for width in range(1, 251, 7):
        for height in range(1, 101):
            parts = layout(width, height)
            for area in (part for part in parts if part is not None):
                assert area.x >= 0
                assert area.y >= 0
                assert area.x + area.width <= width
                assert area.y + area.height <= max(height, 1)
            if height >= 4:
                areas = [part for part in parts if part is not None]
                cells = sum(area.width * area.height for area in areas)
                gap = parts.map.height if parts.side is not None else 0
                assert cells + gap == width * height


def test_eighty_twenty_four_keeps_most_rows_map() -> None:
    """Eighty by twenty four keeps most rows for the map."""
    parts = layout(80, 24)

    assert (parts.map.width, parts.map.height) == (80, 17)
    assert parts.log.height == 4


def test_wide_screen_puts_log() -> None:
    """A wide screen puts log and company beside the map."""
    parts = layout(SIDE_FROM, 30)

    assert parts.side is not None
    assert parts.map.width >= 79
    assert parts.log.x >= parts.map.width
    assert parts.map.height == 27
