"""The recap of the end of a life: recent damage, unused magic, a lesson, the line of heirs. Pure."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from gloam_server.content.campaign import Campaign
from gloam_server.content.items import ItemKind
from gloam_server.content.lessons import LESSONS
from gloam_server.views.magic_effects import first_effect
from gloam_server.world.model.events import WITHOUT_BLOW, DamageDealt, DroppedItem, PlayerDied
from gloam_server.world.model.identification import unidentified_name
from gloam_server.world.model.level import Level
from gloam_server.world.realm.chronicle import ChronicleEntry
from gloam_server.world.realm.realm import Realm
from gloam_shared.level_numbers import depth_of_level
from gloam_shared.narration.rendering import with_count
from gloam_shared.protocol.messages.lives import DamageTaken, Forebear, Recap
from gloam_shared.view.view import MagicEffect

RECENT_TURNS: Final = 10
"""The number of a player's last turns whose damage is shown."""
_WOUNDS_MAX: Final = 200
_SOURCES_MAX: Final = 8
_UNUSED_MAX: Final = 12
_LINE_MAX: Final = 8
_LEVELS_ABOVE: Final = 2
"""A killer that is more levels above a player is far above them."""
_SURROUNDED: Final = 3
_SUDDEN_TURNS: Final = 2
_ESCAPES: Final = frozenset({MagicEffect.TELEPORT, MagicEffect.BLINK, MagicEffect.SWAP, MagicEffect.PUSH})


def recent_wounds(known: tuple[DamageDealt, ...], new: Iterable[DamageDealt]) -> tuple[DamageDealt, ...]:
    """Return the damage of a body's last turns, after more damage; damage of an earlier body is dropped."""
    wounds = (*known, *new)
    if not wounds:
        return ()
    newest = wounds[-1]
    kept = [
        each for each in wounds if each.victim == newest.victim and each.turn > newest.turn - RECENT_TURNS
    ]
    return tuple(kept[-_WOUNDS_MAX:])


def life_recap(
    campaign: Campaign,
    realm: Realm,
    level: Level | None,
    fallen: PlayerDied,
    wounds: tuple[DamageDealt, ...],
) -> Recap:
    """Return the message about the end of a life. `level` is where it ended, None if that is not loaded.

    `wounds` are all known damage to players' bodies; damage to other bodies or in earlier turns does not count.
    """
    own = [
        each for each in wounds if each.victim == fallen.number and each.turn > fallen.turns - RECENT_TURNS
    ]
    magic = list(_unused(campaign, level, fallen)) if level is not None else []
    return Recap(
        RECENT_TURNS,
        _by_source(own),
        _names(left for left, _ in magic),
        "" if fallen.won else _lesson(campaign, realm, level, fallen, own, magic),
        tuple(_forebear(each) for each in realm.chronicle if each.account == fallen.account)[-_LINE_MAX:],
    )


def _by_source(wounds: list[DamageDealt]) -> tuple[DamageTaken, ...]:
    """Return the damage by its sources, the most first; of equal ones the earlier first. Fire and poison strike no blows."""
    taken: dict[str, DamageTaken] = {}
    for wound in wounds:
        source, blows = wound.means or wound.name, wound.source not in WITHOUT_BLOW
        before = taken.get(source, DamageTaken(source, 0, 0))
        taken[source] = DamageTaken(source, before.amount + wound.amount, before.blows + blows)
    return tuple(sorted(taken.values(), key=lambda each: -each.amount)[:_SOURCES_MAX])


def _unused(campaign: Campaign, level: Level, fallen: PlayerDied) -> Iterator[tuple[DroppedItem, ItemKind]]:
    """Yield the magic that a body carried and could have used, with its kinds."""
    lying = {item.number: item for item in level.piles.get(fallen.cell, ())}
    for left in fallen.remains:
        item = lying.get(left.item)
        kind = campaign.items[item.kind] if item is not None else _kind_named(level, left.name)
        if kind is not None and kind.spell and (item is None or item.charges or not kind.zaps):
            yield left, kind


def _kind_named(level: Level, name: str) -> ItemKind | None:
    """Return the kind of an item that is gone with its owner, as bound ones are, by the name that they knew."""
    kinds = level.campaign.items.values()
    return next(
        (k for k in kinds if k.name == name or (k.looks and unidentified_name(level, k) == name)), None
    )


def _names(lefts: Iterable[DroppedItem]) -> tuple[str, ...]:
    counts: dict[str, int] = {}
    for left in lefts:
        counts[left.name] = counts.get(left.name, 0) + 1
    return tuple(with_count(name, count) for name, count in counts.items())[:_UNUSED_MAX]


def _lesson(
    campaign: Campaign,
    realm: Realm,
    level: Level | None,
    fallen: PlayerDied,
    wounds: list[DamageDealt],
    magic: list[tuple[DroppedItem, ItemKind]],
) -> str:
    """Return the sentence of the first cause that holds; a campaign's own sentences go before the common ones."""
    texts: Mapping[str, str] = {**LESSONS, **campaign.lessons}
    killer = level.creatures.get(fallen.killer) if level is not None else None
    causes = [
        killer.kind if killer is not None and killer.kind in campaign.lessons else "",
        fallen.by if killer is None and not fallen.killer else "",
        *_missed(campaign, magic),
        "named" if _has_killed_before(realm, fallen) else "",
        "stronger" if fallen.killer_level > fallen.level + _LEVELS_ABOVE else "",
        "shot" if level is not None and _is_mostly_shot(campaign, level, wounds) else "",
        *_circumstances(fallen, wounds),
        "unknown" if any(kind.name not in left.name for left, kind in magic) else "",
    ]
    return next((texts[cause] for cause in causes if cause in texts), texts["default"])


def _has_killed_before(realm: Realm, fallen: PlayerDied) -> bool:
    """Return whether the killer had a name and victims before this life: the name may come from its end."""
    named = realm.fame.named.get(fallen.killer)
    return named is not None and named.victim_count > 1


def _missed(campaign: Campaign, magic: list[tuple[DroppedItem, ItemKind]]) -> Iterator[str]:
    """Yield what the unused magic that the player has identified could have done."""
    known = [kind for left, kind in magic if kind.name in left.name]
    effects = [first_effect(campaign.spells[kind.spell]) for kind in known]
    if MagicEffect.HEAL in effects:
        yield "healing"
    if any(effect in _ESCAPES for effect in effects):
        yield "escape"


def _is_mostly_shot(campaign: Campaign, level: Level, wounds: list[DamageDealt]) -> bool:
    """Return whether creatures on the level whose kinds shoot did most of the damage."""
    shooters = {body.number for body in level.monsters() if "shoot" in campaign.creatures[body.kind].tasks}
    shot = sum(wound.amount for wound in wounds if wound.attacker in shooters)
    return 2 * shot > sum(wound.amount for wound in wounds)


def _circumstances(fallen: PlayerDied, wounds: list[DamageDealt]) -> Iterator[str]:
    """Yield what the last wounds tell, the most telling first."""
    attackers = {wound.attacker for wound in wounds} - {0, fallen.number}
    total = sum(wound.amount for wound in wounds)
    if len(attackers) >= _SURROUNDED:
        yield "surrounded"
    if 2 * sum(wound.amount for wound in wounds if wound.source == "spell") > total:
        yield "magic"
    if 2 * sum(wound.amount for wound in wounds if wound.source == "gradual") > total:
        yield "slow"
    if not fallen.killer and wounds and wounds[-1].attacker in attackers:
        yield "player"
    last = sum(wound.amount for wound in wounds if wound.turn > fallen.turns - _SUDDEN_TURNS)
    if fallen.hp_max and 3 * last >= 2 * fallen.hp_max:
        yield "sudden"
    if fallen.remains and not any(left.wielded for left in fallen.remains):
        yield "unarmed"


def _forebear(life: ChronicleEntry) -> Forebear:
    return Forebear(life.name, life.won, life.by, depth_of_level(life.depth), life.level, life.turns)
