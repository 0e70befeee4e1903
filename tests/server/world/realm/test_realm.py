"""The realm: lives that begin, are kept, move and end, and outputs that are taken once."""

from gloam_server.world.model import inputs
from gloam_server.world.model.creature import Creature, new_creature
from gloam_server.world.model.events import PlayerDied, SentIntoPlay
from gloam_server.world.realm.realm import Realm, apply_realm
from support.content.campaigns import arena

ARRIVAL = 77


def realm() -> Realm:
    return Realm(arrival=ARRIVAL)


def give(realm: Realm, input_: inputs.RealmInput) -> tuple[inputs.Output, ...]:
    return apply_realm(realm, arena(), input_)


def enter(realm: Realm, account: int = 1) -> Creature:
    *_, sent = give(realm, inputs.EnterPlay(account, f"Player{account}"))
    assert isinstance(sent, SentIntoPlay)
    return sent.body


def fallen(number: int, partition: int) -> PlayerDied:
    """Return the end of a life of account 1."""
    return PlayerDied(
        account=1,
        number=number,
        name="Player1",
        by="ogre",
        partition=partition,
        cell=0,
        level=1,
        experience=0,
        turns=3,
        kills=0,
        command=3,
    )


def test_new_life_sent_arrival_place_level() -> None:
    """A new life is sent to the arrival place of level one."""
    here = realm()
    [sent] = give(here, inputs.EnterPlay(1, "Ann"))
    assert isinstance(sent, SentIntoPlay)
    assert (sent.partition, sent.cell) == (1, ARRIVAL)
    assert (sent.body.name, sent.body.account, sent.body.kind) == ("Ann", 1, "human")
    assert here.lives[1].number == sent.body.number


def test_lives_have_numbers_of_their_own() -> None:
    here = realm()
    numbers = [enter(here, account).number for account in range(1, 50)]
    assert len(set(numbers)) == len(numbers)


def test_a_second_login_makes_no_second_body() -> None:
    here = realm()
    enter(here)
    assert give(here, inputs.EnterPlay(1, "Player1")) == ()


def test_kept_body_returns_left_unchanged() -> None:
    """A kept body returns to where it left unchanged."""
    here = realm()
    body = enter(here)
    body.cell, body.hp, body.experience = 123, 7, 55
    assert give(here, inputs.StoreBody(body, 4, (4, 9, 0))) == ()
    [sent] = give(here, inputs.EnterPlay(1, "Player1"))
    assert sent == SentIntoPlay(body, 4, 123)
    assert (body.hp, body.experience) == (7, 55)


def test_a_body_that_has_returned_is_not_sent_again() -> None:
    here = realm()
    give(here, inputs.StoreBody(enter(here), 1, (1, 9, 0)))
    assert len(give(here, inputs.EnterPlay(1, "Player1"))) == 1
    assert give(here, inputs.EnterPlay(1, "Player1")) == ()


def test_an_output_of_a_level_is_taken_once() -> None:
    here = realm()
    body = enter(here)
    give(here, inputs.StoreBody(body, 1, (1, 9, 0)))
    give(here, inputs.EnterPlay(1, "Player1"))
    give(here, inputs.StoreBody(body, 1, (1, 9, 0)))
    assert here.lives[1].kept is None


def test_outputs_input_distinguished_index() -> None:
    """Outputs of one input are shown apart by their index."""
    here = realm()
    enter(here, 1)
    enter(here, 2)
    give(here, inputs.RecordMove(1, 2, (1, 9, 0)))
    give(here, inputs.RecordMove(2, 2, (1, 9, 1)))
    assert (here.lives[1].partition, here.lives[2].partition) == (2, 2)


def test_outputs_different_levels_not_hide_other() -> None:
    """Outputs of different levels do not hide each other."""
    here = realm()
    enter(here)
    give(here, inputs.RecordMove(1, 2, (1, 900, 0)))
    give(here, inputs.RecordMove(1, 1, (2, 3, 0)))
    assert here.lives[1].partition == 1


def test_buried_life_forgotten_other_levels() -> None:
    """A buried life is forgotten by the other levels that it visited."""
    here = realm()
    body = enter(here)
    for step, partition in enumerate((2, 3, 2)):
        give(here, inputs.RecordMove(1, partition, (1, step + 1, 0)))
    outputs = give(here, inputs.RecordDeath(fallen(body.number, 2), (2, 1, 0)))
    assert outputs == (
        inputs.Envelope(1, inputs.Remove(body.number, "")),
        inputs.Envelope(3, inputs.Remove(body.number, "")),
    )
    assert here.lives == {}
    assert here.deaths == 1


def test_after_death_next_life_new_number() -> None:
    """After a death the next life has a new number and begins again."""
    here = realm()
    body = enter(here)
    give(here, inputs.RecordDeath(fallen(body.number, 1), (1, 1, 0)))
    heir = enter(here)
    assert heir.number != body.number
    expected = new_creature(arena().player_kind, heir.number, name="Player1", account=1, food=30)
    expected.family = "Player1 II"
    assert heir == expected


def test_every_input_is_counted() -> None:
    here = realm()
    enter(here)
    give(here, inputs.EnterPlay(1, "Player1"))
    give(here, inputs.AdoptRules(2))
    assert here.sequence == 3
    assert here.rules_version == 2


def test_an_heir_finds_levels_alive() -> None:
    """Only a life that is not its player's first asks the levels where players have been to fill up."""
    here = realm()
    body = enter(here)
    give(here, inputs.RecordMove(1, 3, (1, 5, 0)))
    give(here, inputs.RecordDeath(fallen(body.number, 3), (3, 9, 0)))
    *refills, sent = give(here, inputs.EnterPlay(1, "Player1"))
    assert refills == [inputs.Envelope(1, inputs.Refill()), inputs.Envelope(3, inputs.Refill())]
    assert isinstance(sent, SentIntoPlay)
    assert [type(each) for each in give(here, inputs.EnterPlay(2, "Player2"))] == [SentIntoPlay]
