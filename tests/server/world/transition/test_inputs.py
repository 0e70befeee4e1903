"""Inputs as the journal keeps them: what is decoded is what was encoded."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gloam_server.world.model.creature import Creature, Item
from gloam_server.world.model.events import PlayerDied
from gloam_server.world.model.inputs import (
    AdoptRules,
    ArchivedLife,
    ArchiveLife,
    Arrive,
    EnterPlay,
    FreeAction,
    GiveMemory,
    GrantKeepsake,
    Input,
    Leave,
    PlayerAction,
    PopulateLevel,
    RecordDeath,
    RecordMove,
    RecordTrophy,
    Remove,
    RequestKeepsake,
    Resound,
    Respawn,
    RestoreLife,
    StoreBody,
    TakeKit,
    TakeMemory,
    Turn,
    UnattendedTurn,
    decode,
    encode,
)
from gloam_shared.protocol.commands import Choose, Climb, Drop, Eat, Move, PickUp, Wait, Wear, Wield
from support.world.random_level import Step, cave, play, seeds, steps

whole = st.integers(0, 2**53)
words = st.text(max_size=12)
sources = st.tuples(whole, whole, whole)
offsets = st.integers(-1, 1)
actions = st.one_of(
    st.none(),
    st.builds(Move, offsets, offsets),
    st.just(Wait()),
    st.builds(Climb, st.booleans()),
    st.builds(PickUp, st.lists(st.integers(1, 65_535), max_size=4).map(tuple)),
    *(st.builds(command, st.integers(0, 25)) for command in (Drop, Eat)),
    *(st.builds(command, st.none() | st.integers(0, 25)) for command in (Wield, Wear)),
)
items = st.builds(Item, whole, words, words, words, whole, whole, whole)
creatures = st.builds(
    Creature,
    number=whole,
    kind=words,
    name=words,
    hp=whole,
    hp_max=whole,
    attack=whole,
    defence=whole,
    sight=whole,
    speed=whole,
    account=whole,
    cell=st.integers(-1, 65_535),
    energy=whole,
    level=whole,
    experience=whole,
    asleep=whole,
    contacts=st.dictionaries(whole, whole, max_size=4),
    slots=st.lists(items | st.none(), max_size=3),
)
lives = st.builds(ArchivedLife, creatures, whole, st.lists(whole, max_size=3), whole)
ends = st.builds(
    PlayerDied,
    account=whole,
    number=whole,
    name=words,
    by=words,
    partition=whole,
    cell=whole,
    level=whole,
    experience=whole,
    turns=whole,
    kills=whole,
    command=whole,
)
inputs = st.one_of(
    st.builds(Turn, st.lists(st.builds(PlayerAction, whole, whole, actions), max_size=6).map(tuple)),
    st.just(UnattendedTurn()),
    st.builds(FreeAction, whole, whole, st.builds(Choose, st.integers(0, 15))),
    st.builds(Arrive, creatures, whole, sources),
    st.builds(Leave, whole),
    st.builds(TakeKit, whole, whole),
    st.builds(PopulateLevel, whole, whole, st.integers(-1, 65_535), whole, st.lists(words).map(tuple)),
    st.builds(Remove, whole, words, sources),
    st.builds(AdoptRules, whole),
    st.builds(RequestKeepsake, whole, whole, whole, whole, sources),
    st.builds(GrantKeepsake, whole, items | st.none(), sources),
    st.builds(Respawn, words, sources),
    st.builds(EnterPlay, whole, words),
    st.builds(StoreBody, creatures, whole, sources),
    st.builds(RecordDeath, ends, sources),
    st.builds(RecordMove, whole, whole, sources),
    st.builds(ArchiveLife, whole),
    st.builds(RestoreLife, whole, whole, st.none() | lives, st.just(((1, b"ab"), (2, b"")))),
    st.builds(TakeMemory, whole, whole, sources),
    st.builds(RecordTrophy, whole, st.text(max_size=20), sources),
    st.builds(Resound, st.sampled_from(["fight", "growth"]), whole, whole, sources),
    st.builds(GiveMemory, whole, st.binary(max_size=9), sources),
)


@given(inputs)
def test_what_is_decoded_is_what_was_encoded(input_: Input) -> None:
    assert decode(encode(input_)) == input_


@given(inputs)
def test_encoding_is_stable(input_: Input) -> None:
    assert encode(decode(encode(input_))) == encode(input_)


@given(seeds, steps)
def test_inputs_of_play_survive_the_journal(seed: int, course: list[Step]) -> None:
    for body in play(cave(seed), course):
        assert encode(decode(body)) == body


@given(st.binary(max_size=30))
def test_bytes_that_are_no_input_are_refused(body: bytes) -> None:
    try:
        decoded = decode(body)
    except msgspec.DecodeError:
        return
    assert isinstance(decoded, Input)


def test_an_unknown_kind_of_input_is_refused() -> None:
    with pytest.raises(msgspec.ValidationError):
        decode(msgspec.msgpack.encode([99, 1]))
