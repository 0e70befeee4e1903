"""Every text about a creature, item, spell or trap of each campaign, read by the rules of `support.content.sentences`."""

from collections.abc import Iterator

import pytest
from msgspec.structs import replace

from gloam_client.render import descriptions
from gloam_client.screens.session.character_dump import character_dump, dump_text
from gloam_client.screens.session.death_pages import forebear_words, recap_lines
from gloam_client.state.guidance.goals import goal_line
from gloam_client.state.map.sightings import announcement
from gloam_client.update import update
from gloam_server.views.texts.campaign_goal import goal_words
from gloam_server.views.texts.life_summaries import describe_life
from gloam_server.views.texts.news import news_text
from gloam_server.world.model.events import DroppedItem, PlayerDied
from gloam_server.world.realm.chronicle import LifeEnded, NameFell, NameRose
from gloam_shared.appearance import TERRAIN_LOOKS
from gloam_shared.protocol.messages.lives import DamageTaken, Died, Forebear, Recap
from gloam_shared.protocol.messages.records import History
from gloam_shared.view.view import Creature, CreatureFlag, FloorItem, InventoryItem, Item, ItemFlag, View
from support.client.fake_server import level_view
from support.client.model_in_play import heard, playing
from support.content.campaigns import shipped
from support.content.item_phrases import CAMPAIGNS
from support.content.sentences import creature_names, faults, force_names, item_names

HERE = level_view()


def carried(name: str, traits: int = ItemFlag.WIELDABLE, count: int = 1, bound: int = 0) -> InventoryItem:
    return InventoryItem(
        0, "/", "white", name, traits, 3, 0, 0, words="It is heavy.", count=count, bound=bound
    )


def about_creature(name: str) -> Iterator[str]:
    """Yield what looking, sightings, news and stories say of a creature."""
    foe = Creature(20, HERE.cell + 2, 3, 5, 2, CreatureFlag.HOSTILE, "r", "brown", name, 2, 1, 1)
    view = replace(HERE, creatures=(*HERE.creatures, foe))
    yield descriptions.describe_creature(foe, view).partition(" - ")[2]
    yield announcement([foe], view, "ratio")
    yield announcement([foe, replace(foe, handle=21)], view, "ratio")
    yield news_text(NameRose(1, "Skarn", name, 1, 4, ("Ann",)))
    yield from descriptions.history_words(History(20, 3, 1, 2, 40, 9, (name,), 2, ("thick hide",)))


def about_cause(name: str) -> Iterator[str]:
    """Yield what news, stories, chronicle and recap say of what ended a life, or did the most damage."""
    yield news_text(LifeEnded("Ann", 1, False, name, 1, 2, 9, worst="kobold"))
    yield news_text(LifeEnded("Ann", 1, False, "kobold", 1, 2, 9, worst=name))
    yield news_text(NameFell(1, "Skarn", 1, 4, name))
    yield from describe_life(shipped("gloam"), life(by="kobold", worst=name, foe=name))
    yield from describe_life(shipped("gloam"), life(by=name, worst="kobold"))
    yield forebear_words(Forebear("Ann", False, name, 1, 2, 9))
    yield from recap_lines(
        Recap(10, (DamageTaken(name, 9, 2), DamageTaken("kobold", 3, 1)), (), "", ()), HERE
    )


def life(**more: object) -> PlayerDied:
    fields: dict[str, object] = {
        "account": 1, "number": 1_024, "name": "Bert", "partition": 1, "cell": 40, "level": 4, "experience": 57,
        "turns": 812, "kills": 12, "command": 99, "foe_level": 3, "worst_damage": 7, "worst_total": 9, **more,
    }  # fmt: skip
    return PlayerDied(**fields)  # type: ignore[arg-type]  # the fields are those above


def about_item(name: str) -> Iterator[str]:
    """Yield what looking, the inventory, stories and goals say of an item."""
    yield descriptions.describe_item(Item(9, HERE.cell + 1, 2, "/", "white", name)).partition(" - ")[2]
    yield descriptions.describe_pile((FloorItem(9, "/", "white", name), FloorItem(10, "/", "white", "rock")))
    yield from descriptions.describe_inventory_item(carried(name))
    yield from descriptions.describe_inventory_item(carried(name, count=3, bound=1))
    for used in ({"wielded": True, "worn": False}, {"wielded": False, "worn": True}):
        left = DroppedItem(item=1, name=name, offered=False, **used)
        yield from describe_life(shipped("gloam"), life(by="kobold", remains=(left,)))
    for prize in (ItemFlag.PRIZE, ItemFlag.PRIZE | ItemFlag.USABLE):
        goal = goal_line(playing(replace(HERE, inventory=(carried(name, prize),))))
        yield goal.partition(";")[0]  # after it stands a key, such as "a"
    yield from recap_lines(Recap(10, (), (name,), "", ()), HERE)


def dumped(view: View, name: str) -> list[str]:
    """Return the lines of the dump of a life that ended by this name, with everything that the view holds."""
    died = Died(name, 1, 2, 9, 30, 1, 5, False, ("Ann was the first of her line.",), ())
    model, _ = update(
        playing(view), heard(died, Recap(10, (DamageTaken(name, 9, 2),), (), "", ()), view=view), 1
    )
    return dump_text(character_dump(model, "test")).splitlines()


@pytest.mark.parametrize("campaign", CAMPAIGNS)
def test_words_about_creatures_read_right(campaign: str) -> None:
    told = {text for name in creature_names(campaign) for text in (*about_creature(name), *about_cause(name))}
    assert [fault for text in sorted(told) for fault in faults(text)] == []


@pytest.mark.thorough
@pytest.mark.parametrize("campaign", CAMPAIGNS)
def test_words_about_items_and_forces_read_right(campaign: str) -> None:
    told = {text for name in item_names(campaign) for text in about_item(name)}
    told |= {text for name in force_names(campaign) for text in about_cause(name)}
    assert [fault for text in sorted(told) for fault in faults(text)] == []


@pytest.mark.parametrize("campaign", CAMPAIGNS)
def test_dumps_read_right(campaign: str) -> None:
    """A dump holds every item of the campaign together, and one for each creature and force ends a life."""
    full = replace(HERE, inventory=tuple(carried(name) for name in item_names(campaign)))
    told = {*dumped(full, "kobold")}
    told |= {
        line for name in (*creature_names(campaign), *force_names(campaign)) for line in dumped(HERE, name)
    }
    assert [fault for text in sorted(told) for fault in faults(text.strip(), columns=True)] == []


@pytest.mark.parametrize("campaign", CAMPAIGNS)
def test_goals_and_ground_read_right(campaign: str) -> None:
    rules = shipped(campaign)
    told = [goal_words(rules), rules.story, *rules.lessons.values()]
    told += [descriptions.describe_terrain(terrain, rules.terrain_words) for terrain in TERRAIN_LOOKS]
    told += [kind.words for kind in rules.creatures.values()]
    told += [kind.words for kind in rules.items.values()]
    told += [spell.words for spell in rules.spells.values()]
    assert [fault for text in told if text for fault in faults(text)] == []
