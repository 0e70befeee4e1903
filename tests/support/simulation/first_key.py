"""Lives of a player who presses only the first key of the bottom line, and below half of their health quaffs or rests.

`python -m support.simulation.first_key LIVES` plays them, one for each seed, on a whole server with the client's real
model, and prints the depth at which each ended.
"""

import sys
from typing import Final, NamedTuple

from gloam_client.input import keymap
from gloam_client.screens.suggested_actions import suggested_actions
from gloam_shared.view.view import ItemFlag, MagicEffect, Stat
from support.content.campaigns import shipped
from support.server.sim_server import SimServer
from support.simulation.bot_clients import Player

_KEYS: Final = {"Enter": "ENTER", "Esc": "ESC", "Space": " "}
_WAIT_MS: Final = 100
_WAITS_MAX: Final = 300
_SAME_MAX: Final = 40
"""The most presses in a row that change nothing; then the life counts as it stands."""


class Ended(NamedTuple):
    """The course of a life: the greatest depth, the keys pressed, and why it ended."""

    depth: int
    keys: int
    by: str


class FirstKeyPlayer(Player):
    """A player who does what the bottom line shows first."""

    def __init__(self, seed: int) -> None:
        super().__init__(SimServer(shipped("gloam"), seed), "Ann")
        self.depth = 1
        self._marked = False
        self.pressed: list[str] = []
        self.heard()

    def play(self, *, keys_max: int, depth_enough: int) -> Ended:
        """Press keys until the life ends, or one of these bounds is reached."""
        same, before = 0, None
        while self.alive and len(self.pressed) < keys_max and self.depth < depth_enough:
            self._press_one()
            self._wait()
            now = self.model.view.cell, self.depth, self.model.view.sheet, self.model.view.creatures
            same, before = (same + 1 if now == before else 0), now
            if same > _SAME_MAX:
                return Ended(self.depth, len(self.pressed), f"stuck at {self.pressed[-3:]}")
        by = "alive" if self.alive else "died"
        return Ended(self.depth, len(self.pressed), by)

    def _press_one(self) -> None:
        """Press the next key, and those that its questions ask for."""
        action = self._action()
        self.pressed.append(action)
        self._marked = False
        keys = keymap.rows(self.model.options.keys, "play")
        self.press(next(row.keys[0] for row in keys if row.intent == action))
        for _ in range(4):
            if self.alive and self.model.top.state != "play":
                self.press(self._answer(action))
        while self.alive and self.model.top.state != "play":
            self.press("ESC")

    def _action(self) -> str:
        model = self.model
        if model.badly_hurt:
            if self._healing() is not None:
                return "quaff"
            if (
                not model.threatened
                and model.fact(Stat.HP) < model.fact(Stat.HP_MAX)
                and self.pressed[-1:] != ["rest"]
            ):
                return "rest"
        return suggested_actions(model)[0]

    def _healing(self) -> str | None:
        """Return the letter of a potion: of healing, else an unknown one."""
        for effect in (MagicEffect.HEAL, MagicEffect.NONE):
            for thing in self.model.view.inventory:
                if thing.traits & ItemFlag.QUAFFABLE and thing.effect == effect:
                    return chr(ord("a") + thing.slot)
        return None

    def _answer(self, action: str) -> str:
        """Return the key that answers the question on the screen: a potion's letter, else the first that it names."""
        if action == "quaff" and (letter := self._healing()) is not None:
            return letter
        shown = [key for key, _ in self.model.top.hints(self.model)]
        if action == "pick up" and self.model.top.state == "pile" and not self._marked:
            self._marked = True
            return ","
        if "Enter" in shown:
            return "ENTER"
        return _KEYS.get(shown[0], shown[0][:1])

    def _wait(self) -> None:
        for _ in range(_WAITS_MAX):
            self.server.pass_time(_WAIT_MS)
            self.heard()
            if self.alive:
                self.depth = max(self.depth, self.model.view.place.depth)
            if not self.client.link.pace.plan:
                return


def median_depth(lives: list[Ended]) -> int:
    """Return the depth that half of some lives reach."""
    return sorted((life.depth for life in lives), reverse=True)[len(lives) // 2]


if __name__ == "__main__":
    played = []
    for seed in range(1, int(sys.argv[1]) + 1):
        player = FirstKeyPlayer(seed)
        played.append(player.play(keys_max=4_000, depth_enough=12))
        sys.stdout.write(f"{seed:4} {played[-1]} {player.pressed[-8:]}\n")
        sys.stdout.flush()
    sys.stdout.write(f"median depth {median_depth(played)}\n")
