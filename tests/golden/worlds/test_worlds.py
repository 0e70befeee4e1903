"""A small world of the end of each issue, made by the server of that time: its fate with the present one.

In each, Anna and Bert walked about in jsrogue of seed 7 until their server was stopped. `making.py` makes the next one.
"""

import gzip
import logging
import sqlite3
import zlib
from contextlib import closing
from hashlib import sha256
from pathlib import Path

import msgspec
import pytest

from gloam_lab.invariants import check_invariants
from gloam_server.app import config as settings
from gloam_server.app.campaign_files import read_files
from gloam_server.app.config import WORLD_FILE
from gloam_server.app.open_world import open_world
from gloam_server.app.upgrade import upgrade
from gloam_server.content.loader import load
from gloam_server.engine.recovery.replay import RealmMismatch, verify
from gloam_server.storage.open_store import open_store
from gloam_server.storage.sql.migrations import HEAD
from gloam_server.storage.sql.snapshot_bodies import pack, unpack
from gloam_server.storage.sqlite.world_file.copy import WorldSummary, summary_of
from gloam_server.world.transition.version import RULES_VERSION
from support.server.parties import turn
from support.server.sim_server import SimServer

HERE = Path(__file__).parent
SCHEMAS = {"issue-1": "0001", "issue-2": "0001", "issue-3": "0002", "issue-4": "0007", "issue-14": "0008"}
KEEPING_CONTENT = ["issue-4", "issue-14"]
"""Those that keep the files of their campaign, and so can be served with them again."""

PLAYED = "issue-14-played"
"""A world in which bots played the flagship: `tests/support/golden/world_playing.py` made it. Creatures remember much, and many records have a hash."""

NOW_S = 1_800_000_000


def placed(name: str, folder: Path) -> Path:
    """Put a golden world into a folder; return its file."""
    world = folder / WORLD_FILE
    world.write_bytes(gzip.decompress((HERE / f"{name}.sqlite3.gz").read_bytes()))
    return world


def schema(world: Path) -> str:
    with closing(sqlite3.connect(world)) as database:
        [(version,)] = database.execute("SELECT version_num FROM alembic_version")
    return str(version)


def summary(world: Path) -> WorldSummary:
    with closing(sqlite3.connect(world)) as database:
        return summary_of(database)


def served(folder: Path, campaign: Path | None = None) -> SimServer:
    options = {"port": 0, **({"campaign": f"{campaign}/"} if campaign else {})}
    store, dungeon = open_world(settings.resolve(folder, options, private=False), NOW_S)
    return SimServer(dungeon.campaign, store=store)


def content_of_that_time(world: Path, folder: Path) -> tuple[int, Path]:
    """Unpack the campaign that a world keeps; return the rules of the world, and the campaign's folder."""
    store = open_store(world)
    identity = store.directory.identity()
    assert identity is not None
    packed = store.directory.content(identity.content)
    store.close()
    assert packed is not None
    campaign = folder / "of-that-time"
    campaign.mkdir()
    for file, body in msgspec.msgpack.decode(zlib.decompress(packed), type=dict[str, bytes]).items():
        (campaign / file).write_bytes(body)
    return identity.rules, campaign


def lived_in(folder: Path) -> None:
    """Make a world of the present version in which Anna has walked about."""
    new = {"campaign": "jsrogue", "seed": 7, "port": 0}
    store, dungeon = open_world(settings.resolve(folder, new, private=False), NOW_S)
    server = SimServer(dungeon.campaign, store=store)
    anna = server.join("Anna")
    for _ in range(12):
        turn(server, anna)
    server.stop()
    store.close()


def played_on(folder: Path, campaign: Path | None = None) -> None:
    """Let Anna go on where she was, and see that everything holds and is replayed."""
    server = served(folder, campaign)
    anna = server.join("Anna")
    assert server.body(anna).actions == 12, "she begins again"
    for _ in range(3):
        turn(server, anna)
    for level in server.dungeon.levels.values():
        check_invariants(level)
    server.stop()
    assert verify(server.store, server.campaign)[1] == server.dungeon.state_hash()
    server.store.close()


@pytest.mark.parametrize("name", SCHEMAS)
def test_world_brought_forward_accounts_and_kept(name: str, tmp_path: Path) -> None:
    """Every world is brought forward with its accounts and kept as it was."""
    world = placed(name, tmp_path)
    before = world.read_bytes()
    assert schema(world) == SCHEMAS[name]
    store = open_store(world)
    assert schema(world) == HEAD
    for player in ("Anna", "Bert"):
        account = store.directory.account_by_name(player.lower())
        assert account is not None
        assert account.name == player
        assert store.directory.knows_device(account.number, sha256(player.encode().ljust(32, b".")).digest())
    assert store.file is not None
    former = store.file.former
    store.close()

    assert (former is None) == (SCHEMAS[name] == HEAD)
    if former is not None:
        assert former.name.startswith(f"world.tables-{SCHEMAS[name]}-")
        assert schema(former) == SCHEMAS[name]
        assert len(former.read_bytes()) == len(before)


@pytest.mark.parametrize("name", KEEPING_CONTENT)
def test_world_content_takes_other_rules(name: str, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """A world with its own content takes up other rules by itself and is played on."""
    rules, campaign = content_of_that_time(placed(name, tmp_path), tmp_path)
    with caplog.at_level(logging.INFO):
        played_on(tmp_path, campaign)
    logged = f"the rules of this world are now version {RULES_VERSION}" in caplog.text
    assert logged == (rules != RULES_VERSION)


@pytest.mark.thorough
def test_world_much_happened_verified_written(tmp_path: Path) -> None:
    """A world in which much happened is verified as it was written and played on."""
    rules, campaign = content_of_that_time(placed(PLAYED, tmp_path), tmp_path)
    store = open_store(tmp_path / WORLD_FILE)
    records = [record for partition in store.partitions() for record in store.journal.read(partition, 0)]
    assert sum(record.state_hash is not None for record in records) > 10
    replayed, _ = verify(store, load(read_files(f"{campaign}/")))
    store.close()
    assert replayed == (len(records) if rules == RULES_VERSION else 0)

    server = served(tmp_path, campaign)
    anna = server.join("Anna")
    for _ in range(3):
        turn(server, anna)
    for level in server.dungeon.levels.values():
        check_invariants(level)
    server.stop()
    assert verify(server.store, server.campaign)[1] == server.dungeon.state_hash()
    server.store.close()


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("issue-2", "the dungeon keeps its 6 depths; further rounds have 7"),
        ("issue-3", "the former files are not stored, so the changes are unknown"),
        ("issue-4", "rule digs_border was False, is True"),
    ],
)
def test_world_older_rules_and_content_taken(name: str, change: str, tmp_path: Path) -> None:
    """A world of older rules and content is taken up by an upgrade and played on."""
    world = placed(name, tmp_path)
    with pytest.raises(RealmMismatch, match="`gloam-server upgrade --data "):
        served(tmp_path)
    done = upgrade(world, None, NOW_S)
    assert change in done.changes
    played_on(tmp_path)


@pytest.mark.parametrize("folder", ["plain", "w #1", "w #1?x%41 é"])
def test_world_older_rules_left_tail_refused(tmp_path: Path, folder: str) -> None:
    """A world that older rules left with a tail is refused and stays theirs."""
    tmp_path /= folder
    tmp_path.mkdir()
    world = placed("issue-1", tmp_path)
    before = summary(world)
    for refused in (lambda: served(tmp_path), lambda: upgrade(world, None, NOW_S)):
        with pytest.raises(RealmMismatch, match=r"has changed since|was not stopped cleanly"):
            refused()
        assert schema(world) == "0001", "the version that it was played with could not open it any more"
        assert summary(world) == before
        assert [path.name for path in tmp_path.glob("world.*") if path.suffix == ".sqlite3"] == [WORLD_FILE]


@pytest.mark.parametrize("name", SCHEMAS)
def test_world_brought_forward_folder_any_name(name: str, tmp_path: Path) -> None:
    """Every world is brought forward in a folder of any name."""
    folder = tmp_path / "w #1?x%41 é"
    folder.mkdir()
    before = summary(placed(name, folder))
    store = open_store(folder / WORLD_FILE)
    assert store.file is not None
    former, count = (
        store.file.former,
        sum(store.journal.last_sequence(partition) for partition in store.partitions()),
    )
    store.close()
    assert count == sum(int(str(newest)) for _, _, newest, _ in before.records)
    assert former is None or summary(former) == before
    assert [path.name for path in tmp_path.iterdir()] == [folder.name]


@pytest.mark.thorough
@pytest.mark.rule("A70")
def test_a_world_edited_by_hand_is_kept_and_named(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """A world that was edited by hand is not trusted; it is named and kept."""
    lived_in(tmp_path)
    world = tmp_path / WORLD_FILE
    with closing(sqlite3.connect(world)) as database:
        [(sequence, body)] = database.execute(
            "SELECT sequence, body FROM snapshots WHERE place = 1 ORDER BY sequence DESC LIMIT 1"
        )
        richer = pack(unpack(body).replace(b"\xaaexperience\x00", b"\xaaexperience\x7f"))
        assert richer != body
        database.execute("UPDATE snapshots SET body = ? WHERE place = 1 AND sequence = ?", (richer, sequence))
        database.commit()

    played_on(tmp_path)
    [aside] = tmp_path.glob("world.damaged-*.sqlite3")
    with closing(sqlite3.connect(aside)) as database:
        query = "SELECT body FROM snapshots WHERE place = 1 AND sequence = ?"
        assert database.execute(query, (sequence,)).fetchone() == (richer,)
    assert f"snapshot of partition 1 at input {sequence} is damaged" in caplog.text
    assert f"the damaged file is kept as {aside}" in caplog.text
