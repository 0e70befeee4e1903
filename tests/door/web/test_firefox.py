"""The identity of a visitor in a real Firefox: it lasts over a reload and a restart, and another profile has another."""

from pathlib import Path

import pytest

from support.door.firefox import FIREFOX, Firefox
from support.door.running_door import RunningDoor

pytestmark = [
    pytest.mark.end_to_end,
    pytest.mark.thorough,
    pytest.mark.skipif(FIREFOX is None, reason="needs Firefox (apt-get install firefox-esr)"),
]


def test_a_profile_is_an_identity(door: RunningDoor, tmp_path: Path) -> None:
    """The cookie of the handshake brings a player back to their body; a stranger does not get the name."""
    with Firefox(tmp_path / "own") as own:
        own.go(door.origin)
        own.wait_for("Your name")
        own.type("Ilse")
        own.wait_for("Ilse")
        own.type("", enter=True)
        own.wait_for("HP ")
        own.go(door.origin)
        own.wait_for("Ilse HP ")
        assert own.run("document.cookie") == "", "no script reads the identity"
    with Firefox(tmp_path / "own") as own:
        own.go(door.origin)
        own.wait_for("Ilse HP ")
    with Firefox(tmp_path / "other") as other:
        other.go(door.origin)
        other.wait_for("Your name")
        other.type("Ilse")
        other.wait_for("Ilse")
        other.type("", enter=True)
        other.wait_for("belongs to another device")
