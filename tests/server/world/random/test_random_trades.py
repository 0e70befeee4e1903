"""Trades at random, between offers, confirmations, uses and steps: no item is there twice, and none vanishes (A45)."""

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from gloam_server.views.trade_view import trade_state
from gloam_server.world.model.creature import Creature
from gloam_server.world.model.events import ItemDestroyed
from gloam_server.world.model.inputs import FreeAction, Leave, LevelInput, PlayerAction, Turn
from gloam_shared.protocol import commands
from support.content.campaigns import shipped
from support.run.effort import effort
from support.scenarios.scenario import Scenario, facts
from support.world.outputs import stored_bodies

PACK = ("ration", "ration", "apple", "dagger", "rock", "ration", "long_sword", "ration")
_WORDS = ("offer", "offer", "offer", "confirm", "confirm", "confirm", "late", "end", "cut")
_ACTS = ("eat", "drop", "wield", "give", "step", "take", "wait")

Deed = tuple[str, int, int, int]

deeds = some.lists(
    some.tuples(
        some.sampled_from([*_WORDS, *_WORDS, *_ACTS, "leave"]),
        some.integers(0, 2),
        some.integers(0, 2),
        some.integers(0, 255),
    ),
    max_size=60,
)


class Market:
    """Three players beside each other with stacks, gear, and packs of few slots."""

    def __init__(self, full: int) -> None:
        campaign = shipped("gloam")
        known = [kind for kind in PACK if kind in campaign.items]
        self.scenario = Scenario("#####\n#12.#\n#3..#\n#####", campaign=campaign)
        for name in "123":
            body = self.scenario[name]
            for at, item in enumerate(self.scenario._made(kind) for kind in known):
                body.slots[at] = item
            if name == "1":
                body.slots[0].bound = body.number  # type: ignore[union-attr]
            if full:  # only these slots are free
                rest = [at for at, item in enumerate(body.slots) if item is None][full - 1 :]
                for at in rest:
                    body.slots[at] = self.scenario._made("long_sword")
        self.there = Counter(self.items())
        self.exchanges = 0

    def items(self) -> list[int]:
        """Return the numbers of all items, carried or lying."""
        level = self.scenario.level
        carried = [item.number for body in level.creatures.values() for item in body.carried]
        return [*carried, *(item.number for _, item in level.items_at())]

    def do(self, deed: Deed) -> None:
        """Let something happen, and count all items."""
        input_ = self._input(deed)
        if input_ is None:
            return
        before = {body.number: {item.number for item in body.carried} for body in self._bodies()}
        self.scenario.apply(input_)
        gone = [fact.item for fact in facts(self.scenario.events, ItemDestroyed)]
        self.there -= Counter(gone)
        for body in stored_bodies(self.scenario.outputs):
            self.there -= Counter(item.number for item in body.carried)
        assert Counter(self.items()) == self.there
        if isinstance(input_, FreeAction):
            self._look_at_exchange(before, input_)

    def _bodies(self) -> list[Creature]:
        return list(self.scenario.level.players())

    def _look_at_exchange(self, before: dict[int, set[int]], input_: FreeAction) -> None:
        """Only a confirmation moves items, and what was bound or in hand stays with its player."""
        after = {body.number: {item.number for item in body.carried} for body in self._bodies()}
        if before == after:
            return
        assert isinstance(input_.command, commands.ConfirmTrade)
        self.exchanges += 1
        for body in self._bodies():
            assert all(item.bound in (0, body.number) for item in body.carried)

    def _input(self, deed: Deed) -> LevelInput | None:
        what, at, other_at, luck = deed
        bodies = self._bodies()
        if at >= len(bodies) or other_at >= len(bodies):
            return None
        body, other = bodies[at], bodies[other_at]
        level = self.scenario.level
        handle = level.handles[other.number]
        match what:
            case "offer":
                first = luck % len(body.slots)
                pairs = (first, 1 + luck // 128, (first + 1) % len(body.slots), 1)
                return FreeAction(body.number, 1, commands.OfferTrade(handle, pairs[: luck % 3 * 2]))
            case "confirm" | "late":
                shown = trade_state(level, body)
                return FreeAction(
                    body.number, 1, commands.ConfirmTrade(shown.handle, shown.revision - (what == "late"))
                )
            case "end" | "cut":
                return FreeAction(body.number, int(what == "end"), commands.EndTrade())
            case "leave":
                return Leave(body.number) if luck < 8 else None
        slot = luck % 8
        acts: dict[str, commands.ActionCommand] = {
            "eat": commands.Eat(slot),
            "drop": commands.Drop(slot),
            "wield": commands.Wield(slot),
            "give": commands.Give(slot, handle),
            "step": commands.Move(luck % 3 - 1, luck // 3 % 3 - 1),
            "take": commands.PickUp(),
            "wait": commands.Wait(),
        }
        return Turn((PlayerAction(body.number, 1, acts[what]),))


@pytest.mark.rule("A45", "F95")
@settings(max_examples=effort(40, 600))
@given(some.integers(0, 3), deeds)
def test_any_trading_keeps_every_item_once(full: int, course: list[Deed]) -> None:
    market = Market(full)
    for deed in course:
        market.do(deed)


def test_random_trades_do_come_about() -> None:
    """The market is one: with both confirmations in a row items change hands there."""
    market = Market(0)
    for deed in (("offer", 0, 1, 4), ("offer", 1, 0, 4), ("confirm", 0, 1, 0), ("confirm", 1, 0, 0)):
        market.do(deed)
    assert market.exchanges == 1
