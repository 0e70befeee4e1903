"""Help: who heals a friend in a fight is in that fight too (DESIGN of time), and learns from it as the campaign says."""

from gloam_server.world.creature import Creature
from gloam_server.world.credit import note_hurt
from gloam_server.world.hostility import holders, share_contacts
from gloam_server.world.level import Level


def remember_help(level: Level, helper: Creature | None, helped: Creature, amount: int) -> None:
    """Let the enemies that hold a player hold who gave him health; each notes how much that was."""
    if helper is None or helper is helped or not helped.account:
        return
    share_contacts(level, helper, helped)
    for number in holders(level, helped):
        note_hurt(level.creatures[number], helper, amount)
