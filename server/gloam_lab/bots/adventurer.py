"""The adventurer: explores, fights what it can beat, flees or uses what it has, eats, rests, learns, and goes down.

It sends a player's commands and knows only its view. It does not repeat a refused command immediately.
"""

from collections.abc import Iterator
from typing import Final

from gloam_lab.bots import battle, flags, gear_choice, ground, navigation, party
from gloam_lab.bots.bot_memory import BotMemory
from gloam_lab.bots.combat_estimate import best_choice, foes_of, mana_choice
from gloam_lab.bots.in_sight import in_sight
from gloam_lab.bots.pack import pack_of
from gloam_lab.bots.style import Style
from gloam_shared.protocol.commands import AnyCommand, Choose, Climb, Dig, Move, PickUp, Rest, Use, Wait
from gloam_shared.protocol.messages.play import Answer
from gloam_shared.view.view import View

_REST_IN_VAIN: Final[frozenset[str]] = frozenset({"no_healing", "foes_near", "too_hungry"})
"""Reasons after which a bot does not rest again immediately."""


class Adventurer:
    """Decides one command at a time; `hear` takes the answer to the last one."""

    def __init__(self, style: Style = Style.FIGHTER, bent: str = "", *, uses_ground: bool = False) -> None:
        """Begin a life that fights in a style; where it may choose, it takes the bent of this name.

        One that `uses_ground` fights with fire, webs and the like, keeps off them, and works devices.
        """
        self.style: Final = style
        self._bent = bent
        self._uses_ground: Final = uses_ground
        self.memory = BotMemory(style)

    def decide(self, view: View) -> AnyCommand:
        """Return the next command for what the view shows."""
        self.memory.look(view)
        for command in self._wishes(view):
            if self._uses_ground and ground.is_folly(view, command):
                continue
            if not self.memory.is_refused(view, command):
                self.memory.last = Wait() if self._would_jostle(view, command) else command
                return self.memory.last
        self.memory.last = Wait()
        return self.memory.last

    def _choice(self, view: View) -> int:
        """Return the level-up option to take: the bent of the kit, mana for a mage, else what helps most in a fight."""
        for at, words in enumerate(view.choices):
            if self._bent and words.startswith(f"{self._bent}: "):
                return at
        mana = mana_choice(view) if self.style is Style.MAGE else None
        return best_choice(view, self.memory.foe) if mana is None else mana

    def _would_jostle(self, view: View, command: AnyCommand) -> bool:
        """Return whether a step would change places with a friend who is walking the same way: the friend would change back."""
        return isinstance(command, Move) and self.memory.is_passing(view.step((command.dx, command.dy)))

    def hear(self, view: View, answer: Answer) -> None:
        """Learn from an answer: what is refused, and whether rest helps."""
        last = self.memory.last
        if last is None:
            return
        if isinstance(last, Rest):
            if answer.reason in _REST_IN_VAIN:
                self.memory.rested_in_vain = self.memory.decisions
        elif answer.code not in ("done", "replaced"):
            self.memory.refuse(view, last)
            if isinstance(last, Dig) and answer.reason == "no_digging":
                self.memory.digs = False
            if isinstance(last, PickUp) and answer.reason != "full":
                self.memory.junk.update(item.name for item in view.pile if item.handle in last.handles)
            if isinstance(last, Climb) and answer.reason != "foes_near":
                self.memory.stairs[view.place.depth, view.cell] = 99

    def _wishes(self, view: View) -> Iterator[AnyCommand]:
        """Yield possible commands, the best first."""
        memory = self.memory
        if in_sight(view.creatures).own_marks & flags.DOWN:
            yield Wait()
        if view.choices:
            yield Choose(self._choice(view))
        if self._uses_ground:
            yield from ground.leave(view)
        for item in pack_of(view.inventory).usable:
            yield Use(item.slot)
        foes = foes_of(view)
        yield from party.lift(view, memory)
        if foes and self._uses_ground:
            yield from ground.burn(view, foes)
        if foes:
            yield from battle.combat_commands(view, memory, foes)
        else:
            yield from gear_choice.inventory_commands(view, memory)
            if not memory.roves:
                yield from party.rescue(view, memory)
                yield from party.free_captive(view, memory)
                yield from gear_choice.go_to_item(view, memory, party.reach(view, memory))
                yield from navigation.rest_or_heal(view, memory)
                yield from party.tend(view, memory)
                yield from navigation.enemy_to_hunt(view, memory)
                if self._uses_ground:
                    yield from ground.work(view, memory)
        yield from navigation.next_goal(view, memory)
