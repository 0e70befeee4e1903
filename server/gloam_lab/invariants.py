"""Invariants after every input. Tests and the simulation check them; the server does not, to save time."""

from msgspec import UNSET

from gloam_server.content.surfaces import LASTS_MAX
from gloam_server.rules import growth
from gloam_server.rules.energy import ACTION_COST
from gloam_server.world.growth.learning import is_quiet
from gloam_server.world.growth.renown import VICTIMS_MAX
from gloam_server.world.items.equipment import is_alike
from gloam_server.world.items.floor_items import FLOOR_ITEMS_MAX
from gloam_server.world.model.creature import Creature, Item, named_after
from gloam_server.world.model.creature_state import Down
from gloam_server.world.model.level import Level
from gloam_server.world.trading.pack_exchange import is_offerable
from gloam_shared.appearance import TRANSPARENT, Terrain


def check_invariants(level: Level) -> None:
    """Raise AssertionError with the fault unless the level is consistent."""
    for number, body in level.creatures.items():
        assert body.number == number, f"creature {number} is filed under another number"
        assert level.can_hold(body, body.cell), f"creature {number} stands in {level.terrain[body.cell]}"
        assert level.occupied.get(body.cell) == number, f"creature {number} and the map disagree"
        assert 0 < body.hp <= body.hp_max, f"creature {number} has {body.hp} of {body.hp_max} health"
        assert body.energy >= -ACTION_COST, f"creature {number} owes more than an action"
        waits = not body.account and is_quiet(level, level.partition)  # rule F91
        assert waits or not growth.level_reached(level.campaign.experience, body.level, body.experience), (
            f"creature {number} of level {body.level} was not raised at {body.experience} experience"
        )
        _check_growth(level, body)
        _check_belongings(level, body)
        _check_consents(level, body)
        _check_magic(level, body)
        _check_downed(level, body)
    assert [body.number for body in level.state.bodies] == sorted(level.creatures), "a body is not saved"
    assert len(level.occupied) == len(level.creatures), "a cell is held by no creature"
    lying = [item.number for pile in level.piles.values() for item in pile]
    carried = [item.number for body in level.creatures.values() for item in body.carried]
    everywhere = [*lying, *carried]
    assert len(everywhere) == len(set(everywhere)), "a thing is in two places"
    assert not set(everywhere) & set(level.creatures), "a thing and a creature share a number"
    assert all(level.piles.values()), "an empty pile is kept"
    assert len(lying) == level.count_floor_items() <= FLOOR_ITEMS_MAX, f"{len(lying)} things lie about"
    for item in (item for pile in level.piles.values() for item in pile):
        _check_servings(level, item)
    assert sorted(level.handles) == sorted([*level.creatures, *lying]), "handles and things disagree"
    assert len(set(level.handles.values())) == len(level.handles), "two things share a handle"
    _check_ground(level)
    _check_names(level)
    _check_trades(level)
    _check_companions(level)


def _check_companions(level: Level) -> None:
    """Check that each player has one companion at most, here or in the body, and that it is a friend (rule F115)."""
    here = [body for body in level.monsters() if body.bond == "companion"]
    owners = [body.owner for body in here]
    assert len(owners) == len(set(owners)), f"a player has two companions: {owners}"
    for body in here:
        assert body.ally, f"companion {body.number} is no friend"
    for player in level.players():
        along = player.companion
        assert along is UNSET or player.number not in owners, f"player {player.number} has two companions"
        assert along is UNSET or along.number not in level.creatures, (
            f"the companion of player {player.number} is doubled"
        )


def _check_downed(level: Level, body: Creature) -> None:
    """Check that only players of a party are down, for no longer than the campaign says (rule F127)."""
    if isinstance(body.down, Down):
        who = f"creature {body.number}"
        assert body.account, f"{who} is down and no player"
        assert 0 < body.down.turns <= level.campaign.friends.down_turns, (
            f"{who} is down for {body.down.turns} turns"
        )
        assert not body.asleep, f"{who} is down and asleep"


def _check_trades(level: Level) -> None:
    """Check that a player takes part in one trade, and that everything offered is carried and may be given."""
    parties = [side.number for trade in level.trades() for side in (trade.first, trade.second)]
    assert len(parties) == len(set(parties)), f"a player has two trades: {parties}"
    for trade in level.trades():
        assert trade.revision <= level.sequence, "an offer is of an input that is yet to come"
        assert not (trade.first.confirmed and trade.second.confirmed), "a confirmed trade is not carried out"
        for side in (trade.first, trade.second):
            body = level.creatures[side.number]
            free = {item.number for item in body.carried if is_offerable(body, item)}
            assert body.account, f"creature {side.number} is no player and trades"
            assert set(side.items) <= free, f"creature {side.number} offers what it cannot give"


def _check_ground(level: Level) -> None:
    """Check that every cell has a light value, and traps are on walkable cells."""
    assert len(level.dark) == len(level.terrain) == level.grid.size, "a cell has no record of its light"
    assert set(level.dark) <= {0, 1}, "a cell is neither lit nor dark"
    for cell, spell in level.traps.items():
        assert level.is_walkable(cell), f"a trap lies in {level.terrain[cell]} on cell {cell}"
        assert spell in level.campaign.spells, f"the trap on cell {cell} springs {spell}, which is no spell"
    _check_surfaces(level)
    _check_devices(level)
    known = level.terrain.count(Terrain.TRAP)
    assert known == sum(level.terrain[cell] == Terrain.TRAP for cell in level.traps), (
        "a trap is shown where none lies"
    )


def _check_surfaces(level: Level) -> None:
    """Check that surfaces are of known kinds, lie where they can, and that those that change by themselves are noted."""
    surfaces = level.state.surfaces
    if surfaces is UNSET:
        return
    kinds = [level.campaign.surfaces[key] for key in surfaces.kinds]
    assert len(surfaces.cells) == level.grid.size, "a cell has no record of its surface"
    assert max(surfaces.cells) <= len(kinds), "a surface is of no kind"
    for cell, number in enumerate(surfaces.cells):
        if number:
            kind = kinds[number - 1]
            assert (cell in surfaces.active) == kind.is_active, f"{kind.key} on cell {cell} is noted wrongly"
            assert level.terrain[cell] in TRANSPARENT | {Terrain.DOOR_CLOSED}, f"{kind.key} lies in rock"
            assert not kind.over_water or level.terrain[cell] == Terrain.SHALLOWS, f"{kind.key} lies on land"
    for cell, one in surfaces.active.items():
        assert surfaces.cells[cell], f"no surface is active on cell {cell}"
        assert one.ends <= surfaces.turn + LASTS_MAX, f"the surface on cell {cell} lasts too long"


def _check_devices(level: Level) -> None:
    """Check that plates are on under a body and no longer, and that gates are open by what works them (rules F175 to F177)."""
    devices = level.state.devices
    if devices is UNSET:
        return
    for cell, device in devices.placed.items():
        kind = level.campaign.devices[device.kind]
        body = level.at(cell)
        if kind.mechanism == "plate":
            held = body is not None and (body.account or body.bond == "companion")
            assert not device.on or held, f"the plate on cell {cell} is on, and empty"
        if kind.mechanism == "gate":
            assert device.on == level.is_walkable(cell), f"the gate on cell {cell} is neither open nor shut"
            worked = devices.force_on(level.campaign, cell) >= kind.needs
            kept = kind.stays or cell in level.occupied or cell in level.piles
            assert device.on or not worked, f"the gate on cell {cell} is shut, and worked"
            assert worked or not device.on or kept, f"the gate on cell {cell} is open, and not worked"
        assert not device.works or set(device.works) <= set(devices.placed), f"cell {cell} works nothing"


def _check_growth(level: Level, body: Creature) -> None:
    """Check that no monster is beyond its highest level, no ledger below 0, no stomach overfull."""
    who = f"creature {body.number}"
    campaign = level.campaign
    rise = campaign.experience.monster_levels_max
    if not body.account and rise:
        assert body.level <= body.born_level + rise, f"{who} rose from {body.born_level} to {body.level}"
    most = len(campaign.traits) if body.account else max(0, body.level - body.born_level)
    assert len(body.learned) == len(set(body.learned)) <= most, (
        f"{who} learned {body.learned} in {body.level - body.born_level} levels"
    )
    assert body.experience >= 0, f"{who} owes experience"
    assert all(amount >= 0 for amount in body.hurt_by.values()), f"{who} counts wounds below nothing"
    if body.food_max and campaign.hunger.rule != "starve_or_choke":
        assert body.food <= body.food_max, f"{who} holds {body.food} of {body.food_max} food"


def _check_names(level: Level) -> None:
    """Check that no player has a monster's name, no name occurs twice, and victims are bounded."""
    titles = [body.title for body in level.creatures.values() if body.title]
    assert len(titles) == len(set(titles)), f"a name is borne twice: {sorted(titles)}"
    for body in level.creatures.values():
        who = f"creature {body.number}"
        assert not (body.account and (body.title or body.victims)), f"{who} is a player with a monster's name"
        kind = level.campaign.creatures[body.kind].name
        assert not body.title or body.name == named_after(body.title, kind), f"{who} has two names"
        assert len(body.victims) <= min(VICTIMS_MAX, body.victim_count), (
            f"{who} remembers more than it killed"
        )


def _check_consents(level: Level, body: Creature) -> None:
    """Check that a duel is between two players on the same level."""
    for number in body.consents:
        assert body.account, f"creature {body.number} is no player and agreed to a duel"
        other = level.creatures.get(number)
        assert other is not None, f"creature {body.number} agreed to a duel with a creature that is not here"
        assert other.account, f"creature {body.number} agreed to a duel with a monster"
        assert number != body.number, f"creature {number} agreed to a duel with itself"


def _check_belongings(level: Level, body: Creature) -> None:
    """Check that a body carries its equipment, each item once, and that no carried item is in a pile."""
    who = f"creature {body.number}"
    campaign = level.campaign
    assert len(body.slots) == campaign.creatures[body.kind].slots, f"{who} has {len(body.slots)} slots"
    for slot, further in body.stacks.items():
        first = body.slots[slot]
        assert first is not None, f"{who} has an empty slot {slot} with more in it"
        assert further, f"{who} keeps an empty stack"
        assert all(is_alike(first, item) for item in further), f"{who} has unlike things in slot {slot}"
    carried = {item.number: item for item in body.carried}
    for number, fits in ((body.wielded, "wieldable"), (body.worn, "wearable"), (body.ring, "is_ring")):
        if number:
            assert number in carried, f"{who} uses thing {number} and does not carry it"
            kind = campaign.items[carried[number].kind]
            assert getattr(kind, fits), f"{who} uses a {kind.key}, which is not {fits}"
    assert not body.wielded or body.wielded != body.worn, f"{who} wields and wears one thing"
    assert body.food >= 0, f"{who} owes food"
    borrowed = [item for item in carried.values() if body.account and item.bound not in (0, body.number)]
    for item in borrowed:  # rule F131
        owner = level.creatures.get(item.bound)
        assert campaign.friends.lends, f"{who} carries what is bound to {item.bound}"
        assert owner is not None, f"{who} has a loan of {item.bound}, who is not here"
        assert owner.member == body.member is not UNSET, f"{who} has a loan of {item.bound} from no party"
    for item in carried.values():
        assert item.owner == item.left_by == 0, f"{who} carries an item that is marked as lying"
        _check_servings(level, item)


def _check_magic(level: Level, body: Creature) -> None:
    """Check that mana is within its bounds, status effects are unique and last, and no kind is known twice."""
    who = f"creature {body.number}"
    assert 0 <= body.mana <= body.mana_max, f"{who} has {body.mana} of {body.mana_max} mana"
    assert body.asleep >= 0, f"{who} sleeps for {body.asleep} turns"
    states = [(state.spell, state.effect) for state in body.lasting]
    assert len(states) == len(set(states)), f"{who} has a state twice: {states}"
    for state in body.lasting:
        effect = level.campaign.spells[state.spell].effects[state.effect]
        assert 1 <= state.turns <= effect.turns, f"{who} is under {state.spell} for {state.turns} turns"
    assert len(body.known) == len(set(body.known)), f"{who} knows a name twice"
    assert all(level.campaign.items[kind].looks for kind in body.known), f"{who} knows what nothing hides"


def _check_servings(level: Level, item: Item) -> None:
    kind = level.campaign.items[item.kind]
    assert 1 <= item.bites <= kind.bites, f"{item.name} has {item.bites} bites"
    assert bool(kind.zaps) <= item.charges <= kind.charges[1], f"{item.name} has {item.charges} charges"
    assert not item.brand or kind.branded_as, f"{item.name} has the brand {item.brand}"
