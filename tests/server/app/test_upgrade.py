"""A campaign that changes under a living realm: nothing is lost, what cannot go on is named, and the world before is kept."""

import sqlite3
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path

import pytest
from msgspec.structs import replace

from gloam_lab.invariants import check_invariants
from gloam_server.app import config as settings
from gloam_server.app.config import WORLD_FILE
from gloam_server.app.open_world import open_world
from gloam_server.app.upgrade import Upgraded, upgrade
from gloam_server.content.loader import CampaignError
from gloam_server.engine.recovery import replay
from gloam_server.engine.recovery.replay import RealmMismatch, verify
from gloam_server.rules.dice import Dice
from gloam_server.storage.errors import StorageError
from gloam_server.storage.open_store import open_store
from gloam_server.world.model.creature import Item, Lasting
from gloam_server.world.transition.version import RULES_VERSION
from gloam_shared.appearance import Terrain
from gloam_shared.protocol.commands import Climb
from support.content.beacon_campaign import beacon_files
from support.content.campaigns import arena_files
from support.server.parties import turn
from support.server.sim_server import SimServer

NOW_S = 1_800_000_000
TROLL = b'\n[troll]\nname = "troll"\nglyph = "T"\ncolour = "green"\nhp = 30\nattack = 9\ntasks = ["hunt"]\n'

CHILL = b"""
[chill]
name = "chill"
words = "It makes stiff."
[[chill.effects]]
does = "strengthen"
attack = -1
turns = 5
word = "chilled"
"""


def write(folder: Path, files: Mapping[str, bytes]) -> None:
    (folder / "arena").mkdir(exist_ok=True)
    for name, body in files.items():
        (folder / "arena" / name).write_bytes(body)


def changed(folder: Path, name: str, old: bytes, new: bytes) -> None:
    """Change a file of the campaign beside a world."""
    path = folder / "arena" / name
    assert old in path.read_bytes()
    path.write_bytes(path.read_bytes().replace(old, new))


def served(folder: Path) -> SimServer:
    """Start a server on the folder's world."""
    at = settings.resolve(folder, {"campaign": f"{folder}/arena", "seed": 1, "port": 0}, private=False)
    store, dungeon = open_world(replace(at, exact_seed=True), NOW_S)
    return SimServer(dungeon.campaign, store=store)


def stopped(server: SimServer) -> bytes:
    """Stop a server cleanly; return the hash of the state that it leaves."""
    server.stop()
    server.store.close()
    return server.dungeon.state_hash()


def taken_up(folder: Path) -> Upgraded:
    return upgrade(folder / WORLD_FILE, f"{folder}/arena", NOW_S)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with a world in which Anna has played, stopped cleanly, its campaign beside it."""
    files = arena_files(monsters=6)
    write(tmp_path, {**files, "spells.toml": files["spells.toml"] + CHILL})
    server = served(tmp_path)
    anna = server.join("Anna")
    for _ in range(5):
        turn(server, anna)
    stopped(server)
    return tmp_path


def test_server_other_content_not_start(folder: Path) -> None:
    """A server with other content does not start and names the command."""
    before = (folder / WORLD_FILE).read_bytes()
    changed(folder, "creatures.toml", b"hp = 6", b"hp = 7")
    with pytest.raises(
        RealmMismatch,
        match=r"has changed since this world was played .*`gloam-server upgrade --data .*/arena`",
    ):
        served(folder)
    assert (folder / WORLD_FILE).read_bytes() == before


def test_new_creature_and_changed_number_taken(folder: Path) -> None:
    """The upgrade takes up a new creature and a changed number, and reports both."""
    changed(folder, "creatures.toml", b"hp = 6\n", b"hp = 7\n")
    changed(folder, "creatures.toml", b"[rat]", TROLL + b"[rat]")
    done = taken_up(folder)
    assert done.changes == ["creature troll is new", "creature kobold: hp was 6, is 7"]
    server = served(folder)
    anna = server.join("Anna")
    assert server.body(anna).actions == 5, "her life goes on"
    assert server.put("troll", server.body(anna).cell).hp == 30
    assert server.put("kobold", server.body(anna).cell).hp == 7
    turn(server, anna)
    assert verify(server.store, server.campaign)[1] == stopped(server)


def test_world_before_kept_whole_and_goes_content(folder: Path) -> None:
    """The world before is kept whole and still goes by its own content."""
    whole = open_store(folder / WORLD_FILE)
    content, last = whole.directory.identity(), whole.journal.last_sequence(1)
    whole.close()
    changed(folder, "creatures.toml", b"hp = 6", b"hp = 7")
    done = taken_up(folder)
    assert done.copy is not None
    assert done.copy.name == "world.before-20270115-080000.sqlite3"
    kept = open_store(done.copy)
    assert (kept.directory.identity(), kept.journal.last_sequence(1)) == (content, last)
    kept.close()


def test_a_changed_place_is_sent_and_begins_again(folder: Path) -> None:
    """Every place has a snapshot with the change at its last input."""
    changed(folder, "creatures.toml", b"hp = 6", b"hp = 7")
    taken_up(folder)
    store = open_store(folder / WORLD_FILE)
    for partition in store.partitions():
        assert [mark.sequence for mark in store.snapshots.marks(partition)] == [
            store.journal.last_sequence(partition)
        ]
    store.close()


def test_nothing_to_take_up_leaves_no_copy(folder: Path) -> None:
    before = (folder / WORLD_FILE).read_bytes()
    assert taken_up(folder) == Upgraded([], None)
    assert (folder / WORLD_FILE).read_bytes() == before
    assert list(folder.glob("*before*")) == []


def test_kind_gone_and_lives_named(folder: Path) -> None:
    """A kind that is gone and still lives is named with where and nothing is changed."""
    server = served(folder)
    anna = server.join("Anna")
    for _ in range(2):
        server.put("ogre", server.body(anna).cell)
    stopped(server)
    before = (folder / WORLD_FILE).read_bytes()
    changed(folder, "creatures.toml", b"[ogre]", b"[giant]")
    with pytest.raises(
        RealmMismatch, match=r'no longer has: the creature "ogre" \(2, level 1\)\. Put it back'
    ):
        taken_up(folder)
    assert (folder / WORLD_FILE).read_bytes() == before
    assert list(folder.glob("*before*")) == []


def test_a_kind_that_is_gone_and_lives_nowhere_may_go(folder: Path) -> None:
    changed(folder, "creatures.toml", b"[statue]", b"[pillar]")
    assert taken_up(folder).changes == ["creature statue is gone", "creature pillar is new"]
    stopped(served(folder))


def test_things_spells_and_kinds_level_gone_named(folder: Path) -> None:
    """Things spells and kinds of level that are gone are named too."""
    server = served(folder)
    anna = server.join("Anna")
    level, body = server.level_of(anna), server.body(anna)
    for number, kind in ((90_001, "apple"), (90_002, "sword")):
        level.put_item(Item(number, kind, kind, "red"), body.cell, Dice(1, 1, number))
    body.slots[0] = Item(90_003, "sword", "sword", "gray")
    body.lasting.append(Lasting("chill", 0, 3))
    turn(server, anna)
    anna.leave()
    server.advance(20_000)
    stopped(server)
    for name, key in (("items", b"apple"), ("items", b"sword"), ("levels", b"caves"), ("spells", b"chill")):
        changed(folder, f"{name}.toml", b"[" + key, b"[new_" + key)
    with pytest.raises(RealmMismatch) as refused:
        taken_up(folder)
    for result in (
        'the level "caves" (2, level 1, level 2)',
        'the item "apple" (1, level 1)',
        'the item "sword" (2, level 1, with Anna)',
        'what the spell "chill" leaves on a body (1, with Anna)',
    ):
        assert result in str(refused.value)


@pytest.mark.thorough
def test_smaller_numbers_bound_brought_within(folder: Path) -> None:
    """A state that smaller numbers bound is brought within them."""
    server = served(folder)
    anna = server.join("Anna")
    body = server.body(anna)
    body.slots[0] = Item(90_003, "sword", "sword", "gray")
    body.wielded = 90_003
    body.lasting.append(Lasting("chill", 0, 5))
    turn(server, anna)
    stopped(server)
    changed(folder, "items.toml", b"attack = 10\nwieldable = true", b"attack = 10\nwearable = true")
    changed(folder, "spells.toml", b"turns = 5", b"turns = 2")
    taken_up(folder)

    again = served(folder)
    body = again.body(again.join("Anna"))
    assert (body.wielded, body.slots[0] is not None) == (0, True)
    assert [state.turns for state in body.lasting] == [2]
    for level in again.dungeon.levels.values():
        check_invariants(level)
    stopped(again)


@pytest.mark.thorough
def test_after_crash_kept_content_leads_play(folder: Path) -> None:
    """After a crash the kept content leads to where play was and nothing is lost."""
    server = served(folder)
    anna = server.join("Anna")
    for _ in range(4):
        turn(server, anna)
    server.crash()
    server.store.close()
    changed(folder, "creatures.toml", b"hp = 6", b"hp = 7")
    taken_up(folder)
    server = served(folder)
    assert server.body(server.join("Anna")).actions == 9
    stopped(server)


def forget_content(folder: Path) -> None:
    with closing(sqlite3.connect(folder / WORLD_FILE)) as database:
        database.execute("DELETE FROM contents")
        database.commit()


def test_world_before_content_kept_taken(folder: Path) -> None:
    """A world of before content was kept is taken up after a clean stop."""
    forget_content(folder)
    changed(folder, "creatures.toml", b"hp = 6", b"hp = 7")
    assert taken_up(folder).changes == ["the former files are not stored, so the changes are unknown"]
    stopped(served(folder))


def test_after_crash_refused_naming_run(folder: Path) -> None:
    """After a crash it is refused naming what to run."""
    server = served(folder)
    turn(server, server.join("Anna"))
    server.crash()
    server.store.close()
    forget_content(folder)
    changed(folder, "creatures.toml", b"hp = 6", b"hp = 7")
    with pytest.raises(RealmMismatch, match=r"not stopped cleanly.*run the version of Gloam .* once"):
        taken_up(folder)


def test_tail_other_rules_refused_naming_version(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A tail by other rules is refused naming their version."""
    server = served(folder)
    turn(server, server.join("Anna"))
    server.crash()
    server.store.close()
    changed(folder, "creatures.toml", b"hp = 6", b"hp = 7")
    monkeypatch.setattr(replay, "RULES_VERSION", RULES_VERSION + 1)
    with pytest.raises(
        RealmMismatch, match=f"not stopped cleanly by rules version {RULES_VERSION}, and this is version"
    ):
        taken_up(folder)


def test_another_campaign_no_other_version(folder: Path) -> None:
    """Another campaign is no other version of this one."""
    with pytest.raises(RealmMismatch, match=r'The world is campaign "arena", .* not "jsrogue"'):
        upgrade(folder / WORLD_FILE, "jsrogue", NOW_S)


def test_campaign_mistake_named_file_and_key(folder: Path) -> None:
    """A campaign with a mistake is named by file and key."""
    changed(folder, "creatures.toml", b"hp = 6", b"hp = 0")
    with pytest.raises(CampaignError, match=r"creatures\.toml, kobold\.hp"):
        taken_up(folder)


def test_a_world_that_is_being_served_is_left_alone(folder: Path) -> None:
    server = served(folder)
    changed(folder, "creatures.toml", b"hp = 6", b"hp = 7")
    with pytest.raises(StorageError, match="open in another server"):
        taken_up(folder)
    stopped(server)


@pytest.mark.rule("F185")
@pytest.mark.parametrize("visited", [False, True])
def test_wardens_come_where_no_player_was(tmp_path: Path, visited: bool) -> None:
    """A campaign that has got beacons: a level that no player saw gets its warden, a visited one stays as it was."""
    write(tmp_path, arena_files())
    server = served(tmp_path)
    anna = server.join("Anna")
    server.advance(200)
    if visited:
        server.walk_to(anna, Terrain.STAIRS_DOWN)
        turn(server, anna, Climb(down=True))
        assert server.level_of(anna).partition == 2
    stopped(server)
    write(tmp_path, beacon_files())
    taken_up(tmp_path)
    server = served(tmp_path)
    first, second = (
        [body.kind for body in server.dungeon.levels[depth].creatures.values()] for depth in (1, 2)
    )
    assert "kobold" not in first
    assert second.count("ogre") == (0 if visited else 1)
    check_invariants(server.dungeon.levels[2])
    assert verify(server.store, server.campaign)[1] == stopped(server)
