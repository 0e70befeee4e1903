"""The invariants of bodies at every moment, and of the clients' screens when all is quiet."""

from collections import Counter
from typing import TYPE_CHECKING

from gloam_server.views.trade_view import trade_state
from gloam_server.world.transition.dungeon import Dungeon
from gloam_shared.protocol.messages.trade import TradeState
from gloam_shared.view.downed import turns_down
from gloam_shared.view.view import CreatureFlag, View
from support.server.sim_server import SimServer

if TYPE_CHECKING:
    from support.simulation.clients import Person


def check_bodies(dungeon: Dungeon) -> None:
    """Every life has exactly one body, in play or kept, and no one else has one."""
    in_play = Counter(
        body.account for level in dungeon.levels.values() for body in level.creatures.values() if body.account
    )
    kept = Counter(account for account, life in dungeon.realm.lives.items() if life.kept is not None)
    assert in_play + kept == Counter(list(dungeon.realm.lives)), (in_play, kept)


def check_quiet(server: SimServer, person: "Person") -> None:
    """Check, when all is quiet, that a client shows exactly what its body knows, and that all is answered.

    A downed player acts only after the rescue, so their command may still wait.
    """
    assert len(person.programs) == 1, f"{person.name} runs {len(person.programs)} programs"
    program = person.programs[0]
    assert program.line is not None
    assert program.link.joined, f"{person.name} did not get in: {person.byes}"
    expected = projection(server, program.line.connection.player)
    own = next((one.marks for one in expected.creatures if one.marks & CreatureFlag.SELF), 0)
    assert program.link.unanswered is None or turns_down(own), (
        f"{person.name}: {program.link.unanswered} was never answered"
    )
    assert program.trade == trade_of(server, program.line.connection.player), (
        f"{person.name}: the trade differs"
    )
    for field in View.__struct_fields__:
        assert getattr(program.link.view, field) == getattr(expected, field), (
            f"{person.name}: {field} differs"
        )


def trade_of(server: SimServer, account: int) -> TradeState:
    """Return a player's trade now."""
    in_play = server.engine.players.in_dungeon(account)
    assert in_play is not None
    return trade_state(in_play[1], in_play[2])


def projection(server: SimServer, account: int) -> View:
    """Return what a player's body knows now."""
    views = server.view_side
    in_play = views.clients.in_play_of(account)
    assert in_play is not None
    return views.broadcaster.view(in_play)
