"""The log below or beside the map."""

from client.screens.playing import heard, playing, press
from gloam_client.model import Model
from gloam_client.render.canvas import Canvas, Rect
from gloam_client.render.log_panel import draw_log
from gloam_client.update import update
from gloam_shared.messages import Said

AREA = Rect(0, 0, 40, 5)


def bright(model: Model) -> dict[str, bool]:
    """Return the rows of the log that hold words, and whether they are bright."""
    canvas = Canvas(AREA.width, AREA.height)
    draw_log(canvas, AREA, model)
    rows = enumerate(canvas.rows())
    return {row.strip(": ."): canvas.cells[y * AREA.width + 2][1].bold for y, row in rows if row.strip()}


def said(model: Model, *texts: str) -> Model:
    return update(model, heard(*(Said("Bert", text) for text in texts)), 0)[0]


def test_rg27_what_came_since_the_last_key_is_bright() -> None:
    model = said(press(said(playing(), "old"), "ESC")[0], "new", "newer")
    told = bright(model)
    assert (told["Bert: old"], told["Bert: new"], told["Bert: newer"]) == (False, True, True)


def test_rg27_a_line_that_folds_with_an_older_one_is_bright() -> None:
    model = said(press(said(playing(), "again"), "h")[0], "again")
    assert bright(model)["Bert: again x2"]


def test_rg27_long_lines_are_wrapped() -> None:
    told = bright(said(playing(), "word " * 14))
    assert len([row for row in told if "word word" in row]) == 2
