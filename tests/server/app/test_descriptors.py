"""The server raises its own limit of descriptors, and holds no more lines than that allows."""

import logging
import resource
from collections.abc import Iterator

import pytest

from gloam_server.app.descriptors import OWN, make_room
from gloam_shared.limits import CONNECTIONS_RESERVED

KEPT = CONNECTIONS_RESERVED + OWN


@pytest.fixture
def before() -> Iterator[tuple[int, int]]:
    """The limits of this process, which are put back afterwards."""
    found = resource.getrlimit(resource.RLIMIT_NOFILE)
    yield found
    resource.setrlimit(resource.RLIMIT_NOFILE, found)


@pytest.mark.parametrize("beyond", [-1, 0, 1])
def test_the_soft_limit_is_raised_to_what_is_needed_and_no_further(
    before: tuple[int, int], caplog: pytest.LogCaptureFixture, beyond: int
) -> None:
    soft = KEPT + 200
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, before[1]))
    with caplog.at_level(logging.INFO):
        assert make_room(200 + beyond) == 200 + beyond

    assert resource.getrlimit(resource.RLIMIT_NOFILE)[0] == max(soft, soft + beyond)
    (line,) = caplog.messages
    assert f"room for {200 + beyond} connections, and {CONNECTIONS_RESERVED} kept" in line


def test_where_the_system_grants_less_fewer_lines_are_held_and_the_mend_is_told(
    before: tuple[int, int], caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    hard = KEPT + 100
    monkeypatch.setattr(
        resource, "getrlimit", lambda _: (min(before[0], hard), hard)
    )  # it cannot be put back
    monkeypatch.setattr(resource, "setrlimit", lambda *_: None)

    assert make_room(2_048) == 100
    (line,) = caplog.messages
    assert "room for 100 connections" in line
    assert f"2048 were wanted: raise the hard limit to {2_048 + KEPT}" in line
