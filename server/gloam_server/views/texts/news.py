"""The chronicle in words: one line for each entry, the greatest lives, and missed news. Pure."""

from collections.abc import Sequence
from typing import Final, assert_never

from gloam_server.world.realm import chronicle
from gloam_server.world.realm.chronicle import ChronicleEntry
from gloam_server.world.realm.realm import Realm
from gloam_shared.limits import CHRONICLE_SHOWN_MAX, NEWS_SHOWN_MAX
from gloam_shared.narration import rendering
from gloam_shared.protocol.messages.records import NewsItem, PastLife

MISSED_MAX: Final = 5
"""The most entries that a player gets about the time when they were away."""


def news_text(event: chronicle.RealmEvent) -> str:
    """Return an entry of the chronicle as a sentence for all players."""
    match event:
        case chronicle.LifeEnded(won=True):
            return f"{event.name} has won by {event.by}!"
        case chronicle.LifeEnded():
            return _death_text(event)
        case chronicle.FirstAtDepth(name, _, partition):
            return f"{name} is the first to reach depth {rendering.depth_text(partition)}."
        case chronicle.NameRose() if event.friend:
            kind = rendering.with_article(event.kind)
            return f"{event.friend}'s companion, {kind} of level {event.level}, has a name: {event.name}."
        case chronicle.NameRose():
            deed = f", which slew {rendering.list_names(event.victims)}," if event.victims else ""
            return (
                f"{rendering.capital(rendering.with_article(event.kind))} of level {event.level} on depth {rendering.depth_text(event.partition)}"
                f"{deed} has made a name for itself: {event.name}."
            )
        case chronicle.NameFell():
            revenge = (
                f" and avenged {rendering.list_names(event.victims)}"
                if event.account and event.victims
                else ""
            )
            where = f"on depth {rendering.depth_text(event.partition)}"
            if event.friend:
                end = rendering.end_of_life(event.by)
                return f"{event.name}, {event.friend}'s companion, {end} {where}, and is mourned."
            if event.account:
                return f"{event.by} slew {event.name}, level {event.level}, {where}{revenge}."
            return f"{event.name}, level {event.level}, {rendering.end_of_life(event.by)} {where}."
        case chronicle.NameForgotten(_, name):
            return f"{name} has done nothing great for long, and the name is forgotten."
        case chronicle.BeaconLit() | chronicle.BeaconOut():
            return _beacon_text(event)
        case _:
            assert_never(event)


def week_news(events: Sequence[chronicle.RealmEvent], lives: int) -> tuple[NewsItem, ...]:
    """Return the events of a week in which that number of lives ended; the other events have no time of their own."""
    ended = [at for at, event in enumerate(events) if isinstance(event, chronicle.LifeEnded)]
    begin = ended[-lives - 1] + 1 if lives < len(ended) else 0
    return tuple(NewsItem(_kind_of(event), news_text(event)) for event in events[begin:][-NEWS_SHOWN_MAX:])


def _kind_of(event: chronicle.RealmEvent) -> str:
    match event:
        case chronicle.LifeEnded():
            return "won" if event.won else "death"
        case chronicle.FirstAtDepth():
            return "depth"
        case chronicle.NameRose():
            return "rose"
        case chronicle.NameFell():
            return "revenge" if event.account and event.victims else "fell"
        case chronicle.NameForgotten():
            return "forgotten"
        case chronicle.BeaconLit():
            return "lit"
        case chronicle.BeaconOut():
            return "out"
        case _:
            assert_never(event)


def concerned_account(event: chronicle.RealmEvent) -> int:
    """Return the account of the player who already knows of an event, 0 for none."""
    return event.account if isinstance(event, chronicle.LifeEnded | chronicle.FirstAtDepth) else 0


def missed_news(realm: Realm, account: int) -> list[str]:
    """Return the news since a player left, in a few lines; none for a player who has not left."""
    if account not in realm.left:
        return []
    missed = [event for event in realm.events.since(realm.left[account]) if _account_of(event) != account]
    if not missed:
        return []
    return ["While you were away:", *(news_text(event) for event in missed[-MISSED_MAX:])]


def greatest_lives(lives: Sequence[ChronicleEntry]) -> tuple[PastLife, ...]:
    """Return the greatest ended lives: those that won first, then by depth, level and age."""
    best = sorted(lives, key=lambda life: (life.won, life.depth, life.level), reverse=True)
    return tuple(
        PastLife(life.name, life.won, life.by, life.depth, life.level, life.turns)
        for life in best[:CHRONICLE_SHOWN_MAX]
    )


def _account_of(event: chronicle.RealmEvent) -> int:
    return getattr(event, "account", 0)


def _beacon_text(event: chronicle.BeaconLit | chronicle.BeaconOut) -> str:
    where = f"on depth {rendering.depth_text(event.partition)}"
    count = f"{event.lit} of {event.beacons} beacons burn"
    if isinstance(event, chronicle.BeaconLit):
        return f"{event.name} lit {event.beacon} {where}, where new lives may begin now: {count}."
    return f"{rendering.capital(event.beacon)} {where} has gone out: {count}."


def _death_text(event: chronicle.LifeEnded) -> str:
    where = f"on depth {rendering.depth_text(event.partition)}"
    worst = (
        f" Most of the last damage was by {rendering.cause_of_damage(event.worst)}." if event.worst else ""
    )
    if event.killer and rendering.is_own_name(event.by):
        return f"{rendering.capital(event.by)} slew {event.name} {where} and is level {event.killer_level} now.{worst}"
    grown = f" It is level {event.killer_level} now." if event.killer_grown else ""
    return f"{event.name} {rendering.end_of_life(event.by)} {where}.{grown}{worst}"
