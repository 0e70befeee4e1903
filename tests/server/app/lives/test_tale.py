"""What a witness takes down of blows between players and monsters: how many of equals kill, and how many would."""

from gloam_server.app.lives.tale import Tale, Witness
from gloam_server.world.creature import born
from gloam_server.world.dungeon import found
from gloam_server.world.events import Event
from support.campaigns import arena

ANN, BERT, RAT, ORC = 1, 2, 3, 4


def witness(**levels: int) -> tuple[Witness, Tale]:
    """Return a witness who knows two players and two monsters, of level 1 where nothing else is told."""
    tale, kinds = Tale(), arena().creatures
    sees = Witness(found(arena(), 1), tale)
    for number, name in ((ANN, "ann"), (BERT, "bert"), (RAT, "rat"), (ORC, "orc")):
        player = number in (ANN, BERT)
        body = born(kinds["human" if player else "kobold"], number, account=number if player else 0)
        body.level, body.hp_max = levels.get(name, 1), 20
        sees.learn(body)
    return sees, tale


def hear(sees: Witness, kind: str, *pairs: tuple[int, int]) -> None:
    for actor, target in pairs:
        sees.hear(Event(kind, 0, actor, target=target, amount=5))


def test_a_monster_that_equals_felled_tells_how_many_blows_it_took() -> None:
    sees, tale = witness()
    hear(sees, "strikes", (ANN, RAT), (BERT, RAT), (ANN, RAT))
    hear(sees, "kills", (ANN, RAT))
    assert (tale.blows.dealt, tale.blows.felled) == (3, 1)


def test_who_got_away_or_was_struck_by_somebody_stronger_tells_nothing() -> None:
    sees, tale = witness(bert=2)
    hear(sees, "strikes", (ANN, ORC), (ANN, ORC), (ANN, RAT), (BERT, RAT), (ANN, RAT))
    hear(sees, "kills", (ANN, RAT))
    assert (tale.blows.dealt, tale.blows.felled, tale.felled_by_players) == (0, 0, 1)


def test_blows_of_equals_tell_what_part_of_a_players_health_they_take() -> None:
    sees, tale = witness(orc=3)
    hear(sees, "strikes", (RAT, ANN), (RAT, BERT), (ORC, ANN))
    assert (tale.blows.taken, tale.blows.lost) == (2, 500)
