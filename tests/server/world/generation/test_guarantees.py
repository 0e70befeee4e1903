"""F72: what every realm holds on its first depths, the error where no realm could; F135: the most of a kind."""

import pytest

from gloam_server.content.content_errors import CampaignError
from gloam_server.content.loader import load
from gloam_server.world.generation import NoDungeon, generate_round
from gloam_server.world.transition.dungeon import new_dungeon, populate
from support.content.campaigns import arena_files, shipped
from support.run.effort import effort

SEEDS = range(1, 1 + effort(4, 12))


@pytest.mark.thorough
@pytest.mark.rule("F72")
@pytest.mark.parametrize("seed", SEEDS)
def test_first_depths_teach(seed: int) -> None:
    """Depths 1 to 3 of the flagship hold a shrine, a choice, a grave, and one kind for each thing to learn."""
    dungeon = new_dungeon(shipped("gloam"), seed)
    features = {feature for each in dungeon.maps.values() if each.depth <= 3 for feature in each.features}
    populate(dungeon)
    levels = [level for level in dungeon.levels.values() if level.depth <= 3]
    kinds = {creature.kind for level in levels for creature in level.creatures.values()}
    lying = [item for level in levels for _, item in level.items_at()]
    assert features >= {"shrine", "treasury", "tomb"}
    assert kinds >= {"slinger", "imp", "bear", "drummer"}
    assert any(item.kind == "grave" and ", who " in item.name for item in lying)
    assert sum(item.choice > 0 for item in lying) >= 3


@pytest.mark.thorough
@pytest.mark.rule("F185")
@pytest.mark.parametrize("seed", SEEDS[::4])
def test_each_beacon_has_its_warden(seed: int) -> None:
    """Each realm has one warden of each kind, on the depth of its beacon, awake."""
    dungeon = new_dungeon(shipped("gloam"), seed)
    populate(dungeon)
    wardens = {beacon.warden: beacon.depth for beacon in dungeon.campaign.beacons.places}
    found = [
        (body.kind, level.depth, body.asleep)
        for level in dungeon.levels.values()
        for body in level.creatures.values()
        if body.kind in wardens
    ]
    assert sorted(found) == sorted((kind, depth, 0) for kind, depth in wardens.items())


HEALING = ("potion_healing", "potion_great_healing")


@pytest.mark.thorough
@pytest.mark.rule("F135")
def test_a_realm_has_at_most_thirty_potions_of_healing() -> None:
    """Many realms, in their maps and as they are populated; what is left lies on upper and lower depths."""
    for seed in range(effort(6, 14)):
        maps = generate_round(shipped("gloam"), seed)
        depths = [level.depth for level in maps for good in level.goods if good.kind in HEALING]
        assert 20 <= len(depths) <= 30
        assert min(depths) <= 4
        assert max(depths) >= 20
    dungeon = new_dungeon(shipped("gloam"), 3)
    populate(dungeon)
    lying = [item.kind for level in dungeon.levels.values() for _, item in level.items_at()]
    assert sum(kind in HEALING for kind in lying) <= 30


@pytest.mark.thorough
@pytest.mark.rule("F135")
def test_what_is_left_out_is_drawn_by_the_seed() -> None:
    def lying(seed: int) -> list[tuple[int, str]]:
        maps = generate_round(shipped("gloam"), seed)
        return [(level.depth, good.kind) for level in maps for good in level.goods if good.kind in HEALING]

    assert lying(1) == lying(1) != lying(2)


def guaranteeing(words: str) -> dict[str, bytes]:
    files = arena_files(monsters=2)
    files["campaign.toml"] += f"\n[[guaranteed]]\n{words}\n".encode()
    return files


@pytest.mark.rule("F72")
def test_a_creature_comes_on_its_depth() -> None:
    """A kind that never spawns appears where it is guaranteed."""
    campaign = load(guaranteeing('depths = [2, 2]\ncreatures = ["statue"]'))
    for seed in range(5):
        maps = generate_round(campaign, seed)
        assert [sum(each.kind == "statue" for each in level.creatures) for level in maps] == [0, 1]


@pytest.mark.rule("F72")
def test_a_guaranteed_item_is_not_left_out() -> None:
    """One apple may lie in a realm: it is the guaranteed one on depth 1, and those that were drawn are left out."""
    files = guaranteeing('depths = [1, 1]\nitems = ["apple"]')
    files["items.toml"] = files["items.toml"].replace(b"[apple]\n", b"[apple]\nrealm_max = 1\n")
    campaign = load(files)
    for seed in range(5):
        maps = generate_round(campaign, seed)
        assert [sum(each.kind == "apple" for each in level.goods) for level in maps] == [1, 0]


@pytest.mark.rule("F72")
@pytest.mark.parametrize("seed", [1002, 5130, 10042, 10241])
def test_seeds_that_need_many_attempts(seed: int) -> None:
    """Each of these seeds of the flagship lacked a site for a guaranteed place in its first 16 attempts."""
    assert len(generate_round(shipped("gloam"), seed)) == shipped("gloam").depths


@pytest.mark.rule("F72")
def test_no_site_is_one_sentence() -> None:
    """The error says what to change if no attempt finds a site for a guaranteed place."""
    files = guaranteeing('depths = [1, 1]\nfeature = "vault"')
    files["levels.toml"] = files["levels.toml"].replace(b"height = 12", b"height = 10")
    files["levels.toml"] = files["levels.toml"].replace(b"fill_percent = 60", b"fill_percent = 80")
    with pytest.raises(NoDungeon, match="finds no site for a guaranteed place"):
        generate_round(load(files), 1)


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("depths = [2, 1]\nfeature = 'shrine'", r"guaranteed\[0\].depths"),
        ("depths = [1, 9]\nfeature = 'shrine'", r"guaranteed\[0\].depths"),
        ("depths = [1, 2]", r"name either a place, some creatures or some items"),
        ("depths = [1, 2]\nfeature = 'shrine'\nitems = ['apple']", r"name either a place"),
        ("depths = [1, 2]\nitems = ['crown']", r"guaranteed\[0\].items"),
        ("depths = [1, 2]\ncreatures = ['dragon']", r"guaranteed\[0\].creatures"),
    ],
)
def test_a_wrong_guarantee_is_named(words: str, expected: str) -> None:
    """A guarantee that no realm could keep is an error of the campaign."""
    with pytest.raises(CampaignError, match=expected):
        load(guaranteeing(words))
