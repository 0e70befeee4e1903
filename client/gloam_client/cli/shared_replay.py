"""HOST[:PORT]/ID on the command line: a replay that a server's host shares."""

import asyncio
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from gloam_client.cli.usage_error import UsageError
from gloam_client.net.guest.server_replay import fetch_replay
from gloam_client.net.tls_connect import ConnectFailed
from gloam_client.replays.replay_library import SUFFIX
from gloam_client.user_files.address import BadAddress, parse_address
from gloam_client.user_files.known_servers import BadKnownServers

_SHARED: Final = re.compile(r"([^/\\.~][^/\\]*)/([A-Za-z0-9-]{1,32})")


def is_shared(named: str) -> bool:
    """Return whether this names a replay of a server; a file of that name goes before it."""
    return _SHARED.fullmatch(named) is not None and not Path(named).exists()


@contextmanager
def fetched(data: Path, named: str) -> Iterator[Path]:
    """Fetch a shared replay into a file that is deleted at the end. Raises UsageError."""
    found = _SHARED.fullmatch(named)
    assert found is not None, "is_shared comes first"
    try:
        whole = asyncio.run(fetch_replay(parse_address(found[1]), data, found[2]))
    except ConnectFailed as error:
        raise UsageError(error.text) from error
    except (BadAddress, BadKnownServers) as error:
        raise UsageError(str(error)) from error
    with TemporaryDirectory(prefix="gloam-") as folder:
        path = Path(folder) / f"{found[2]}{SUFFIX}"
        try:
            path.write_bytes(whole)
        except OSError as error:
            raise UsageError(f"{path} cannot be written ({error.strerror}).") from error
        yield path
