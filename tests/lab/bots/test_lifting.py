"""Bots help a downed friend: a spell, a potion, a step nearer, or a step that drags them out of reach."""

from msgspec.structs import replace

from gloam_lab.bots import party
from gloam_lab.bots.bot_memory import BotMemory
from gloam_shared.protocol.commands import Drag, Move
from gloam_shared.view.downed import marks_of_downed
from gloam_shared.view.view import Creature, CreatureFlag, View
from support.client.fake_server import level_view

HERE = level_view().cell


def with_bert(away: int, *others: Creature) -> View:
    """Return a view of the bot and a downed friend some cells to the east."""
    bert = Creature(77, HERE + away, 1, 30, 2, CreatureFlag.PLAYER | marks_of_downed(5), "@", "white", "Bert")
    view = level_view()
    own = [one for one in view.creatures if one.marks & CreatureFlag.SELF]
    return replace(view, creatures=(*own, bert, *others))


def test_a_bot_goes_to_a_downed_friend_and_lifts() -> None:
    step = next(party.lift(with_bert(3), BotMemory()))
    assert isinstance(step, Move)
    assert step.dx == 1
    assert next(party.lift(with_bert(1), BotMemory())) == Move(1, 0)


def test_a_bot_drags_a_friend_away_from_a_foe() -> None:
    foe = Creature(9, HERE + 2, 9, 9, 1, CreatureFlag.HOSTILE, "k", "red", "kobold", 4)
    found = list(party.lift(with_bert(1, foe), BotMemory()))
    assert found[0] == Move(1, 0)
    assert Drag(77, -1, 0) in found
    assert Drag(77, 1, 0) not in found
