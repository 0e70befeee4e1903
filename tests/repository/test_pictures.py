"""The pictures of the client: there, well-formed, shown in the README, and not older than the screens that they show."""

from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from support.pictures.scenes import FOLDER, PICTURES, note
from support.pictures.svg import Look, svg

ROOT = Path(__file__).parents[2]
WORDS = {
    "solo": ("The upper caves, depth 1", "In sight", "Goal 1 of 3"),
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


@pytest.mark.parametrize("name", PICTURES)
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
    assert {path.stem for path in FOLDER.glob("*.svg")} == set(PICTURES)


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
