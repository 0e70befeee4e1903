"""The adventurer: explores, fights, flees when badly hurt, takes what levels bring, and goes down when all is seen.

It eats when it is hungry, and picks up, wields and wears what is of use.
"""

from gloam_server.bots.outfit import see_to_oneself
from gloam_server.sessions.ways import nearest, terrain
from gloam_shared.appearance import WALKABLE, Terrain
from gloam_shared.commands import AnyCommand, Choose, Climb, Explore, Fight, Move, Wait
from gloam_shared.geometry import DIRECTIONS, chebyshev
from gloam_shared.messages import Answer
from gloam_shared.view import Creature, Fact, Mark, View


class Adventurer:
    """Decides one command at a time; `hear` tells it how the last one ended."""

    def __init__(self) -> None:
        self._explored: set[int] = set()
        self._tried_stairs = 0

    def decide(self, view: View) -> AnyCommand:
        """Return the next command for what the view shows."""
        if view.choices:
            return Choose(self._best_choice(view))
        foes = [creature for creature in view.creatures if creature.marks & Mark.HOLDS_YOU]
        if foes:
            return self._face(view, foes)
        care = see_to_oneself(view)
        if care is not None:
            return care
        if view.place.depth in self._explored:
            return self._go_down(view)
        return Explore()

    def hear(self, view: View, answer: Answer) -> None:
        """Learn from an answer: a level is explored when exploring ends without a discovery."""
        if answer.text.startswith(("There is nothing left", "You know no way")):
            self._explored.add(view.place.depth)

    def _best_choice(self, view: View) -> int:
        """Take attack and health in turns: what kills sooner hurts less."""
        wanted = "attack" if view.fact(Fact.LEVEL) % 2 else "health"
        return next((at for at, words in enumerate(view.choices) if wanted in words), 0)

    def _face(self, view: View, foes: list[Creature]) -> AnyCommand:
        if view.fact(Fact.HP) * 2 >= view.fact(Fact.HP_MAX):
            return Fight()
        width = view.place.width
        near = min(foes, key=lambda foe: (chebyshev(view.cell, foe.cell, width), foe.handle))
        return self._away_from(view, near) or _strike(view, near) or Wait()

    def _away_from(self, view: View, foe: Creature) -> Move | None:
        """Step to where the foe is farther; in a corner there is no such place."""
        width = view.place.width
        now = chebyshev(view.cell, foe.cell, width)
        ways = []
        for index, (dx, dy) in enumerate(DIRECTIONS):
            cell = view.step((dx, dy))
            if cell is None or view.terrain[cell] not in WALKABLE or view.at(cell) is not None:
                continue
            ways.append((-chebyshev(cell, foe.cell, width), index, Move(dx, dy)))
        best = min(ways, default=None, key=lambda way: way[:2])
        return best[2] if best is not None and -best[0] > now else None

    def _go_down(self, view: View) -> AnyCommand:
        """Take the nearest stairs down; where there are none, go up and look for others; else dig on somewhere."""
        if nearest(view, terrain(view, frozenset({Terrain.STAIRS_DOWN}))) is not None:
            return Climb(down=True)
        if view.terrain[view.cell] == Terrain.STAIRS_DOWN:
            return Climb(down=True)
        self._tried_stairs += 1
        dx, dy = DIRECTIONS[(self._tried_stairs // 7) % 8]
        return Move(dx, dy)


def _strike(view: View, foe: Creature) -> Move | None:
    for dx, dy in DIRECTIONS:
        if view.step((dx, dy)) == foe.cell:
            return Move(dx, dy)
    return None
