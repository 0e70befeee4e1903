"""Names of creatures: few, each borne once, the least forgotten first, and told to the realm and by it exactly once."""

from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from gloam_server.content.growth.learning import NamedRules
from gloam_server.world.model.creature import Creature, new_creature
from gloam_server.world.model.events import Renown
from gloam_server.world.model.ids import REALM_PARTITION, new_id
from gloam_server.world.model.inputs import (
    Arrive,
    EnterPlay,
    Envelope,
    Output,
    PlayerAction,
    RecordNamedDeath,
    RecordTurns,
    Remove,
    SetName,
    Turn,
    decode,
)
from gloam_server.world.realm.chronicle import EVENTS_MAX, Chronicle, NameFell, NameForgotten, NameRose
from gloam_server.world.realm.fame import Fame, bury_named, move_named, take_renown
from gloam_server.world.realm.realm import Realm, apply_realm
from gloam_server.world.transition import serialization
from gloam_server.world.transition.dungeon import Dungeon, new_dungeon
from gloam_shared.appearance import Terrain
from gloam_shared.protocol.commands import Climb, Wait
from support.content.campaigns import arena, shipped
from support.content.named_campaign import named_arena

RULES = NamedRules(max=2, turns_between=100, levels=2)


def renown(number: int, *candidates: str, victims: int = 1, partition: int = 1, title: str = "") -> Renown:
    return Renown(number, "kobold", title, partition, 3, 2, ("Ann",) * victims, victims, candidates)


def take(fame: Fame, chronicle: Chronicle, renown: Renown, rules: NamedRules = RULES) -> list[Output]:
    return [each for each in take_renown(fame, chronicle, rules, renown) if isinstance(each, Envelope)]


def names(outputs: list[Output]) -> list[SetName]:
    """Return the names that creatures get or lose."""
    return [each.input for each in outputs if isinstance(each, Envelope) and isinstance(each.input, SetName)]


@pytest.mark.rule("F86")
def test_creature_gets_first_name_that_no_other_bears() -> None:
    """A creature gets the first name that no other bears."""
    fame, chronicle = Fame(), Chronicle()
    assert take(fame, chronicle, renown(1, "Skarn", "Krizat")) == [Envelope(1, SetName(1, "Skarn"))]
    fame.turns += 100
    assert take(fame, chronicle, renown(2, "Skarn", "Krizat")) == [Envelope(1, SetName(2, "Krizat"))]
    fame.turns += 100
    assert take(fame, chronicle, renown(3, "Skarn", "Krizat", victims=2)) == []
    assert [each.name for each in fame.named.values()] == ["Skarn the kobold", "Krizat the kobold"]


@pytest.mark.rule("F86")
def test_one_name_rises_in_a_while() -> None:
    """A creature that is too early earns its name by a later deed."""
    fame, chronicle = Fame(), Chronicle()
    take(fame, chronicle, renown(1, "Skarn"))
    fame.turns += 99
    assert take(fame, chronicle, renown(2, "Krizat")) == []
    fame.turns += 1
    assert take(fame, chronicle, renown(2, "Krizat")) == [Envelope(1, SetName(2, "Krizat"))]


@pytest.mark.rule("F86")
def test_least_forgotten_first_only_for_greater() -> None:
    """The least is forgotten first and only for a greater one."""
    fame, chronicle = Fame(), Chronicle()
    for number, title, victims in ((1, "Skarn", 1), (2, "Krizat", 2)):
        take(fame, chronicle, renown(number, title, victims=victims, partition=number))
        fame.turns += 100
    assert take(fame, chronicle, renown(3, "Krirn", victims=1)) == []
    assert take(fame, chronicle, renown(3, "Krirn", victims=2)) == [
        Envelope(1, SetName(1, "")),
        Envelope(1, SetName(3, "Krirn")),
    ]
    assert sorted(fame.named) == [2, 3]
    assert chronicle.entries[-2:] == [
        NameForgotten(1, "Skarn the kobold", 1, 3),
        NameRose(3, "Krirn the kobold", "kobold", 1, 3, ("Ann", "Ann")),
    ]


@pytest.mark.rule("F99")
def test_who_slays_a_player_is_named_immediately() -> None:
    """It needs no time since the last name, and the least of the others is forgotten; other deeds wait as before."""
    rules = NamedRules(max=2, turns_between=100, levels=2, slayers=True)
    fame, chronicle = Fame(), Chronicle()
    for number, title, victims in ((1, "Skarn", 3), (2, "Krizat", 2)):
        assert take(fame, chronicle, replace(renown(number, title, victims=victims), slew=True), rules)
    assert take(fame, chronicle, renown(3, "Krirn", victims=9), rules) != [], "no slayer uses up the time"
    assert sorted(fame.named) == [1, 3]
    assert take(fame, chronicle, renown(4, "Grom", victims=9), rules) == []
    assert take(fame, chronicle, replace(renown(4, "Grom", victims=1), slew=True), rules) == [
        Envelope(1, SetName(1, "")),
        Envelope(1, SetName(4, "Grom")),
    ]
    without = replace(renown(5, "Ulf", victims=1), slew=True)
    assert take(fame, chronicle, without, RULES) == [], "other campaigns name no slayer sooner"


@pytest.mark.rule("F86")
def test_creature_realm_forgotten_loses_name_wherever() -> None:
    """A creature that the realm has forgotten loses its name wherever it appears."""
    fame, chronicle = Fame(), Chronicle()
    assert move_named(fame, 7, 3) == (Envelope(3, SetName(7, "")),)
    assert take(fame, chronicle, renown(7, title="Skarn", partition=4)) == [Envelope(4, SetName(7, ""))]


@pytest.mark.rule("F86", "F87")
def test_dead_creature_no_name_any_more_chronicle() -> None:
    """A dead creature has no name any more and the chronicle tells of its end."""
    fame, chronicle = Fame(), Chronicle()
    take(fame, chronicle, renown(1, "Skarn"))
    bury_named(fame, chronicle, RecordNamedDeath(1, 2, 4, "Bert", 9, (2, 1, 0)))
    bury_named(fame, chronicle, RecordNamedDeath(1, 2, 4, "Bert", 9, (2, 1, 0)))
    assert not fame.named
    assert chronicle.entries[1:] == [NameFell(1, "Skarn the kobold", 2, 4, "Bert", 9, ("Ann",))]


deeds = st.lists(
    st.tuples(
        st.integers(1, 6),
        st.sampled_from(["Skarn", "Krizat", "Krirn"]),
        st.integers(0, 3),
        st.integers(0, 120),
    ),
    max_size=60,
)


@pytest.mark.rule("F86", "F87")
@settings(deadline=None)
@given(deeds)
def test_whatever_happens_no_name_borne_twice_bounds(
    course: list[tuple[int, str, int, int]],
) -> None:
    """The names in the realm and on the levels are the same at any time."""
    fame, chronicle = Fame(), Chronicle()
    shown: dict[int, str] = {}
    rose: list[int] = []
    for number, title, victims, turns in course:
        fame.turns += turns
        before = chronicle.written
        if victims == 0 and shown.get(number):
            bury_named(fame, chronicle, RecordNamedDeath(number, 1, 3, "Bert", 9, (1, 1, 0)))
            shown.pop(number)
        fame_entry = renown(number, title, "Grom", victims=victims, title=shown.get(number, ""))
        for name in names(take(fame, chronicle, fame_entry)):
            shown[name.creature] = name.title
        rose += [fame.turns for each in chronicle.since(before) if isinstance(each, NameRose)]
        borne = Counter(each.title for each in fame.named.values())
        assert len(borne) == len(fame.named) <= RULES.max
        assert {who: name for who, name in shown.items() if name} == {
            who: each.title for who, each in fame.named.items()
        }
        assert len(chronicle.entries) <= EVENTS_MAX
    assert all(later - earlier >= RULES.turns_between for earlier, later in pairwise(rose))


def test_turns_of_the_realm_are_counted_once() -> None:
    realm = Realm(arrival=0)
    for source in ((1, 100, 3), (1, 100, 3), (2, 100, 0)):
        apply_realm(realm, arena(), RecordTurns(100, source))
    assert realm.fame.turns == 200


def duel(seed: int = 5) -> tuple[Dungeon, Creature]:
    """Return a dungeon where an ogre has just killed the only player, and the ogre."""
    here = new_dungeon(named_arena(), seed)
    here.apply_input(REALM_PARTITION, EnterPlay(1, "Ann"))
    body = here.levels[1].creatures[here.realm.lives[1].number]
    ogre = new_creature(here.campaign.creatures["ogre"], new_id(1, 900))
    here.apply_input(1, Arrive(ogre, body.cell, (99, 1, 0)))
    for _ in range(100):
        if body.number not in here.levels[1].creatures:
            return here, here.levels[1].creatures[ogre.number]
        here.apply_input(1, Turn((PlayerAction(body.number, 0, Wait()),)))
    raise AssertionError("the ogre has not killed the player")


@pytest.mark.rule("F86")
def test_creature_killed_player_bears_name_on_level() -> None:
    """A creature that killed a player bears a name on its level and in the realm."""
    here, ogre = duel()
    assert (ogre.title, ogre.name) == ("Grom", "Grom the ogre")
    assert [victim.name for victim in ogre.victims] == ["Ann"]
    known = here.realm.fame.named[ogre.number]
    assert (known.name, known.partition, known.level) == ("Grom the ogre", 1, ogre.level)
    rose = here.realm.events.entries[-1]
    assert rose == NameRose(ogre.number, "Grom the ogre", "ogre", 1, ogre.level, ("Ann",))
    assert here.batch.news[-1] == rose


@pytest.mark.rule("F86")
def test_name_goes_along_over_stairs_ends() -> None:
    """A name goes along over the stairs and ends with its creature."""
    here, ogre = duel()
    here.levels[1].dig(ogre.cell, Terrain.STAIRS_DOWN)
    here.levels[2].dig(ogre.cell, Terrain.STAIRS_UP)
    here.apply_input(REALM_PARTITION, EnterPlay(1, "Ann"))
    heir = here.levels[1].creatures[here.realm.lives[1].number]
    here.levels[1].swap(ogre, heir)  # who stands beside the ogre now, on stairs, and is followed
    here.apply_input(1, Turn((PlayerAction(heir.number, 0, Climb(down=True)),)))
    partition = next(partition for partition, level in here.levels.items() if ogre.number in level.creatures)
    assert here.realm.fame.named[ogre.number].partition == partition
    here.apply_input(partition, Remove(ogre.number, "", (98, 1, 0)))
    assert here.realm.fame.named == {}


@pytest.mark.rule("F86", "F57")
def test_names_are_the_same_after_any_cut_and_replay() -> None:
    """Each place is replayed from its beginning to each of its inputs: the records alone lead to the same names."""
    here, ogre = duel()
    applied = here.take_batch().applied
    assert "SetName" in {type(decode(each.body)).__name__ for each in applied}
    again = new_dungeon(named_arena(), 5)
    for each in applied:
        again.replay_input(each.partition, decode(each.body))
        again.realm = serialization.deserialize_realm(serialization.serialize_realm(again.realm))
        again.levels[1] = serialization.deserialize_level(
            serialization.serialize_level(again.levels[1]), again.campaign, 5
        )
    assert again.state_hash() == here.state_hash()
    assert again.levels[1].creatures[ogre.number].name == "Grom the ogre"
    change = next(each for each in applied if isinstance(decode(each.body), SetName))
    again.replay_input(1, decode(change.body))  # once more: it is accepted once
    again.levels[1].creatures[ogre.number].title = ""
    again.replay_input(1, decode(change.body))
    assert again.levels[1].creatures[ogre.number].title == ""


@pytest.mark.rule("F86")
def test_a_campaign_without_names_tells_realm_nothing() -> None:
    """A campaign without names tells the realm nothing."""
    here = new_dungeon(arena(), 5)
    here.apply_input(REALM_PARTITION, EnterPlay(1, "Ann"))
    body = here.levels[1].creatures[here.realm.lives[1].number]
    ogre = new_creature(here.campaign.creatures["ogre"], new_id(1, 900))
    here.apply_input(1, Arrive(ogre, body.cell, (99, 1, 0)))
    for _ in range(250):
        if body.number in here.levels[1].creatures:
            body.hp = 1 if here.levels[1].state.turns > 210 else body.hp_max
            here.apply_input(1, Turn((PlayerAction(body.number, 0, Wait()),)))
    kinds = {type(decode(each.body)).__name__ for each in here.batch.applied}
    assert not kinds & {"RecordRenown", "RecordTurns", "SetName"}
    assert ogre.name == "ogre"


@pytest.mark.rule("F99")
def test_slayer_that_leaves_with_its_kill_is_named() -> None:
    """No player is left to see the slayers, so they go down the stairs in the same input; each is named, however soon after another."""
    here = new_dungeon(shipped("gloam"), 5)
    for account, kind in ((1, "kobold"), (2, "mole"), (3, "crab")):
        here.apply_input(REALM_PARTITION, EnterPlay(account, f"Ann{account}"))
        body = here.levels[1].creatures[here.realm.lives[account].number]
        slayer = new_creature(here.campaign.creatures[kind], new_id(1, 900 + account))
        here.apply_input(1, Arrive(slayer, body.cell, (99, account, 0)))
        slayer.energy, body.food = 0, 1_000
        for _ in range(20):
            if body.number in here.levels[1].creatures:
                body.hp = 1
                here.apply_input(1, Turn((PlayerAction(body.number, 0, Wait()),)))
        assert slayer.number not in here.levels[1].creatures
        known = here.realm.fame.named[slayer.number]
        assert (known.victims, known.partition) == ((f"Ann{account}",), 2)
        assert here.levels[2].creatures[slayer.number].name == known.name
