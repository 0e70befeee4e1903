"""The goal of a campaign in a few words, from its rule of victory. Pure."""

from gloam_server.content.campaign import Campaign
from gloam_shared.narration.rendering import with_definite_article


def goal_words(campaign: Campaign) -> str:
    """Return what the campaign is won with, such as "Kill the giant zombie on depth 7", without a full stop."""
    rules = campaign.victory
    match rules.rule:
        case "slay":
            victim = with_definite_article(campaign.creatures[rules.creature].name)
            return f"Kill {victim} on depth {campaign.depths}"
        case "escape":
            name = campaign.items[rules.item].name
            return f"Find the {name} on depth {campaign.depths}, and carry it out by the way you came in"
        case "use":
            return f"Find the {campaign.items[rules.item].name} at the bottom of the dungeon, and use it"
        case _:
            return "Go as deep as you can"
