"""The instructions for players that a host sees at a terminal."""

from pathlib import Path

import pytest

from gloam_server.app.config import Config
from gloam_server.cli.processes.serving import how_to_join

HERE = "Players on this machine join with: gloam {0} (in a clone: make join PLACE={0})"


@pytest.mark.parametrize(
    ("host", "is_open", "expected"),
    [
        (
            "127.0.0.1",
            False,
            [HERE.format("127.0.0.1:7400"), "Other machines cannot reach it without --listen 0.0.0.0."],
        ),
        ("0.0.0.0", True, [HERE.format("127.0.0.1:7400"), "Players elsewhere join with: gloam ADDRESS:7400"]),
        ("::", True, [HERE.format("[::1]:7400"), "Players elsewhere join with: gloam ADDRESS:7400"]),
        (
            "192.0.2.7",
            False,
            [
                "Players elsewhere join with the command that this prints: gloam-server invite --data 'my realm' --host ADDRESS:7400"
            ],
        ),
    ],
)
def test_players_see_the_address_to_join(host: str, is_open: bool, expected: list[str]) -> None:
    config = Config(data=Path("my realm"), private=False, open=is_open)
    assert how_to_join(config, host, 7400).splitlines() == expected
