"""The realm: what the levels share, as one more state machine. Lives, and bodies that are not in play."""

from typing import assert_never

from msgspec import Struct, field

from gloam_server.content.definitions import Campaign
from gloam_server.world.creature import Creature, born
from gloam_server.world.events import Forgotten, Output, Sent
from gloam_server.world.inputs import Bury, Enter, Keep, Moved, RealmInput, Rules, Source
from gloam_server.world.numbers import REALM_PLACE, mint

ARRIVAL_LEVEL = 1


class Life(Struct):
    """A player's present life: his body's number, and the level where it is or would return to.

    `kept` is the body while it is out of play. `visited` are the levels that remember it.
    """

    number: int
    name: str
    place: int
    kept: Creature | None = None
    visited: list[int] = field(default_factory=list)


class Realm(Struct):
    """Everything that no single level owns. `arrival` is the cell on level 1 where new lives begin."""

    arrival: int
    sequence: int = 0
    minted: int = 0
    lives: dict[int, Life] = field(default_factory=dict)
    deaths: int = 0
    rules_version: int = 0
    heard: dict[int, tuple[int, int]] = field(default_factory=dict)


def apply_realm(realm: Realm, campaign: Campaign, input_: RealmInput) -> tuple[Output, ...]:
    """Apply one input to the realm and return what it sends to levels."""
    realm.sequence += 1
    match input_:
        case Enter(account, name):
            return _enter(realm, campaign, account, name)
        case Keep(body, place, source):
            if _is_news(realm, source):
                life = realm.lives[body.account]
                life.kept, life.place = body, place
            return ()
        case Bury(account, number, place, source):
            return _bury(realm, account, number, place) if _is_news(realm, source) else ()
        case Moved(account, place, source):
            if _is_news(realm, source):
                life = realm.lives[account]
                life.place = place
                if place not in life.visited:
                    life.visited.append(place)
            return ()
        case Rules(version):
            realm.rules_version = version
            return ()
        case _:
            assert_never(input_)


def _enter(realm: Realm, campaign: Campaign, account: int, name: str) -> tuple[Output, ...]:
    life = realm.lives.get(account)
    if life is None:
        realm.minted += 1
        number = mint(REALM_PLACE, realm.minted)
        body = born(campaign.player_kind, number, name=name, account=account, food=campaign.hunger.start)
        realm.lives[account] = Life(number, name, ARRIVAL_LEVEL, visited=[ARRIVAL_LEVEL])
        return (Sent(body, ARRIVAL_LEVEL, realm.arrival),)
    if life.kept is None:
        return ()
    body, life.kept = life.kept, None
    return (Sent(body, life.place, body.cell),)


def _bury(realm: Realm, account: int, number: int, place: int) -> tuple[Output, ...]:
    life = realm.lives.pop(account)
    realm.deaths += 1
    return tuple(Forgotten(number, other) for other in life.visited if other != place)


def _is_news(realm: Realm, source: Source) -> bool:
    """Return whether an output of a level is new here, and note that it has been taken."""
    place, sequence, index = source
    if realm.heard.get(place, (0, -1)) >= (sequence, index):
        return False
    realm.heard[place] = (sequence, index)
    return True
