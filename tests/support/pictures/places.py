"""Pictures of places of the flagship: bots play there for some turns, and the client draws what one of them sees.

They need neither a server nor a clock: the same turns are played again whenever the rules or the content change.
"""

import hashlib
import sys
from pathlib import Path
from typing import Final, NamedTuple

from msgspec.structs import replace

from gloam_client.render.frame import draw
from gloam_client.screens.play import Play
from gloam_client.state import client_events
from gloam_client.state.model import Model
from gloam_client.state.records import SurfaceFacts
from gloam_client.terminal.canvas import Canvas
from gloam_client.terminal.themes import theme_for
from gloam_client.update import update
from gloam_door.surfaces.cell_changes import CellChanges
from gloam_lab.balance.measures import SimulatedPlayer
from gloam_lab.balance.simulation import Simulation
from gloam_server.gateway.login.admission import welcome_message
from gloam_server.rules.dice import Dice
from gloam_server.views.texts.narration import log_lines_for
from gloam_server.world.generation.generate import generate_round
from gloam_server.world.model.events import Event, Narration
from gloam_server.world.model.inputs import Arrive
from gloam_server.world.model.level import Level
from gloam_server.world.model.surfaces.surface_changes import can_lie, lay_surface
from gloam_shared.protocol.messages.login import Joined
from gloam_shared.protocol.messages.play import Pace
from gloam_shared.view.view import Log, LogLine, View
from support.content.campaigns import shipped
from support.content.expected_blows import player_at
from support.door.cell_runs import runs_of
from support.pictures.svg import Look, svg

FOLDER: Final = Path(__file__).parents[3] / "client" / "docs"
_SIZE: Final = (110, 32)
_NAMES: Final = ("Anna", "Bert", "Cleo", "Dora")
_LINES: Final = 8
_GLOAM: Final = shipped("gloam")


class Place(NamedTuple):
    """A picture: its title, the realm's seed, a drawn room of it, the players with their level, and the turns until then.

    Each pair of `lays` is a surface and the number of its cells, which lie from the middle of the room on.
    """

    title: str
    seed: int
    room: str
    players: int
    level: int
    turns: int
    lays: tuple[tuple[str, int], ...] = ()


PLACES: Final = {
    "settlement": Place(
        "Four friends in the lost settlement, in a fight with a warlock", 5, "war_drums", 4, 12, 39
    ),
    "fire": Place("A goblin's throne room on fire", 4, "goblin_throne", 4, 13, 3, (("oil", 40), ("fire", 4))),
    "candles": Place("Three friends in the hall of candles, and vampires", 1, "hall_of_candles", 3, 25, 9),
}
"""The pictures, by the name of their file."""


def note() -> str:
    """Return the note inside each picture: what they were drawn from, as a digest of the content and the scripts."""
    scripts = sorted(Path(__file__).parent.glob("*.py"))
    drawn_from = b"\0".join([_GLOAM.digest.encode(), *(path.read_bytes() for path in scripts)])
    return f"Drawn by `make screenshots` from {hashlib.sha256(drawn_from).hexdigest()[:32]}"


class _Party(Simulation):
    """Bots with names, whose log lines are kept."""

    def __init__(self, place: Place) -> None:
        super().__init__(_GLOAM, place.seed, place.players)
        self.heard: list[Event] = []
        record = self._observer.record_event

        def note_event(event: Event) -> None:
            self.heard.append(event)
            record(event)

        self._observer.record_event = note_event  # type: ignore[method-assign]  # it is asked for every event

    def _player(self, account: int, heir: int) -> SimulatedPlayer:
        player = super()._player(account, heir)
        player.name = _NAMES[account - 1]
        return player

    def move_to(self, level: Level, cell: int, strength: int) -> None:
        """Bring all players to a cell, with the level, health, attack and defense that players usually have there."""
        usual = player_at(strength)
        for account in self.players:
            life = self.dungeon.realm.lives[account]
            body = self.dungeon.levels[life.partition].creatures[life.number]
            self.dungeon.levels[life.partition].remove(body)
            life.partition = level.partition
            body.level, body.hp, body.hp_max = strength, usual.hp, usual.hp
            body.attack, body.defence = max(body.attack, usual.attack), max(body.defence, usual.defence)
            self.dungeon.apply_input(level.partition, Arrive(body, cell, (level.partition, account, 0)))

    def seen_by_first(self, lines: list[LogLine]) -> View | None:
        """Return what the first player sees, with these log lines; None once that life is over."""
        life = self.dungeon.realm.lives.get(1)
        level = None if life is None else self.dungeon.levels[life.partition]
        body = None if life is None or level is None else level.creatures.get(life.number)
        if body is None or level is None:
            return None
        lines += filter(
            None, (log_lines_for(each, body.number) for each in self.heard if isinstance(each, Narration))
        )
        self.heard.clear()
        view = self._view(self.players[1], level, body)
        return replace(view, log=Log(max(len(lines) - _LINES, 0), tuple(lines[-_LINES:])))


def views(place: Place, turns: int) -> list[View]:
    """Return what the first player sees after each of these turns. Raises LookupError if the realm has no such room."""
    found = [
        (level.depth, room)
        for level in generate_round(_GLOAM, place.seed)
        for room in level.stamped
        if room.key == place.room
    ]
    if not found:
        raise LookupError(f"Realm {place.seed} has no {place.room}; name another seed.")
    depth, room = found[0]
    party = _Party(place)
    level = party.dungeon.levels[depth]
    middle = room.cells[len(room.cells) // 2]
    party.move_to(level, middle, place.level)
    for key, count in place.lays:
        kind = _GLOAM.surfaces[key]
        near = sorted(room.cells, key=lambda cell: (level.grid.distance(cell, middle), cell))
        for cell in [cell for cell in near if can_lie(level, kind, cell) or key == "fire"][:count]:
            lay_surface(level, kind, cell, Dice(place.seed, depth, cell))
    shown: list[View] = []
    lines: list[LogLine] = []
    while len(shown) < turns and party.step():
        view = party.seen_by_first(lines)
        if view is None:
            break
        shown.append(view)
    return shown


def frame(view: View) -> Canvas:
    """Return a view as the client draws it in true color."""
    facts = SurfaceFacts(kind="browser", size=_SIZE, unicode=True, lights=True)
    model = Model(screens=(Play(),), name=_NAMES[0], surface=facts)
    pace = Pace(held=True, waiting=False, plan=False)
    for happened in (
        client_events.JoinStarted(_NAMES[0], "here"),
        client_events.MessagesReceived(
            (welcome_message(_GLOAM, 0, 0, "", guests=False), Joined(_NAMES[0], 1, 1)),
            view,
            pace,
            _NAMES[0],
            None,
            0,
            None,
        ),
    ):
        model, _ = update(model, happened, 0)
    return draw(model)


def looks(canvas: Canvas) -> list[list[Look]]:
    """Return the cells of a canvas with the colors of the usual theme, as a page of a door shows them."""
    changes = CellChanges(theme_for("gloam", light=False))
    empty, _ = changes.begin(canvas)
    rows = [[Look()] * canvas.width for _ in range(canvas.height)]
    for row, column, number, text in runs_of(changes.between(empty, canvas)):
        _, _, ink, ground, marks = changes.styles[number]
        for at, sign in enumerate(text, column):
            rows[row][at] = Look(sign, ink, ground, bool(marks & 1), bool(marks & 2))
    return rows


def main(names: list[str]) -> None:
    """Draw the pictures with these names again, all by default."""
    for name in names or PLACES:
        place = PLACES[name]
        picture = svg(looks(frame(views(place, place.turns)[-1])), place.title, note())
        (FOLDER / f"{name}.svg").write_text(picture, encoding="utf-8")
        sys.stdout.write(f"{name}: done\n")


if __name__ == "__main__":
    main(sys.argv[1:])
