"""The realm: what the levels share, as one more state machine. Lives, and bodies that are not in play."""

from typing import assert_never

from msgspec import Struct, field

from gloam_server.content.definitions import Campaign
from gloam_server.world.creature import Creature, born
from gloam_server.world.events import Forgotten, Output, Perished, Sent
from gloam_server.world.inputs import Bury, Enter, Keep, Moved, RealmInput, Rules, is_news
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
    """Everything that no single level owns. `arrival` is the cell on level 1 where new lives begin.

    `fallen` are the last lives of those who have not begun the next one yet, by account.
    """

    arrival: int
    sequence: int = 0
    minted: int = 0
    lives: dict[int, Life] = field(default_factory=dict)
    deaths: int = 0
    fallen: dict[int, Perished] = field(default_factory=dict)
    rules_version: int = 0
    libraries: str = ""
    heard: dict[int, tuple[int, int]] = field(default_factory=dict)


def apply_realm(realm: Realm, campaign: Campaign, input_: RealmInput) -> tuple[Output, ...]:
    """Apply one input to the realm and return what it sends to levels."""
    realm.sequence += 1
    match input_:
        case Enter(account, name):
            return _enter(realm, campaign, account, name)
        case Keep(body, place, source):
            if is_news(realm.heard, source):
                life = realm.lives[body.account]
                life.kept, life.place = body, place
            return ()
        case Bury(fallen, source):
            return _bury(realm, fallen) if is_news(realm.heard, source) else ()
        case Moved(account, place, source):
            if is_news(realm.heard, source):
                life = realm.lives[account]
                life.place = place
                if place not in life.visited:
                    life.visited.append(place)
            return ()
        case Rules(version, libraries):
            realm.rules_version, realm.libraries = version, libraries
            return ()
        case _:
            assert_never(input_)


def _enter(realm: Realm, campaign: Campaign, account: int, name: str) -> tuple[Output, ...]:
    realm.fallen.pop(account, None)
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


def _bury(realm: Realm, fallen: Perished) -> tuple[Output, ...]:
    life = realm.lives.pop(fallen.account)
    realm.deaths += 1
    realm.fallen[fallen.account] = fallen
    return tuple(Forgotten(fallen.number, other) for other in life.visited if other != fallen.place)
