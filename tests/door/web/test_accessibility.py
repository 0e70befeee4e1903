"""The door's page by the rules of axe-core: the title, play, the lists, text mode, and the pad of a phone."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from support.door.axe import axe_script, findings
from support.door.browser import CHROMIUM, Browser
from support.door.running_door import RunningDoor

pytestmark = [
    pytest.mark.end_to_end,
    pytest.mark.thorough,
    pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium (apt-get install chromium)"),
]


@pytest.fixture(scope="module")
def axe() -> str:
    script = axe_script()
    if script is None:
        pytest.skip("needs axe-core from npm (apt-get install npm)")
    return script


@pytest.fixture
def browser(home: Path) -> Iterator[Browser]:
    with Browser(home) as running:
        yield running


@pytest.mark.parametrize("touch", [False, True])
def test_no_rule_is_broken(browser: Browser, door: RunningDoor, axe: str, *, touch: bool) -> None:
    """On a desktop and on a phone, with the picture alone and with lines of text."""
    tab = browser.open(door.origin, *((390, 844) if touch else (1280, 800)), touch=touch)
    tab.wait_for("Your name")
    assert findings(tab, axe) == []
    tab.join("Gerd" if touch else "Hanna")
    assert findings(tab, axe) == []
    tab.run("document.getElementById('text').click()")
    tab.wait(lambda: tab.run("document.getElementById('lines').childElementCount") > 0)
    assert findings(tab, axe) == []


def test_the_check_sees_a_fault(browser: Browser, door: RunningDoor, axe: str) -> None:
    tab = browser.open(door.origin)
    tab.wait_for("Your name")
    tab.run("document.body.append(document.createElement('button')); 0")
    assert [rule for rule, *_ in findings(tab, axe)] == ["button-name"]
