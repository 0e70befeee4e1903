"""The beacons of the realm: lit once, out by the inputs of days alone, and starts of later lives."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gloam_server.world.model.events import SentIntoPlay
from gloam_server.world.model.inputs import (
    EnterPlay,
    Envelope,
    Input,
    Output,
    PassDay,
    RecordBeacon,
    Respawn,
    SetBeacons,
    decode,
    encode,
)
from gloam_server.world.realm.beacons import needs_day
from gloam_server.world.realm.chronicle import BeaconLit, BeaconOut
from gloam_server.world.realm.realm import Realm, apply_realm, beacons_of
from gloam_server.world.transition.serialization import deserialize_realm, serialize_realm
from support.content.beacon_campaign import beacon_arena


def light(realm: Realm, depth: int, at: int) -> tuple[Output, ...]:
    return apply_realm(realm, beacon_arena(), RecordBeacon(depth, 5, 1, (depth, at, 0)))


def pass_days(realm: Realm, *days: int) -> list[Output]:
    return [each for day in days for each in apply_realm(realm, beacon_arena(), PassDay(day))]


def with_life() -> Realm:
    realm = Realm(arrival=0)
    apply_realm(realm, beacon_arena(), EnterPlay(1, "Ann"))
    return realm


@pytest.mark.rule("F186")
def test_a_beacon_is_lit_once_and_told() -> None:
    """A beacon is lit once: its levels and the chronicle learn of it, not of a second time, nor of one report twice."""
    realm = with_life()
    assert light(realm, 1, 1) == (Envelope(1, SetBeacons(1, 5)), Envelope(2, SetBeacons(1)))
    assert light(realm, 1, 1) == ()
    assert light(realm, 1, 2) == (Envelope(1, SetBeacons(1, 5)),)
    assert light(realm, 3, 3) == ()
    assert realm.events.entries == [BeaconLit("Ann", 1, "the fire of the gate", 1, 1, 2)]


@pytest.mark.rule("F189")
def test_a_beacon_goes_out_after_seven_days() -> None:
    """A beacon goes out after seven days, and its warden returns."""
    realm = with_life()
    light(realm, 1, 1)
    assert pass_days(realm, 100, 101, 106) == []
    assert pass_days(realm, 107) == [
        Envelope(1, Respawn("kobold")),
        Envelope(1, SetBeacons(0)),
        Envelope(2, SetBeacons(0)),
    ]
    assert realm.events.entries[-1] == BeaconOut("the fire of the gate", 1, 0, 2)
    assert not beacons_of(realm).lit


@pytest.mark.rule("F189")
def test_a_clock_that_jumps_puts_out_one() -> None:
    """A clock that jumps years puts out one beacon, the oldest; the next day the next one; the same day twice none."""
    realm = with_life()
    light(realm, 2, 1)
    pass_days(realm, 100)
    light(realm, 1, 1)
    pass_days(realm, 101)
    pass_days(realm, 9_000, 9_000)
    assert list(beacons_of(realm).lit) == [1]
    pass_days(realm, 9_001)
    assert list(beacons_of(realm).lit) == []


@pytest.mark.rule("F189")
def test_a_clock_that_goes_back_puts_out_none() -> None:
    """After a clock goes back, each beacon burns its whole time again."""
    realm = with_life()
    light(realm, 1, 1)
    pass_days(realm, 5_000, 100, 106)
    assert list(beacons_of(realm).lit) == [1]
    pass_days(realm, 107)
    assert not beacons_of(realm).lit


@pytest.mark.rule("F189")
def test_a_clock_that_flips_puts_out_one_a_day() -> None:
    """A clock that goes back and forth within a day puts out one beacon; the next day may put out the other."""
    realm = with_life()
    light(realm, 1, 1)
    light(realm, 2, 1)
    pass_days(realm, 20_000, 19_990, 20_000, 19_990, 20_000, 19_990, 20_000)
    assert len(beacons_of(realm).lit) == 1
    pass_days(realm, 20_001)
    assert not beacons_of(realm).lit


@pytest.mark.rule("F189")
def test_a_beacon_lit_after_its_last_day() -> None:
    """A beacon counts from the first day after it was lit: it does not go out by it, however old the last day is."""
    realm = with_life()
    light(realm, 1, 1)
    pass_days(realm, 100, 107)
    light(realm, 1, 2)
    assert needs_day(beacons_of(realm), 107)
    assert pass_days(realm, 500) == []
    assert not needs_day(beacons_of(realm), 500)


@pytest.mark.rule("F188")
@pytest.mark.parametrize(("asked", "depth", "level"), [(2, 2, 4), (1, 1, 0), (9, 1, 0), (-1, 1, 0)])
def test_a_life_begins_at_a_lit_beacon(asked: int, depth: int, level: int) -> None:
    """A life begins at a lit beacon with its level; at a dark or unknown one it begins at the entrance."""
    realm = with_life()
    light(realm, 2, 1)
    [sent, *_] = apply_realm(realm, beacon_arena(), EnterPlay(2, "Bert", beacon=asked))
    assert isinstance(sent, SentIntoPlay)
    assert (sent.partition, sent.catches_up) == (depth, level)
    assert apply_realm(realm, beacon_arena(), EnterPlay(2, "Bert", beacon=2)) == ()


@pytest.mark.rule("F189")
@given(st.lists(st.one_of(st.integers(0, 400), st.sampled_from(["light 1", "light 2"])), max_size=40))
def test_at_most_one_beacon_a_day_goes_out(steps: list[int | str]) -> None:
    """However the clock jumps: one a day, never before its time, and one that goes out had been lit."""
    realm, last = with_life(), -1
    for at, step in enumerate(steps, start=1):
        before = dict(beacons_of(realm).lit)
        if isinstance(step, str):
            light(realm, int(step[-1]), at)
            assert set(beacons_of(realm).lit) == {*before, int(step[-1])}
            continue
        since = {depth: each.day for depth, each in before.items()}
        pass_days(realm, step)
        gone = set(before) - set(beacons_of(realm).lit)
        assert len(gone) <= (1 if step > last else 0)
        assert all(0 <= since[depth] <= step - 7 for depth in gone)
        last = step if before else last


@pytest.mark.rule("F189")
def test_lit_and_put_out_in_one_breath() -> None:
    """A beacon that is lit and goes out with the next input leaves a realm that can be lit again."""
    realm = with_life()
    for at in range(1, 6):
        light(realm, 1, at)
        pass_days(realm, at * 100, at * 100 + 7)
        assert not beacons_of(realm).lit
    assert [type(each) for each in realm.events.entries] == [BeaconLit, BeaconOut] * 5


def test_a_realm_without_beacons_has_its_bytes() -> None:
    """A realm of an earlier world has no beacon, and its bytes are as they were."""
    assert b"beacons" not in serialize_realm(with_life())


def test_a_replay_puts_out_the_same_beacons() -> None:
    """The same inputs from their bytes lead to the same bytes, also from a state in the middle."""
    inputs: list[Input] = [
        EnterPlay(1, "Ann"),
        RecordBeacon(2, 7, 1, (2, 1, 0)),
        PassDay(100),
        RecordBeacon(1, 5, 1, (1, 1, 0)),
        PassDay(107),
        PassDay(108),
    ]
    live, replayed = Realm(arrival=0), Realm(arrival=0)
    for input_ in inputs:
        apply_realm(live, beacon_arena(), input_)  # type: ignore[arg-type]
        apply_realm(replayed, beacon_arena(), decode(encode(input_)))  # type: ignore[arg-type]
        replayed = deserialize_realm(serialize_realm(replayed))
        assert serialize_realm(replayed) == serialize_realm(live)
