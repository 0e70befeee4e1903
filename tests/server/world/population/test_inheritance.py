"""For any lives and any ends, no thing is ever in two places, and none goes but by an event that names it."""

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gloam_lab.invariants import check_invariants
from gloam_server.world.model.creature import Item
from gloam_server.world.model.events import ItemCreated, ItemDestroyed
from gloam_server.world.model.ids import REALM_PARTITION
from gloam_server.world.model.inputs import EnterPlay, Leave, PlayerAction, Turn
from gloam_server.world.transition import serialization
from gloam_server.world.transition.dungeon import Dungeon, new_dungeon, populate
from gloam_shared.protocol.commands import ActionCommand, Drop, Give, PickUp, Wait
from support.content.campaigns import arena

CAMPAIGN = arena(hunger="starve_or_choke")
"""The campaign whose lives end by hunger when a test says so."""

steps = st.lists(st.tuples(st.integers(1, 3), st.sampled_from("begin starve leave take drop give".split()), st.integers(0, 3)), max_size=40)  # fmt: skip


class Company:
    """Three accounts in one dungeon, and what they have."""

    def __init__(self) -> None:
        self.dungeon: Dungeon = new_dungeon(CAMPAIGN, 1)
        populate(self.dungeon)
        for account in (1, 2, 3):
            self.dungeon.apply_input(REALM_PARTITION, EnterPlay(account, f"Player{account}"))
        level = self.dungeon.levels[1]
        body = level.creatures[self.number(1)]
        for slot, kind in enumerate(("sword", "apple", "tunic", "rock")):
            found_kind = CAMPAIGN.items[kind]
            body.slots[slot] = Item(level.new_id(), kind, found_kind.name, "white", found_kind.bites)
        self.dungeon.take_batch()
        self.known = set(self.things())

    def number(self, account: int) -> int:
        life = self.dungeon.realm.lives.get(account)
        return life.number if life is not None else 0

    def act(self, account: int, command: ActionCommand, *, food: int | None = None) -> None:
        for level in self.dungeon.levels.values():
            body = level.creatures.get(self.number(account))
            if body is not None:
                body.food = food if food is not None else 500
                self.dungeon.apply_input(level.partition, Turn((PlayerAction(body.number, 0, command),)))
                return

    def do(self, account: int, what: str, at: int) -> None:
        match what:
            case "begin":
                fallen = self.dungeon.realm.fallen.get(account)
                remains = fallen.remains if fallen else ()
                keepsake = remains[at].item if at < len(remains) else 0
                self.dungeon.apply_input(REALM_PARTITION, EnterPlay(account, f"Player{account}", keepsake))
            case "starve":
                self.act(account, Wait(), food=1)
            case "leave":
                self.dungeon.apply_input(1, Leave(self.number(account)))
            case "take":
                self.act(account, PickUp())
            case "drop":
                self.act(account, Drop(at))
            case _:
                handle = self.dungeon.levels[1].handles.get(self.number(at), 0)
                self.act(account, Give(0, handle))

    def things(self) -> Counter[int]:
        counted: Counter[int] = Counter()
        for level in self.dungeon.levels.values():
            check_invariants(level)
            counted.update(item.number for _, item in level.items_at())
            counted.update(item.number for body in level.creatures.values() for item in body.carried)
        for life in self.dungeon.realm.lives.values():
            counted.update(item.number for item in (life.kept.carried if life.kept else ()))
        return counted


@pytest.mark.rule("F46")
@settings(max_examples=40)
@given(steps)
def test_no_thing_doubled(course: list[tuple[int, str, int]]) -> None:
    """No thing is doubled or lost through any number of lives."""
    company = Company()
    for account, what, at in course:
        company.do(account, what, at)
        for _, event in company.dungeon.take_batch().events:
            if isinstance(event, ItemCreated):
                company.known.add(event.item)
            elif isinstance(event, ItemDestroyed):
                company.known.discard(event.item)
        counted = company.things()
        assert set(counted.values()) <= {1}
        assert set(counted) == company.known


@pytest.mark.rule("F57")
@settings(max_examples=10)
@given(steps)
def test_realm_and_levels_survive_disk(course: list[tuple[int, str, int]]) -> None:
    """Realm and levels survive the disk after any lives."""
    company = Company()
    for account, what, at in course:
        company.do(account, what, at)
    frozen = serialization.serialize_realm(company.dungeon.realm)
    assert serialization.serialize_realm(serialization.deserialize_realm(frozen)) == frozen
    for level in company.dungeon.levels.values():
        body = serialization.serialize_level(level)
        assert serialization.serialize_level(serialization.deserialize_level(body, CAMPAIGN, 1)) == body
