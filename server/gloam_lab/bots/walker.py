"""The walker: walks without rest, for load tests. Its own number decides its ways, no randomness."""

from gloam_lab.bots import flags
from gloam_server.autopilot.pathfinding import first_step
from gloam_shared.appearance import WALKABLE
from gloam_shared.protocol.commands import AnyCommand, Choose, Fight, Move, Wait
from gloam_shared.view.view import Stat, View


class Walker:
    """Walks from one distant known cell to the next, attacks foes that hold it, and takes level-ups."""

    def __init__(self, number: int = 1) -> None:
        self._draws = number * 7_919
        self._goal = -1

    def decide(self, view: View) -> AnyCommand:
        """Return the next command for what the view shows."""
        if view.choices:
            return Choose(0)
        held = any(creature.marks & flags.HOLDS_YOU for creature in view.creatures)
        if held and view.fact(Stat.HP) * 2 >= view.fact(Stat.HP_MAX):
            return Fight()
        return self.stroll(view)

    def stroll(self, view: View) -> AnyCommand:
        """Return the next step of an endless walk over known ground."""
        if self._goal in (-1, view.cell) or self._goal >= len(view.terrain):
            self._goal = self._draw_goal(view)
        way = first_step(view, 1 << self._goal)
        if way is not None:
            return way
        self._goal = -1
        for dx, dy in view.place.directions:
            cell = view.step((dx, dy))
            if cell is not None and view.terrain[cell] in WALKABLE and view.at(cell) is None:
                return Move(dx, dy)
        return Wait()

    def _draw_goal(self, view: View) -> int:
        """Return some known walkable cell, by a multiplicative sequence of numbers."""
        known = [cell for cell, terrain in enumerate(view.terrain) if terrain in WALKABLE]
        far = [cell for cell in known if view.place.grid.distance(cell, view.cell) >= 4] or known
        self._draws = (self._draws * 48_271 + 11) % 2_147_483_647
        return far[self._draws % len(far)]
