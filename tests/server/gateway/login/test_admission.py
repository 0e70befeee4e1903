"""The greeting: a campaign's own words and formula reach the client before its player does anything."""

from functools import cache

import pytest

from gloam_shared.appearance import Terrain
from gloam_shared.protocol.messages.login import Welcome
from support.content.campaigns import shipped
from support.server.sim_server import SimServer

_OF_RLTUT = {Terrain.FLOOR, Terrain.WALL, Terrain.STAIRS_DOWN, Terrain.STAIRS_UP}


@cache
def welcome(campaign: str) -> Welcome:
    """Return how the server of a shipped campaign greets."""
    [messages] = SimServer(shipped(campaign), 1).join("Anna").of_kind(Welcome)
    assert isinstance(messages, Welcome)
    return messages


@pytest.mark.thorough
@pytest.mark.rule("J14.9")
@pytest.mark.parametrize("campaign", ["jsrogue", "gloam"])
def test_level_brings_offered_letters_stats(campaign: str) -> None:
    """The gains of a level are offered by letters as stats."""
    welcome_message = welcome(campaign)
    assert (welcome_message.choosing, welcome_message.marks) == ("Choose a stat to increase", "letters")


@pytest.mark.rule("T14.9")
def test_level_brings_offered_digits_bonus() -> None:
    """The gains of a level are offered by digits as a bonus."""
    welcome_message = welcome("rltut")
    assert (welcome_message.choosing, welcome_message.marks) == ("Choose a level up bonus", "digits")


@pytest.mark.rule("TG.3")
def test_words_rltuts_tiles_come_numbers() -> None:
    """The words of rltut's tiles are found by their numbers."""
    looks = dict(zip(Terrain, welcome("rltut").terrain, strict=True))
    assert looks[Terrain.FLOOR] == "a dirt and rock cave floor"
    assert looks[Terrain.WALL] == "a dirt and rock cave wall"
    assert looks[Terrain.STAIRS_DOWN] == "a stone staircase that goes down"
    assert looks[Terrain.STAIRS_UP] == "a stone staircase that goes up"
    assert {words for tile, words in looks.items() if tile not in _OF_RLTUT} == {""}


@pytest.mark.rule("JG.1")
def test_a_campaign_without_tile_words_sends_none() -> None:
    """A campaign without words of its own for tiles sends none."""
    assert welcome("jsrogue").terrain == ()


@pytest.mark.thorough
@pytest.mark.rule("RG.25")
def test_ruggrogue_alone_recalls_terrain() -> None:
    """Ruggrogue alone recalls terrain and nothing more."""
    welcome_message = {
        campaign: welcome(campaign).recall for campaign in ("gloam", "jsrogue", "rltut", "ruggrogue")
    }
    assert welcome_message == {**dict.fromkeys(welcome_message, "things"), "ruggrogue": "terrain"}


@pytest.mark.rule("F92")
def test_only_gloam_offers_a_life_beside_a_friend() -> None:
    """A client shows the key only where the campaign lets lives begin beside friends."""
    offers = {
        campaign: "beside" in welcome(campaign).abilities
        for campaign in ("gloam", "jsrogue", "rltut", "ruggrogue")
    }
    assert offers == {**dict.fromkeys(offers, False), "gloam": True}
