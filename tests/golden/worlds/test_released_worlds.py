"""Worlds of released versions, in which bots played the flagship: they are upgraded, and new rules find what they need.

`tests/support/golden/world_playing.py` of each release made its world, with Anna, Bert and Carl.
"""

import gzip
from pathlib import Path

import pytest
from msgspec import UNSET

from gloam_lab.invariants import check_invariants
from gloam_server.app import config as settings
from gloam_server.app.campaign_files import unpack
from gloam_server.app.config import WORLD_FILE
from gloam_server.app.open_world import open_world
from gloam_server.app.upgrade import upgrade
from gloam_server.engine.recovery.replay import RealmMismatch, load_realm, verify
from gloam_server.rules.dice import Dice
from gloam_server.rules.growth import least_experience_beyond
from gloam_server.storage.open_store import open_store
from gloam_server.world.growth.experience import gain_experience
from gloam_server.world.model.context import TurnContext
from gloam_server.world.model.creature import Creature
from gloam_server.world.model.level import Level
from gloam_server.world.transition.dungeon import Dungeon
from gloam_server.world.transition.version import RULES_VERSION
from gloam_shared.appearance import Terrain
from gloam_shared.protocol.commands import ChooseFor, Climb, Wait
from gloam_shared.protocol.messages.lives import ChooseKit
from gloam_shared.protocol.messages.login import Joined
from support.server.parties import SPACING_MS, slain, turn
from support.server.sim_server import SimClient, SimServer

HERE = Path(__file__).parent
RELEASES = ("release-0.2.0", "release-0.3.0")
SEEN = 3
"""The deepest level that a player saw in each of them."""
NOW_S = 1_800_000_000

pytestmark = [pytest.mark.parametrize("release", RELEASES), pytest.mark.by_hand]


def upgraded(release: str, folder: Path) -> SimServer:
    """Return a server of the present version on the world of a release, after `gloam-server upgrade`."""
    world = folder / WORLD_FILE
    world.write_bytes(gzip.decompress((HERE / f"{release}.sqlite3.gz").read_bytes()))
    options = settings.resolve(folder, {"port": 0}, private=False)
    with pytest.raises(RealmMismatch, match="`gloam-server upgrade --data "):
        open_world(options, NOW_S)
    upgrade(world, None, NOW_S)
    store, dungeon = open_world(options, NOW_S)
    assert {level.state.rules_version for level in dungeon.levels.values()} == {RULES_VERSION}
    return SimServer(dungeon.campaign, store=store)


def of_that_time(release: str, folder: Path) -> Dungeon:
    """Return the dungeon of a release's world as its own campaign has it."""
    folder.mkdir()
    world = folder / WORLD_FILE
    world.write_bytes(gzip.decompress((HERE / f"{release}.sqlite3.gz").read_bytes()))
    store = open_store(world)
    identity = store.directory.identity()
    assert identity is not None
    packed = store.directory.content(identity.content)
    assert packed is not None
    campaign = unpack(packed)
    assert campaign is not None
    dungeon = load_realm(store, campaign, identity)
    store.close()
    return dungeon


def ways(level: Level, kind: Terrain) -> list[int]:
    return [cell for cell, terrain in enumerate(level.terrain) if terrain == kind]


def stood_on(level: Level, body: Creature, cell: int) -> None:
    """Put a body on a cell; who stands there goes aside."""
    other = level.at(cell)
    if other is not None and other is not body:
        aside = level.nearest_free_cell(cell)
        assert aside is not None
        level.move(other, aside)
    if body.cell != cell:
        level.move(body, cell)


def bodies(server: SimServer) -> list[Creature]:
    kept = [life.kept for life in server.dungeon.realm.lives.values() if life.kept is not None]
    levels = [server.dungeon.levels[at] for at in range(1, SEEN + 1)]
    return [*kept, *[body for level in levels for body in level.creatures.values()]]


def returned(server: SimServer) -> SimClient:
    """Let Anna return, in her life or the next one."""
    ann = server.join("Anna")
    server.advance(200)
    if not ann.of_kind(Joined):
        ann.begin_again()
        server.advance(200)
    assert ann.of_kind(Joined)
    return ann


@pytest.mark.thorough
def test_no_body_of_a_release_has_what_it_lacked(release: str, tmp_path: Path) -> None:
    """On levels that players saw no body has a kit, a bent, cards, a companion or a trophy, and none is down; what monsters learned is still known."""
    server = upgraded(release, tmp_path)
    assert bodies(server)
    for body in bodies(server):
        new = (
            body.kit,
            body.bent,
            body.offer,
            body.steps,
            body.companion,
            body.down,
            body.bond,
            body.hearing,
        )
        assert set(new) == {UNSET}, body.name
        assert body.statistics.trophies == []
        assert set(body.learned) <= server.campaign.traits.keys()
        assert not body.account or body.learned == []
    for level in server.dungeon.levels.values():
        check_invariants(level)
    realm = server.dungeon.realm
    assert (realm.kits, realm.fame.companions, realm.fame.trophies) == (UNSET, UNSET, UNSET)


@pytest.mark.thorough
def test_an_old_life_goes_on_and_is_replayed(release: str, tmp_path: Path) -> None:
    """It is offered no kit in its middle."""
    server = upgraded(release, tmp_path)
    ann = returned(server)
    assert ann.of_kind(Joined)[-1].kits == ()
    for _ in range(3):
        turn(server, ann, Wait())
    server.stop()
    assert verify(server.store, server.campaign)[1] == server.dungeon.state_hash()
    server.store.close()


@pytest.mark.thorough
def test_an_old_life_chooses_a_bent_at_its_next_level(release: str, tmp_path: Path) -> None:
    server = upgraded(release, tmp_path)
    ann = returned(server)
    level, body = server.level_of(ann), server.body(ann)
    wanted = least_experience_beyond(server.campaign.experience, body.level) - body.experience
    gain_experience(TurnContext(level, Dice(1, 1, 1)), body, wanted)
    turn(server, ann, Wait())
    assert len(ann.view.choices) == len(server.campaign.bents)
    ann.command(ChooseFor(0, 1))
    server.advance(SPACING_MS)
    assert server.body(ann).bent == next(iter(server.campaign.bents))
    server.store.close()


@pytest.mark.thorough
def test_the_heir_of_an_old_life_chooses_a_kit(release: str, tmp_path: Path) -> None:
    server = upgraded(release, tmp_path)
    ann = returned(server)
    server.body(ann).hp = 1
    slain(server, ann)
    ann.begin_again()
    server.advance(200)
    joined = ann.of_kind(Joined)[-1]
    assert len(joined.kits) >= 6
    ann.send(ChooseKit(joined.life, 0))
    server.advance(SPACING_MS)
    assert server.body(ann).kit == 1
    server.store.close()


@pytest.mark.thorough
@pytest.mark.rule("F164")
def test_new_levels_of_a_release_get_places(release: str, tmp_path: Path) -> None:
    """Levels that players saw stay as they were; below are places with looks, drawn rooms with devices, and ground."""
    before = of_that_time(release, tmp_path / "before")
    server = upgraded(release, tmp_path)
    levels, campaign = server.dungeon.levels, server.campaign
    seen = range(1, SEEN + 1)
    for at in seen:
        state, former = levels[at].state, before.levels[at].state
        assert (state.kind, state.terrain, state.traps) == (former.kind, former.terrain, former.traps)
        assert [body.number for body in state.bodies] == [body.number for body in former.bodies]
        assert {cell: len(pile) for cell, pile in state.piles.items()} == {
            cell: len(pile) for cell, pile in former.piles.items()
        }
        assert (state.memory, state.devices, state.surfaces) == (former.memory, UNSET, UNSET)
    new = [level for at, level in levels.items() if at not in seen]
    assert len(new) == 27 - SEEN
    assert all(campaign.look_of(level.state.kind) is not None for level in new)
    assert len({level.state.kind for level in new}) >= 8
    kinds = {
        device.kind for level in new if level.state.devices for device in level.state.devices.placed.values()
    }
    assert len(kinds) >= 6
    assert sum(bool(level.state.surfaces) for level in new) > 20
    wardens = {each.depth: each.warden for each in campaign.beacons.places}
    for at, warden in wardens.items():
        assert [body.kind for body in levels[at].creatures.values()].count(warden) == 1
    for number, named in server.dungeon.realm.fame.named.items():
        assert levels[named.partition].creatures[number].title == named.title
    server.store.close()


@pytest.mark.thorough
@pytest.mark.rule("F164")
def test_a_player_goes_down_to_new_levels_and_back(release: str, tmp_path: Path) -> None:
    """The world is stopped there and started again, and its replay agrees."""
    server = upgraded(release, tmp_path)
    ann = returned(server)
    body = server.body(ann)
    body.hp = body.hp_max = 400
    partition = server.level_of(ann).partition
    while partition <= SEEN:
        level = server.level_of(ann)
        stood_on(level, server.body(ann), ways(level, Terrain.STAIRS_DOWN)[0])
        turn(server, ann, Climb(down=True))
        assert server.level_of(ann).partition == partition + 1
        partition += 1
    assert ann.view.place.name
    turn(server, ann, Wait())
    level = server.level_of(ann)
    stood_on(level, server.body(ann), ways(level, Terrain.STAIRS_UP)[-1])
    turn(server, ann, Climb(down=False))
    assert server.level_of(ann).partition == SEEN
    for level in server.dungeon.levels.values():
        check_invariants(level)
    server.store.close()
