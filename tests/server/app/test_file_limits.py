"""The server raises its own limit of descriptors, and holds no more lines than that allows."""

import logging
import resource
from collections.abc import Iterator

import pytest

from gloam_server.app.file_limits import OWN, OWN_LEAST, FileLimits, raise_file_limit, split_limit
from gloam_shared.limits import CONNECTIONS_RESERVED, PROXY_HEADERS_MAX, TURNED_AWAY_MAX

KEPT = CONNECTIONS_RESERVED + OWN


@pytest.fixture
def before() -> Iterator[tuple[int, int]]:
    """The limits of this process, which are put back afterwards."""
    found = resource.getrlimit(resource.RLIMIT_NOFILE)
    yield found
    resource.setrlimit(resource.RLIMIT_NOFILE, found)


@pytest.mark.parametrize("beyond", [-1, 0, 1])
def test_soft_limit_raised_needed_and_no_further(
    before: tuple[int, int], caplog: pytest.LogCaptureFixture, beyond: int
) -> None:
    """The soft limit is raised to what is needed and no further."""
    soft = KEPT + 200
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, before[1]))
    with caplog.at_level(logging.INFO):
        assert raise_file_limit(200 + beyond) == (200 + beyond, CONNECTIONS_RESERVED, TURNED_AWAY_MAX, 0)
    assert resource.getrlimit(resource.RLIMIT_NOFILE)[0] == max(soft, soft + beyond)
    (line,) = caplog.messages
    assert f"room for {200 + beyond} connections, and {CONNECTIONS_RESERVED} kept" in line


@pytest.fixture
def granted(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> int:
    """A hard limit; it is not really set, for it cannot be put back."""
    hard = int(request.param)
    monkeypatch.setattr(resource, "getrlimit", lambda _: (min(32, hard), hard))
    monkeypatch.setattr(resource, "setrlimit", lambda *_: None)
    return hard


@pytest.mark.parametrize("granted", [KEPT + 100], indirect=True)
def test_system_grants_less_fewer_lines_held(granted: int, caplog: pytest.LogCaptureFixture) -> None:
    """Under a lower system limit the server holds fewer connections, and says what to do."""
    assert raise_file_limit(2_048).connections == granted - KEPT
    (line,) = caplog.messages
    assert "room for 100 connections" in line
    assert f"2048 were wanted: raise the hard limit to {2_048 + KEPT}" in line


@pytest.mark.parametrize("granted", [24, 40, 64, 100, 140, 200], indirect=True)
def test_the_log_tells_what_is_really_kept(granted: int, caplog: pytest.LogCaptureFixture) -> None:
    partitions = raise_file_limit(2_048)
    (line,) = caplog.messages
    assert (
        f"{granted} descriptors: room for {partitions.connections} connections, and {partitions.reserved}"
        in line
    )
    assert partitions.connections + partitions.reserved + OWN_LEAST <= max(granted, OWN_LEAST + 1)


@pytest.mark.parametrize("proxied", [False, True])
def test_nothing_promised(*, proxied: bool) -> None:
    """Nothing is promised that is not there and more descriptors are never worse."""
    former = FileLimits(0, 0, 0, 0)
    for descriptors in range(OWN_LEAST + 4, 2_400):
        partitions = split_limit(descriptors, 2_048, proxied=proxied)
        held = partitions.connections + partitions.reserved + partitions.proxied
        assert held + OWN_LEAST + partitions.turned_away <= descriptors + 1
        assert min(partitions[:3]) >= 1
        assert all(now >= before - 1 for now, before in zip(partitions, former, strict=True))
        former = partitions
    assert former == (2_048, CONNECTIONS_RESERVED, TURNED_AWAY_MAX, PROXY_HEADERS_MAX if proxied else 0)
