"""Over real TCP: a session continues after a line breaks inside a message, in either direction."""

from collections import Counter
from pathlib import Path
from typing import Final

import pytest

from gloam_server.app.config import WORLD_FILE
from gloam_server.storage.open_store import open_store
from gloam_server.world.model.inputs import Arrive, Turn, decode
from gloam_shared.protocol.commands import Wait
from gloam_shared.protocol.messages.login import Error
from support.client.cutting_proxy import WAY, CuttingProxy, dialled_until
from support.client.fake_client import FakeClient
from support.processes.server_process import ServerProcess

pytestmark = pytest.mark.end_to_end

COMMANDS_MIN: Final = 5
COMMANDS_MAX: Final = 100
CUTS: Final[tuple[tuple[WAY, int], ...]] = (
    ("up", 30),  # within the login
    ("up", 66),  # within the first command
    ("up", 75),
    ("down", 40),  # within the greeting
    ("down", 300),
    ("down", 520),  # within the first picture
    ("down", 620),
)


def play(client: FakeClient, proxy: CuttingProxy) -> int:
    """Give commands, each when the one before is answered, until the line has been cut; return how many."""
    for given in range(1, COMMANDS_MAX):

        def is_done(number: int = given) -> bool:
            return client.link.done >= number

        # Before its token has arrived a new life's client logs in again, and its request ends with the line.
        dialled_until(client, lambda: client.link.joined and client.link._resume and not client.closed)
        client.do(Wait(), answered=False)
        dialled_until(client, is_done)
        if proxy.cuts and given >= COMMANDS_MIN:
            return given
    raise AssertionError(f"{client.received_bytes} bytes came and the line was never cut")


def durable(data: Path) -> dict[str, Counter[int]]:
    """Return for each player how often each of their numbered commands is in the journal."""
    owners: dict[int, str] = {}
    done: dict[str, Counter[int]] = {}
    store = open_store(data / WORLD_FILE)
    for record in store.journal.read(1, 0):
        match decode(record.body):
            case Arrive(creature) if creature.account:
                owners[creature.number] = creature.name
            case Turn(acts):
                for act in acts:
                    if act.number:
                        done.setdefault(owners[act.player], Counter())[act.number] += 1
    store.close()
    return done


@pytest.mark.thorough
@pytest.mark.rule("A28", "A45")
def test_a_cut_anywhere_runs_each_command_once(
    tmp_path: Path,
) -> None:
    """A connection that is cut anywhere resumes, and every command is carried out once."""
    given: dict[str, Counter[int]] = {}
    with ServerProcess(tmp_path / "realm", campaign="jsrogue") as server:
        for at, (way, byte) in enumerate(CUTS):
            proxy = CuttingProxy(server.port, way, byte)
            client = FakeClient(proxy.port, f"Guest{at}")
            given[client.link.name] = Counter(range(1, play(client, proxy) + 1))
            assert proxy.cuts == 1
            assert not client.of_kind(Error)
            assert client.link.unanswered is None
            client.leave()
            proxy.close()
    assert durable(server.data) == given
