"""The number of items that may lie about: rule A66."""

import pytest

from gloam_lab.invariants import check_invariants
from gloam_server.rules.dice import Dice
from gloam_server.world.items import floor_items
from gloam_server.world.model.context import TurnContext
from gloam_server.world.model.events import ItemDestroyed, Narration
from support.content.campaigns import shipped
from support.scenarios.scenario import Scenario, narrations

JSROGUE = shipped("jsrogue")


def strew(context: TurnContext, kind: str, count: int, owner: int = 0) -> list[int]:
    """Lay this many things on one cell, each by an input of its own; return their numbers."""
    made = []
    for _ in range(count):
        context.level.state.sequence += 1
        item = floor_items.create_item(context, JSROGUE.items[kind], 1)
        floor_items.drop_item(context, item, 1, owner=owner)
        made.append(item.number)
    return made


def context() -> TurnContext:
    return TurnContext(Scenario("#1...#", campaign=JSROGUE).level, Dice(1, 1, 1))


def lying(here: TurnContext) -> list[int]:
    return [item.number for _, item in here.level.items_at()]


def crumbled(here: TurnContext) -> list[int]:
    return [event.target for event in narrations(here.events) if event.kind == "crumbles"]


@pytest.mark.rule("A66")
def test_a_players_drops_are_limited_to_200() -> None:
    """Of what one player dropped 200 items lie, and the player's oldest crumbles."""
    here = context()
    strewn = strew(here, "rock", 3)
    others = strew(here, "rock", 3, owner=2)
    own = strew(here, "rock", floor_items.PLAYER_ITEMS_MAX + 2, owner=1)
    assert crumbled(here) == own[:2]
    assert lying(here) == [*strewn, *others, *own[2:]]
    check_invariants(here.level)


@pytest.mark.rule("A66")
def test_a_levels_items_are_limited_to_2000() -> None:
    """Of 2000 items on a level the oldest that no player dropped crumbles."""
    here = context()
    dropped = strew(here, "rock", 3, owner=1)
    strewn = strew(here, "rock", floor_items.FLOOR_ITEMS_MAX)
    assert crumbled(here) == strewn[:3]
    assert lying(here)[:3] == dropped
    check_invariants(here.level)


@pytest.mark.rule("A66")
def test_unique_items_crumble_last() -> None:
    """A unique item goes last, and what was just laid stays."""
    here = context()
    sword = strew(here, "sword", 1)
    for owner in range(1, 11):
        strew(here, "rock", 199 + (owner > 9), owner=owner)
    strew(here, "rock", floor_items.FLOOR_ITEMS_MAX - len(lying(here)), owner=11)
    first_dropped = lying(here)[1]
    corpse = strew(here, "apple", 1)
    assert crumbled(here) == [first_dropped]
    assert set(sword + corpse) <= set(lying(here))


def test_crumbles_unmade_and_reported_sees() -> None:
    """An item that crumbles ceases to exist, and players who see it read so."""
    here = context()
    strew(here, "rock", floor_items.PLAYER_ITEMS_MAX + 1, owner=1)
    narration, gone = here.events[-2:]
    assert isinstance(narration, Narration)
    assert (narration.kind, narration.target_name, narration.witnesses) == ("crumbles", "rock", (1_024,))
    assert gone == ItemDestroyed(narration.target, narration.cell)


def test_a_laid_item_belongs_to_no_one() -> None:
    """A carried item belongs to no one when it is laid again."""
    here = context()
    [number] = strew(here, "rock", 1, owner=1)
    item = here.level.piles[1][0]
    assert (item.number, item.owner) == (number, 1)
    floor_items.pick_item(here.level, item, 1)
    assert (item.owner, item.laid, number in here.level.handles) == (0, 0, False)
