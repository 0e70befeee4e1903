"""A realm's state under another version of its campaign: what is incompatible, and what is adapted.

It is neither a rule nor an input: it runs once between two runs of a server, and the realm starts from its
result.
"""

from collections import Counter
from collections.abc import Iterable, Iterator

from msgspec import UNSET

from gloam_server.content.campaign import Campaign
from gloam_server.content.spells import STATUS_KINDS
from gloam_server.rules.dice import Dice
from gloam_server.world.combat.bosses import respawn_boss
from gloam_server.world.growth.beacons import lay_unlit_beacon
from gloam_server.world.model.context import TurnContext
from gloam_server.world.model.creature import Creature, Item
from gloam_server.world.model.devices.device_changes import forget_unknown_devices
from gloam_server.world.model.surfaces.surface_changes import forget_unknown
from gloam_server.world.population.spawning import is_from_level
from gloam_server.world.realm.realm import ARRIVAL_LEVEL
from gloam_server.world.transition.dungeon import Dungeon
from gloam_server.world.transition.unseen_levels import seen_levels


def incompatibilities(dungeon: Dungeon, archived: Iterable[Creature] = ()) -> list[str]:
    """Return the contents of the dungeon that its campaign does not know, each with its count and place.

    `archived` are the bodies that are out of memory.
    """
    absent = (
        (what, f"with {body.name}") for body in archived for what in _unknown_of(dungeon.campaign, body)
    )
    found = Counter([*_unknown(dungeon), *absent])
    wheres: dict[str, list[str]] = {}
    for what, where in found:
        wheres.setdefault(what, []).append(where)
    return [
        f"{what} ({sum(found[what, where] for where in partitions)}, {', '.join(partitions)})"
        for what, partitions in wheres.items()
    ]


def migrate_content(dungeon: Dungeon) -> None:
    """Clamp values to the campaign's bounds, and fill in fields that worlds of older rules lack.

    Wardens that the campaign has got since are put on the levels where no player was yet; visited ones stay (rule F185).
    """
    _bring_wardens(dungeon)
    for level in dungeon.levels.values():
        forget_unknown(level)
        forget_unknown_devices(level)
        if level.state.share < 0:
            level.state.share = sum(is_from_level(level, body) for body in level.creatures.values())
        for item in (item for pile in level.piles.values() for item in pile):
            _migrate_item(dungeon.campaign, item)
    for body, _ in _bodies(dungeon):
        _migrate_body(dungeon.campaign, body)


def _bring_wardens(dungeon: Dungeon) -> None:
    visited = seen_levels(dungeon)
    for beacon in dungeon.campaign.beacons.places:
        level = dungeon.levels.get(beacon.depth)
        if level is not None and beacon.depth not in visited and beacon.depth not in dungeon.closed:
            dice = Dice(level.realm_seed, level.partition, level.state.sequence)
            context = TurnContext(level, dice)
            respawn_boss(context, beacon.warden)
            lay_unlit_beacon(context)


def fit_body(campaign: Campaign, body: Creature) -> list[str]:
    """Adapt a body to a campaign; return what the campaign does not know instead, and then leave the body unchanged."""
    unknown = list(_unknown_of(campaign, body))
    if not unknown:
        _migrate_body(campaign, body)
    return unknown


def name_kinds(dungeon: Dungeon) -> None:
    """Give the levels of a world of rules version 1 their missing kind, and the first its arrival cell."""
    for level in dungeon.levels.values():
        if not level.state.kind:
            level.state.kind = next((kind.key for kind in dungeon.campaign.levels_at(level.depth)), "")
            level.state.arrival = dungeon.realm.arrival if level.partition == ARRIVAL_LEVEL else -1


def _unknown(dungeon: Dungeon) -> Iterator[tuple[str, str]]:
    """Yield each use of content that the campaign does not know, with its place."""
    campaign = dungeon.campaign
    for partition, level in sorted(dungeon.levels.items()):
        where = f"level {partition}"
        if level.state.kind not in campaign.levels:
            yield f'the level "{level.state.kind}"', where
        for spell in (spell for spell in level.traps.values() if spell not in campaign.spells):
            yield f'the spell "{spell}" of a trap', where
        for item in (item for pile in level.piles.values() for item in pile):
            if item.kind not in campaign.items:
                yield f'the item "{item.kind}"', where
    for partition, kind in sorted(dungeon.realm.slain.items()):
        if kind not in campaign.creatures and kind not in campaign.items:
            yield f'"{kind}", which rises again', f"level {partition}"
    for body, where in _bodies(dungeon):
        yield from ((what, where) for what in _unknown_of(campaign, body))


def _unknown_of(campaign: Campaign, body: Creature) -> Iterator[str]:
    kind = campaign.creatures.get(body.kind)
    if kind is None:
        yield f'the creature "{body.kind}"'
    elif sum(item is not None for item in body.slots) > kind.slots:
        yield f'room for what the creature "{body.kind}" carries'
    for item in body.carried:
        if item.kind not in campaign.items:
            yield f'the item "{item.kind}"'
    for state in body.lasting:
        spell = campaign.spells.get(state.spell)
        effects = spell.effects[state.effect :][:1] if spell is not None else ()
        if not any(effect.turns and effect.does in (*STATUS_KINDS, "summon") for effect in effects):
            yield f'what the spell "{state.spell}" leaves on a body'


def _bodies(dungeon: Dungeon) -> Iterator[tuple[Creature, str]]:
    """Yield every body, in play and out of it, with its place."""
    for partition, level in sorted(dungeon.levels.items()):
        for _, body in sorted(level.creatures.items()):
            yield body, f"level {partition}"
    for _, life in sorted(dungeon.realm.lives.items()):
        if life.kept is not None:
            yield life.kept, f"with {life.name}"


def _migrate_body(campaign: Campaign, body: Creature) -> None:
    slots = campaign.creatures[body.kind].slots
    if len(body.slots) > slots:
        taken = [slot for slot, item in enumerate(body.slots) if item is not None]
        body.stacks = {at: body.stacks[slot] for at, slot in enumerate(taken) if slot in body.stacks}
        body.slots = [body.slots[slot] for slot in taken]
    body.slots += [None] * (slots - len(body.slots))
    for item in body.carried:
        _migrate_item(campaign, item)
        if item.number == body.wielded and not campaign.items[item.kind].wieldable:
            body.wielded = 0
        if item.number == body.worn and not campaign.items[item.kind].wearable:
            body.worn = 0
        if item.number == body.ring and not campaign.items[item.kind].is_ring:
            body.ring = 0
    for state in body.lasting:
        state.turns = min(state.turns, campaign.spells[state.spell].effects[state.effect].turns)
    if body.bent is not UNSET and body.bent not in campaign.bents:
        body.bent = UNSET
    if body.offer is not UNSET:
        body.offer = tuple([card for card in body.offer if card in campaign.traits])
    body.learned = [trait for trait in body.learned if trait in campaign.traits]
    body.known = [kind for kind in body.known if kind in campaign.items and campaign.items[kind].looks]


def _migrate_item(campaign: Campaign, item: Item) -> None:
    kind = campaign.items[item.kind]
    item.bites = min(item.bites, kind.bites)
    item.charges = min(max(item.charges, 1), kind.charges[1])
    if all(brand.key != item.brand or brand.fits != kind.branded_as for brand in campaign.brands):
        item.brand, item.noticed = "", False
