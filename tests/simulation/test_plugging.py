"""A63: bots that pull the plug when they are about to die fare no better than bots that stay and fight."""

from functools import cache
from statistics import mean
from typing import Final, NamedTuple

import pytest

from gloam_shared.protocol.commands import AnyCommand, Move, Wait
from gloam_shared.view.view import CreatureFlag, View
from support.run.effort import effort
from support.server.sim_server import SimClient, SimServer

SEEDS: Final = range(effort(20, 40))
ACTIONS_MAX: Final = 60
"""The number of actions after which a player is looked at; by then most fights are over."""
STEP_MS: Final = 60
AGAIN_MS: Final = 1_000
LOGINS_MAX: Final = 20
"""The number of times that a bot tries to return, once in `AGAIN_MS`."""


class Habit(NamedTuple):
    """The moment to pull the plug (below one part in `below` of health, 0: never), and the time to stay away."""

    below: int
    away_ms: int


FOES: Final = [("goblin",) * 3, ("goblin",) * 4, ("goblin", "goblin", "bat")]
"""All of them with CI=true, else the first."""
STAYS: Final = Habit(0, 0)


class Fate(NamedTuple):
    """The fate of a bot: its health in the end, 0 for the dead, and how often it pulled the plug."""

    hp: int
    plugs: int


class Fight:
    """One bot against some foes that stand round it from the beginning, until one side is dead."""

    def __init__(self, seed: int, foes: tuple[str, ...], habit: Habit) -> None:
        self.server = SimServer(seed=seed)
        self.client: SimClient = self.server.join("Anna")
        self._habit = habit
        self._account = self.client.connection.player
        for kind in foes:
            self.server.put(kind, self.server.body(self.client).cell)
        self._pass(STEP_MS)

    def run(self) -> Fate:
        """Fight to the end."""
        plugs, commands = 0, 0
        while self._account not in self.server.dungeon.realm.fallen:
            body = self.server.body(self.client)
            if body.actions >= ACTIONS_MAX or not self._foes():
                return Fate(body.hp, plugs)
            if commands and self._is_afraid():
                plugs, commands = plugs + 1, 0  # back again it must do something, else it would never be seen
                self._pull_the_plug()
            else:
                commands += 1
                self.client.link.command(blow(self.client.view), self.server.now_ms)
                self._pass(STEP_MS)
        return Fate(0, plugs)

    def _is_afraid(self) -> bool:
        body, view = self.server.body(self.client), self.client.view
        held = any(each.marks & CreatureFlag.HOLDS_YOU for each in view.creatures)
        return held and body.hp * self._habit.below < body.hp_max * bool(self._habit.below)

    def _pull_the_plug(self) -> None:
        self.client.cut()
        for _ in range(0, self._habit.away_ms, 500):
            self._pass(500)
        self._log_in()
        for _ in range(5):
            self._pass(STEP_MS)

    def _log_in(self) -> None:
        """Dial until the server admits the bot: it bounds logins that begin and end."""
        for _ in range(LOGINS_MAX):
            self.client.dial()
            self._pass(STEP_MS)
            if self.client.connection.player:
                return
            self.client.cut()
            self._pass(AGAIN_MS)
        raise AssertionError("the server never admitted the bot again")

    def _foes(self) -> list[int]:
        return [each.number for each in self.server.dungeon.levels[1].creatures.values() if not each.account]

    def _pass(self, ms: int) -> None:
        self.server.clock.advance(ms / 1_000)
        self.client.link.tick(self.server.now_ms)
        self.server.settle()


def blow(view: View) -> AnyCommand:
    """Return a blow at the weakest foe beside one."""
    grid = view.place.grid
    foes = [each for each in view.creatures if each.marks & CreatureFlag.HOSTILE]
    near = [each for each in foes if grid.distance(each.cell, view.cell) == 1]
    if not near:
        return Wait()
    return Move(*grid.towards(view.cell, min(near, key=lambda each: (each.hp, each.handle)).cell))


@cache
def fates(foes: tuple[str, ...], habit: Habit) -> list[Fate]:
    """Return the fates of bots of one habit, one for each seed."""
    return [Fight(seed, foes, habit).run() for seed in SEEDS]


@pytest.mark.thorough
@pytest.mark.rule("A63")
@pytest.mark.parametrize(
    "habit",
    [Habit(3, 20_000), Habit(2, 20_000), Habit(3, 1_500)],
    ids=["until the body has left", "early", "for a turn"],
)
@pytest.mark.parametrize("foes", FOES[: effort(1, 3)])
def test_pulling_the_plug_gains_nothing(foes: tuple[str, ...], habit: Habit) -> None:
    stayers, pluggers = fates(foes, STAYS), fates(foes, habit)
    assert sum(fate.plugs for fate in pluggers) >= len(SEEDS) // 4, "hardly anybody was ever afraid"
    assert any(not fate.hp for fate in stayers), "no player was in danger"
    assert mean(fate.hp for fate in pluggers) <= mean(fate.hp for fate in stayers)
