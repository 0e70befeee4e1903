"""The renderer against a terminal emulator: for any two pictures, the difference makes the second of the first."""

import random  # noqa: TID251  # each case seeds its own

import pyte
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from gloam_client.terminal.canvas import PLAIN, Canvas, Style
from gloam_client.terminal.painter import DEPTHS, SYNC_BEGIN, SYNC_END, Painter, difference
from gloam_client.terminal.terrain_glyphs import ARROWS, GlyphSet, terrain_glyph
from gloam_client.terminal.themes import THEMES
from gloam_shared.appearance import COLORS, Terrain

WIDTH, HEIGHT = 12, 4
STYLES = [
    Style(),
    Style("red"),
    Style("red", bold=True),
    Style("white", reverse=True),
    Style("cyan", bold=True, underline=True),
    Style("darkgray", dim=True),
    Style(light=1),
    Style("red", bold=True, light=2),
    Style("white", reverse=True, light=1),
]
CELLS = st.tuples(st.sampled_from(" #.@a·▒"), st.sampled_from(STYLES))
PICTURES = st.lists(CELLS, min_size=WIDTH * HEIGHT, max_size=WIDTH * HEIGHT)


def canvas(cells: list[tuple[str, Style]]) -> Canvas:
    made = Canvas(WIDTH, HEIGHT)
    made.cells = [cells[at : at + WIDTH] for at in range(0, WIDTH * HEIGHT, WIDTH)]
    return made


def changed_here_and_there(cells: list[tuple[str, Style]], changes: dict[int, tuple[str, Style]]) -> Canvas:
    return canvas([changes.get(at, cell) for at, cell in enumerate(cells)])


def assert_shows(screen: pyte.Screen, wanted: Canvas) -> None:
    for row, cells in enumerate(wanted.cells):
        for column, (char, style) in enumerate(cells):
            shown = screen.buffer[row][column]
            assert char == shown.data
            assert (style.underline, style.reverse) == (shown.underscore, shown.reverse)
            if char != " ":
                assert style.bold == shown.bold


@pytest.mark.parametrize(
    ("name", "depth"), [("gloam", "256"), ("day", "16"), ("night", "256"), ("frost", "true")]
)
@given(first=PICTURES, last=PICTURES)
def test_a_theme_with_a_ground_colours_each_cell(
    name: str, depth: str, first: list[tuple[str, Style]], last: list[tuple[str, Style]]
) -> None:
    """U34: a theme with a background gives it to every cell without light, and no cell of another theme gets one."""
    screen = pyte.Screen(WIDTH, HEIGHT)
    screen.reset_mode(7, private=True)
    stream = pyte.Stream(screen)
    painter = Painter(depth)
    painter.use(depth, synchronized=False, theme=name)
    for picture in (canvas(first), canvas(last)):
        stream.feed(painter.paint(picture))
    grounds = {
        screen.buffer[y][x].bg
        for y, row in enumerate(canvas(last).cells)
        for x, (_, style) in enumerate(row)
        if not style.light
    }
    assume(grounds)
    assert len(grounds) == 1
    assert (grounds == {"default"}) == (THEMES[name].ground is None)


DARK = {("contrast", "256"), ("contrast", "true"), ("deuteranopia", "256"), ("frost", "256")}
"""The themes and depths in which the contrast that is promised leaves no room for light."""


@pytest.mark.parametrize("depth", ["256", "true"])
@pytest.mark.parametrize("name", THEMES)
def test_light_is_the_background_of_a_cell(name: str, depth: str) -> None:
    """Light changes the background of its cell alone, and a theme without light shows none."""
    screen = pyte.Screen(WIDTH, HEIGHT)
    stream = pyte.Stream(screen)
    painter = Painter(depth)
    painter.use(depth, synchronized=False, theme=name)
    dark, lit = Canvas(WIDTH, HEIGHT), Canvas(WIDTH, HEIGHT)
    for picture, lights in ((dark, (0, 0, 0)), (lit, (0, 1, 2))):
        for x, light in enumerate(lights):
            picture.put(x, 0, ".", Style(light=light))
    for picture in (dark, lit, dark, lit):
        stream.feed(painter.paint(picture))
        grounds = [screen.buffer[0][x].bg for x in range(4)]
        assert grounds[0] == grounds[3]
        assert (len(set(grounds)) > 1) == (picture is lit and painter.lights)
    assert painter.lights == ((name, depth) not in DARK)


@pytest.mark.parametrize("depth", ["none", "16"])
def test_few_colours_show_no_light(depth: str) -> None:
    """Without 256 colors a lit cell costs what any cell costs: a surface does not ask for light."""
    assert not Painter(depth).lights


def test_a_change_of_colour_alone_is_short() -> None:
    """Two neighbors that differ in color alone cost one short sequence between them."""
    made = Canvas(2, 1)
    made.put(0, 0, "x", Style("red", bold=True))
    made.put(1, 0, "y", Style("cyan", bold=True))
    text = difference(Canvas(2, 1), made, "256")
    assert "\x1b[1;38;5;167mx\x1b[38;5;80my" in text


@pytest.mark.parametrize(
    ("depth", "theme"), [*((depth, "gloam") for depth in DEPTHS), ("none", "day"), ("256", "day")]
)
@given(first=PICTURES, changes=st.dictionaries(st.integers(0, WIDTH * HEIGHT - 1), CELLS), last=PICTURES)
def test_painting_leaves_terminal_exactly_newest(
    depth: str,
    theme: str,
    first: list[tuple[str, Style]],
    changes: dict[int, tuple[str, Style]],
    last: list[tuple[str, Style]],
) -> None:
    """Painting leaves on a terminal exactly the newest picture."""
    screen = pyte.Screen(WIDTH, HEIGHT)
    screen.reset_mode(7, private=True)
    stream = pyte.Stream(screen)
    painter = Painter(depth)
    painter.use(depth, synchronized=False, theme=theme)
    for picture in (canvas(first), changed_here_and_there(first, changes), canvas(last)):
        stream.feed(painter.paint(picture))
        assert_shows(screen, picture)


def test_an_unchanged_picture_costs_no_byte() -> None:
    painter = Painter("true", synchronized=True)
    painter.paint(Canvas(WIDTH, HEIGHT))

    assert painter.paint(Canvas(WIDTH, HEIGHT)) == ""


def test_one_step_costs_few_bytes() -> None:
    before, after = Canvas(80, 24), Canvas(80, 24)
    for picture, x in ((before, 10), (after, 11)):
        picture.put(0, 5, "." * 80, Style("gray", bold=True))
        picture.put(x, 5, "@", Style("white", reverse=True))

    assert len(difference(before, after, "true")) < 70


def test_a_frame_is_bracketed_where_the_terminal_can() -> None:
    text = Painter("16", synchronized=True).paint(Canvas(WIDTH, HEIGHT))

    assert text.startswith(SYNC_BEGIN)
    assert text.endswith(SYNC_END)


def test_new_size_forgotten_screen_painted_whole() -> None:
    """A new size and a forgotten screen are painted whole."""
    painter = Painter("16")
    painter.paint(Canvas(WIDTH, HEIGHT))
    assert "\x1b[2J" in painter.paint(Canvas(WIDTH + 1, HEIGHT))

    painter.forget()
    assert "\x1b[2J" in painter.paint(Canvas(WIDTH + 1, HEIGHT))


@pytest.mark.parametrize("name", COLORS)
def test_without_colours_no_colour_is_sent(name: str) -> None:
    made = Canvas(1, 1)
    made.put(0, 0, "x", Style(name, bold=True))

    assert difference(Canvas(1, 1), made, "none").replace("\x1b[1H", "\x1b[H") == "\x1b[H\x1b[0;1mx\x1b[0m"


@pytest.mark.parametrize(("depth", "sign"), [("true", "38;2;"), ("256", "38;5;"), ("16", "[91m")])
def test_each_depth_sends_its_own_kind_of_colour(depth: str, sign: str) -> None:
    made = Canvas(1, 1)
    made.put(0, 0, "x", Style("red"))

    assert sign in difference(Canvas(1, 1), made, depth)


@pytest.mark.parametrize("depth", DEPTHS)
def test_u35_what_is_faint_looks_faint(depth: str) -> None:
    """U35: what is only remembered and who is away look unlike what is here, at each color depth."""
    codes = []
    for style in (Style("magenta"), Style("magenta", dim=True)):
        made = Canvas(1, 1)
        made.put(0, 0, "!", style)
        codes.append(difference(Canvas(1, 1), made, depth))
    assert codes[0] != codes[1]


@pytest.mark.parametrize("seed", range(12))
def test_many_changes_in_few_styles_are_right(seed: int) -> None:
    """Changes that are written style by style move the cursor up and down, and each cell is still right."""
    chance = random.Random(seed)
    styles = [
        Style("red"),
        Style("gray", bold=True),
        Style("darkgray", dim=True),
        Style("white", reverse=True),
    ]
    screen = pyte.Screen(40, 12)
    stream = pyte.Stream(screen)
    painter = Painter("256", synchronized=True)
    canvas = Canvas(40, 12)
    for _ in range(8):
        after = Canvas(40, 12)
        after.cells = [list(cells) for cells in canvas.cells]
        for _ in range(chance.randint(1, 200)):
            cells = chance.choice(after.cells)
            cells[chance.randrange(40)] = (chance.choice("ab. #"), chance.choice(styles))
        canvas = after
        stream.feed(painter.paint(canvas))
        assert list(screen.display) == list(canvas.rows())
        for row, cells in enumerate(canvas.cells):
            for column, (char, style) in enumerate(cells):
                shown = screen.buffer[row][column]
                if char != " ":
                    assert (shown.bold, shown.reverse) == (style.bold, style.reverse)


@pytest.mark.parametrize("seed", range(12))
def test_wide_signs_are_painted_where_they_stand(seed: int) -> None:
    """A terminal shows each canvas, after any wide signs of the one before."""
    chance = random.Random(seed)
    screen = pyte.Screen(20, 3)
    stream = pyte.Stream(screen)
    stream.feed("\x1b[?7l")  # as the client's first sequence does
    painter = Painter("256")
    for _ in range(12):
        canvas = Canvas(20, 3)
        for _ in range(6):
            words = "".join(chance.choices(["a", " ", "漢", "é", "x\u0301", "…"], k=chance.randint(1, 9)))
            canvas.put(
                chance.randint(-3, 20), chance.randrange(3), words, chance.choice([PLAIN, Style("red")])
            )
        stream.feed(painter.paint(canvas))
        assert screen.display == list(canvas.rows())


@pytest.mark.parametrize("sign", ["漢", "👩\u200d👧", "ตั้", "न्दी", "☀\ufe0f"])
def test_cells_behind_an_unsure_sign_stay_in_place(sign: str) -> None:
    """Terminals differ in how far the cursor goes: what stands behind the sign is written at a place of its own."""
    canvas = Canvas(9, 1)
    end = canvas.put(0, 0, f"a{sign}")
    canvas.put(end, 0, "bc")

    painted = difference(Canvas(9, 1), canvas, "none")
    assert sign in painted
    assert f"\x1b[1;{end + 1}Hbc" in painted.partition(sign)[2]


def test_all_glyphs_of_the_client_reach_the_terminal() -> None:
    canvas = Canvas(80, 1)
    signs = "".join(
        {
            terrain_glyph(kind, glyphs, seen=seen)
            for kind in Terrain
            for glyphs in GlyphSet
            for seen in (True, False)
        }
        - {" "}
    )
    canvas.put(0, 0, ARROWS + signs)
    assert ARROWS + signs in Painter("none").paint(canvas)
