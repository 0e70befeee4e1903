"""Players who enter a level, wait there and leave it, without the realm: only the level is changed."""

from gloam_server.content.campaign import Campaign
from gloam_server.world.model.creature import Creature, new_creature
from gloam_server.world.model.inputs import Arrive, Leave, PlayerAction, Turn
from gloam_server.world.transition.apply import apply
from gloam_server.world.transition.dungeon import Dungeon, new_dungeon, populate
from gloam_shared.protocol.commands import Wait


def peopled(campaign: Campaign) -> Dungeon:
    """Return a new dungeon of a campaign."""
    dungeon = new_dungeon(campaign, 5)
    populate(dungeon)
    return dungeon


def visit(dungeon: Dungeon, account: int, partition: int, number: int) -> None:
    """Let a new body of a player enter a level."""
    body = new_creature(dungeon.campaign.player_kind, number, name=f"Player{account}", account=account)
    dungeon.apply_input(partition, Arrive(body, -1, (9, number, 0)))


def leave(dungeon: Dungeon, *numbers: int, partition: int = 2) -> None:
    """Let players leave play; the realm does not know these bodies, so that only the level is changed."""
    for number in numbers:
        apply(dungeon.levels[partition], Leave(number))


def monsters_on(dungeon: Dungeon, partition: int) -> list[Creature]:
    """Return who lives on a level and is no player."""
    return [creature for creature in dungeon.levels[partition].creatures.values() if not creature.account]


def pass_turns(dungeon: Dungeon, number: int, turns: int, partition: int = 2) -> None:
    """Let a player wait; creatures that could end the wait are asleep."""
    for _ in range(turns):
        for creature in monsters_on(dungeon, partition):
            creature.asleep = 9
        dungeon.apply_input(partition, Turn((PlayerAction(number, 0, Wait()),)))
