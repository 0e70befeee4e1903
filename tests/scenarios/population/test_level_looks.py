"""The looks of places: what a level shows of itself, what a player reads on arrival, and what a campaign may not say."""

import pytest
from msgspec.structs import replace

from gloam_server.content.campaign import Campaign
from gloam_server.content.checks.level_checks import check_levels
from gloam_server.content.content_errors import CampaignError
from gloam_server.content.levels import LevelLook
from gloam_server.views.own_body import place_of
from gloam_server.world.model.inputs import Arrive, Leave
from gloam_shared.appearance import COLORS, FLOOR_SIGNS, TINTS, WALL_SIGNS
from support.content.campaigns import arena, shipped
from support.scenarios.scenario import Scenario, read_events

GLOAM = shipped("gloam")
WORDS = "Water drips from the walls."
LOOK = LevelLook(
    wall="▚", floor="∙", walls=("teal", "green"), floors=("gray", "gray"), tint="moss", words=WORDS
)


def looking(look: LevelLook | None, name: str = "the wet caves") -> Campaign:
    campaign = arena()
    key, kind = next(iter(campaign.levels.items()))
    return replace(campaign, levels={**campaign.levels, key: replace(kind, name=name, look=look)})


def scene(look: LevelLook | None) -> Scenario:
    campaign = looking(look)
    scenario = Scenario("#1.#", campaign=campaign)
    scenario.level.state.kind = next(iter(campaign.levels))
    return scenario


def test_a_first_arrival_reads_of_the_place() -> None:
    scenario = scene(LOOK)
    other = Scenario("#2.#", campaign=looking(LOOK))["2"]
    assert WORDS in read_events(scenario.apply(Arrive(other, 2, (2, 1, 0))).events, other)
    scenario.apply(Leave(other.number))
    assert WORDS not in read_events(scenario.apply(Arrive(other, 2, (2, 2, 0))).events, other)


@pytest.mark.parametrize(
    ("depth", "words"), [(2, "One."), (3, "Two."), (4, "Three."), (5, "One."), (1, "Three.")]
)
def test_each_depth_of_a_place_has_the_next_words(depth: int, words: str) -> None:
    campaign = looking(replace(LOOK, words="One.", deeper=("Two.", "Three.")))
    key, kind = next(iter(campaign.levels.items()))
    placed = replace(campaign, levels={**campaign.levels, key: replace(kind, depths=(2, 6))})
    assert placed.arrival_words(key, depth) == words


def test_no_words_of_gloams_places_are_said_twice() -> None:
    looks = [kind.look for kind in GLOAM.levels.values() if kind.look is not None]
    said = [words for look in looks for words in (look.words, *look.deeper)]
    assert len(set(said)) == len(said) >= 40


def test_a_place_with_a_look_stands_in_the_title() -> None:
    place = place_of(scene(LOOK).level)
    assert place.name == "The wet caves, depth 1"
    assert place.look is not None
    assert (place.look.wall, place.look.floor, place.look.tint) == ("▚", "∙", "moss")


def test_without_a_look_the_title_is_the_campaigns() -> None:
    place = place_of(scene(None).level)
    assert place.name == f"{arena().title}, level 1"
    assert place.look is None


def test_an_unknown_kind_of_level_has_no_look() -> None:
    scenario = scene(LOOK)
    scenario.level.state.kind = "gone"
    assert place_of(scenario.level).look is None


@pytest.mark.parametrize(
    ("look", "name", "names"),
    [
        (replace(LOOK, walls=("teal", "mauve")), "the caves", "look.walls"),
        (replace(LOOK, floors=("mauve", "gray")), "the caves", "look.floors"),
        (LOOK, "", "name"),
    ],
)
def test_a_look_that_cannot_be_shown_is_refused(look: LevelLook, name: str, names: str) -> None:
    with pytest.raises(CampaignError, match=rf"levels\.toml.*{names}"):
        check_levels(looking(look, name))


def test_the_places_of_gloam_differ() -> None:
    """No two kinds of level look alike, and a depth has seldom the only look of the depth above."""
    looks = {key: kind.look for key, kind in GLOAM.levels.items() if kind.look is not None}
    assert len(looks) == len(GLOAM.levels) >= 10
    drawn = {(look.wall, look.walls, look.floors, look.tint) for look in looks.values()}
    assert len(drawn) == len(looks) == len({look.words for look in looks.values()})
    for look in looks.values():
        assert {*look.walls, *look.floors} <= set(COLORS)
        assert look.wall in WALL_SIGNS
        assert look.floor in FLOOR_SIGNS
        assert look.tint in TINTS


@pytest.mark.parametrize("key", ["jsrogue", "rltut", "ruggrogue"])
def test_the_classics_look_as_their_games_did(key: str) -> None:
    assert not any(kind.look for kind in shipped(key).levels.values())
