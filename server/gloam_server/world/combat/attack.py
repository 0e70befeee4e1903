"""Blows: what an attack comes to, whether it strikes, is thrown or is shot, and how it is told."""

from typing import Final, Literal, TypeAlias, get_args

from gloam_server.rules.combat import Swing, blow
from gloam_server.world.combat.damage import hurt
from gloam_server.world.items.equipment import defence_of
from gloam_server.world.model.context import Stage
from gloam_server.world.model.creature import Creature

Manner: TypeAlias = Literal["strikes", "throws_at", "shoots", "spits"]
"""How an attack comes: the kinds of event under which a blow that lands is told."""

STRIKES: Final = "strikes"

_TOLD_AS: Final[dict[Swing, str]] = {
    "plain": STRIKES,
    "heavy": "strikes_hard",
    "light": "strikes_lightly",
    "miss": "misses",
}

BLOWS: Final = frozenset({*get_args(Manner), *_TOLD_AS.values()} - {_TOLD_AS["miss"]})
"""The kinds of event under which a blow that took health is told; `deal` tells such a blow under no other."""


def deal(
    stage: Stage, by: Creature, target: Creature, attack: int, *, told_as: Manner = STRIKES, source: str = ""
) -> None:
    """Bring an attack home; whoever has no health left dies (rules JG.5, TG.19, RG.7, J14.11).

    `attack` is in the campaign's units. `told_as` is the kind of the line, `source` the name of what is thrown or shot.
    A miss is an attack all the same: both remember it.
    """
    level = stage.level
    came_of_it = blow(
        level.campaign.combat,
        stage.dice,
        by.number,
        attack,
        defence_of(level, target),
        asleep=target.asleep > 0,
    )
    told = _TOLD_AS[came_of_it.swing] if told_as == STRIKES or came_of_it.swing == "miss" else told_as
    if came_of_it.swing != "miss" and not came_of_it.amount:
        told = "strikes_vainly"
    stage.tell(told, by, target, amount=came_of_it.amount, source=source, cell=target.cell)
    hurt(stage, target, came_of_it.amount, by, by.name)
