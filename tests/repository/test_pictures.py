"""The pictures of the client: there, well-formed, shown in the README, and not older than the screens that they show."""

from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from support.pictures.animation import Frame, animated
from support.pictures.places import PLACES
from support.pictures.places import note as note_of_places
from support.pictures.scenes import FOLDER, PICTURES, RECORDED, RECORDING, note
from support.pictures.svg import Look, svg

ROOT = Path(__file__).parents[2]
RECORDING_MAX = 2**20
"""The most bytes of the animated picture."""
WORDS = {
    "solo": ("The upper caves, depth 1", "In sight", " of 3"),
    "party": ("Your party", "Bert"),
    "recap": ("You are dead", "Damage in the last 10 turns"),
    "ladder": ("Ladder", "rank"),
}


def words(picture: str) -> str:
    return "\n".join(ET.fromstring(picture).itertext())


@pytest.mark.parametrize("name", PICTURES)
def test_no_picture_is_stale(name: str) -> None:
    """A picture notes the frames of its screen and the script that it was drawn from: they are today's."""
    picture = (FOLDER / f"{name}.svg").read_text(encoding="utf-8")
    assert note(name) in picture, "the screen or the script has changed since: `make screenshots`"


@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_shows_its_scene(name: str) -> None:
    shown = words((FOLDER / f"{name}.svg").read_text(encoding="utf-8"))
    assert PICTURES[name].title in shown
    for expected in WORDS[name]:
        assert expected in shown


@pytest.mark.parametrize("name", [*PICTURES, *PLACES])
def test_pictures_need_no_kept_spaces(name: str) -> None:
    """Some browsers join the spaces of a text and stretch the rest to its length."""
    picture = ET.fromstring((FOLDER / f"{name}.svg").read_text(encoding="utf-8"))
    texts = [element.text or "" for element in picture.iter("{http://www.w3.org/2000/svg}text")]
    assert texts
    assert [text for text in texts if text != text.strip() or "  " in text] == []


def test_the_readme_shows_two_pictures() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert sum(f"(client/docs/{name}.svg)" in text for name in PICTURES) == 2


def test_no_picture_is_left_over() -> None:
    assert {path.stem for path in FOLDER.glob("*.svg")} == {*PICTURES, *PLACES, RECORDING}


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("settlement", ("The lost settlement, depth 9", "You strike the warlock", "Bert takes 32 damage")),
        ("fire", ("The lost settlement, depth 9", "the fire!")),
        ("candles", ("The lightless halls, depth 24", "Bert kills the vampire!")),
    ],
)
def test_a_picture_shows_its_place(name: str, expected: tuple[str, ...]) -> None:
    """It is of today's content, and the README shows it."""
    picture = (FOLDER / f"{name}.svg").read_text(encoding="utf-8")
    assert note_of_places() in picture, "the content or the script has changed since: `make screenshots`"
    shown = " ".join(words(picture).split())
    for each in (PLACES[name].title, *expected):
        assert each in shown
    assert f"![{PLACES[name].title}](client/docs/{name}.svg)" in (ROOT / "README.md").read_text(
        encoding="utf-8"
    )


def test_the_recording_is_today_s_and_small() -> None:
    """It notes what it was drawn from; each version of a row has its times; the README shows it."""
    path = FOLDER / f"{RECORDING}.svg"
    text = path.read_text(encoding="utf-8")
    assert note(RECORDING) in text, "the screen or the script has changed since: `make screenshots`"
    assert path.stat().st_size <= RECORDING_MAX
    assert f"(client/docs/{RECORDING}.svg)" in (ROOT / "README.md").read_text(encoding="utf-8")
    shown = words(text)
    for expected in (RECORDED.title, "The upper caves, depth 1", "In sight", "Kills 1", "You kill"):
        assert expected in shown
    root = ET.fromstring(text)
    rows = root.findall("{*}g")
    assert len(rows) >= 50
    for row in rows:
        (times,) = row.findall("{*}animate")
        moments = [float(each) for each in times.get("keyTimes", "").split(";")]
        assert moments[0] == 0
        assert all(before < after < 1 for before, after in pairwise(moments))
        assert len(moments) == len(times.get("values", "").split(";"))
        assert times.get("dur") == rows[0].find("{*}animate").get("dur")  # type: ignore[union-attr]  # each has one


def test_a_recording_shows_each_row_at_its_times() -> None:
    """A row that stays is still, one that returns has two spans, and an empty one has nothing."""
    stays, comes, other, empty = ([Look(sign)] for sign in "scx ")
    frames = [
        Frame(0, (stays, comes, empty)),
        Frame(500, (stays, other, empty)),
        Frame(1_000, (stays, comes, other)),
    ]
    root = ET.fromstring(animated(frames, 2_000, "A title", "a note"))
    found = [
        (row.get("visibility"), row.findtext("{*}text"), times.get("keyTimes"), times.get("values"))
        for row in root.findall("{*}g")
        for times in row.findall("{*}animate")
    ]
    assert found == [
        ("visible", "c", "0;0.25;0.5", "visible;hidden;visible"),
        ("hidden", "x", "0;0.25;0.5", "hidden;visible;hidden"),
        ("hidden", "x", "0;0.5", "hidden;visible"),
    ]
    assert [text.text for text in root.findall("{*}text")] == ["s"]


def test_a_screen_becomes_well_formed_text() -> None:
    """Runs of equal cells become one text; marks and colors stay, and no character breaks the markup."""
    row = [Look("<"), Look("&"), Look("x", "#ff0000", bold=True), Look(" ", reverse=True)]
    picture = svg([row], "A <title>", "a note")
    assert words(picture).split("\n")[1:]
    assert "A <title>" in words(picture)
    assert "&lt;&amp;" in picture
    assert 'fill="#ff0000" font-weight="bold"' in picture
    assert picture.count("<rect") == 2
    assert "<!-- a note -->" in picture
