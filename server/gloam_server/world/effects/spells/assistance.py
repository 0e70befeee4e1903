"""Help: a player who heals a friend in a fight joins it (rule F26), and gains experience by the campaign's rule."""

from gloam_server.world.combat.experience_credit import record_healing
from gloam_server.world.combat.hostility import join_fight
from gloam_server.world.model.creature import Creature
from gloam_server.world.model.level import Level


def record_help(level: Level, helper: Creature | None, helped: Creature, healed: int = 0) -> None:
    """Make the enemies that hold a player hold their helper, too; each notes the health that the help gave, if any.

    A player who gave no health, but an item or a spell, is in the fight without a share of the experience.
    """
    if helper is None or helper is helped or not helped.account:
        return
    join_fight(level, helper, helped)
    if healed:
        record_healing(level, helped, helper, healed)
