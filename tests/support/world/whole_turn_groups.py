"""The definition of turn groups, without index and arrays: each player is compared with each creature."""

from gloam_server.world.combat.hostility import enemies_holding
from gloam_server.world.model.level import Level
from gloam_server.world.model.turn_group_data import Division, TurnGroup, lone_group
from gloam_server.world.transition.nearest_players import NEAR_CELLS


def whole_turn_groups(level: Level) -> Division:
    """Return the turn groups of a level and its unattended creatures, computed from their definition."""
    players = level.players()
    holding = {player.number: set(enemies_holding(level, player)) for player in players}
    groups = [{player.number} for player in players]
    for one in players:
        for other in players:
            shared = holding[one.number] & holding[other.number]
            if shared or other.number in holding[one.number]:
                first, second = (
                    next(group for group in groups if each.number in group) for each in (one, other)
                )
                if first is not second:
                    groups.remove(second)
                    first |= second
    groups.sort(key=min)
    members: list[list[int]] = [[] for _ in groups]
    wild = []
    for creature in level.creatures.values():
        if creature.account:
            continue
        holders = [number for number in holding if creature.number in holding[number]]
        near = [player for player in players if level.distance(player, creature) <= NEAR_CELLS]
        if not holders and not near:
            wild.append(creature.number)
            continue
        leader = (
            min(holders)
            if holders
            else min(near, key=lambda player: (level.distance(player, creature), player.number)).number
        )
        members[next(at for at, group in enumerate(groups) if leader in group)].append(creature.number)
    found = tuple(
        TurnGroup(tuple(sorted(group)), any(holding[number] for number in group), tuple(sorted(own)))
        for group, own in zip(groups, members, strict=True)
    )
    together = tuple(each for each in found if each != lone_group(each.players[0]))
    return Division(frozenset(holding), together, tuple(sorted(wild)))
