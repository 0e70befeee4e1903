"""The goal of a campaign, in a few words."""

import pytest
from msgspec.structs import replace

from gloam_server.app.campaign_files import read_campaign
from gloam_server.content.campaign_schema import VictoryRules
from gloam_server.gateway.login.admission import welcome_message
from gloam_server.views.texts.campaign_goal import goal_words


@pytest.mark.parametrize(
    ("key", "words"),
    [
        ("gloam", "Kill the Gloam on depth 27"),
        ("jsrogue", "Kill the giant zombie on depth 7"),
        ("rltut", "Find the teddy bear on depth 5, and carry it out by the way you came in"),
        ("ruggrogue", "Find the present at the bottom of the dungeon, and use it"),
    ],
)
def test_every_campaign_names_its_goal(key: str, words: str) -> None:
    campaign = read_campaign(key)
    assert goal_words(campaign) == words == welcome_message(campaign, 1, 8, "", guests=False).goal


def test_a_campaign_without_victory_has_a_goal_too() -> None:
    campaign = read_campaign("jsrogue")
    assert goal_words(replace(campaign, victory=VictoryRules())) == "Go as deep as you can"
