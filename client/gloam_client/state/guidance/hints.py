"""The few first-life hints in the log, each once when it is needed.

And alternatives to refused commands.
"""

from collections.abc import Callable
from typing import Final

from msgspec.structs import replace

from gloam_client.state.guidance.goals import with_goals
from gloam_client.state.guidance.key_words import with_keys
from gloam_client.state.map.landmarks import WAYS_DOWN, WAYS_UP
from gloam_client.state.model import Model, add_message
from gloam_client.state.players.joining_friends import friends_below
from gloam_shared.appearance import Terrain
from gloam_shared.protocol.commands import AnyCommand, Climb, Explore, Fight, Rest, Run, Travel
from gloam_shared.view.danger import is_deadly
from gloam_shared.view.view import CreatureFlag, ItemFlag, MagicEffect, Stat, View

_PLAYER: Final = int(CreatureFlag.PLAYER)
_OTHER: Final = int(CreatureFlag.PLAYER | CreatureFlag.SELF)
"""Plain numbers: a flag itself is slow to compare."""
_PAUSE_TURNS: Final = 4
"""The number of the player's commands between two hints, so that they never hide events."""

_HINTS: Final = {
    "potion": "You are badly hurt and carry a potion: {quaff} quaffs. You learn what an unknown one does when you see it work.",
    "foe": "A foe has seen you and waits for your move: walk into it, or press {fight} to fight.",
    "shoot": "Your weapon reaches farther than a step: {fire} aims at the nearest foe.",
    "spell": "You know a spell: {cast} casts; it costs mana.",
    "time": "Your friends' turn waits briefly for you, longer while a list is open; {party}, then p: it waits longer still.",
    "level": "You gained a level: {choose} chooses what it brings, now or later.",
    "join": "{below}: {friend} goes to their side at once, while your life is new.",
    "move": "Move with the arrows{letters}; {explore} explores. Nothing hurries you here.",
    "friend": "A friend is here. Press {say} to speak; walk into each other to change places.",
    "stairs": "You know stairs down: {descend} travels there; press it again to take them.",
    "thing": "{inventory} lists what you carry; a letter there describes an item and its use.",
    "scroll": "You carry something to read: {read} reads. Some scrolls must be aimed.",
}
"""The hints by need, the most urgent first; their keys come from the player's own table. At most twelve."""
_URGENT: Final = frozenset({"potion", "foe", "shoot", "spell", "time"})
"""The hints of a fight; the others wait until no foe holds the player."""

_WAYS_OUT: Final = {
    "fight": " {fight} fights.",
    "quaff": " Step away, walk into one, or {quaff} quaffs.",
    "strike": " Step away, or walk into one.",
}
"""The advice if foes prevent a plan."""

_MEALS: Final = {True: " {eat} eats.", False: " {pick_up} picks food up, then {eat} eats it."}
"""The advice for a starving player, by whether they carry food."""


def with_hints(before: Model, model: Model) -> Model:
    """Return the model with the small goals that a new view reaches and the hint of this moment in its log.

    Each hint is given once for a player, when it is needed and not by the clock.
    """
    if model.view is not before.view:
        model = with_goals(model)
    given = model.guidance.advice
    if given is None or model.options.hints == "off" or not model.in_dungeon or model.top.state != "play":
        return model
    if model.turns_down:  # no hint helps who can only wait and call
        return model
    if model.turn - model.guidance.guide.advised_turn < _PAUSE_TURNS:
        return model
    fresh = next((moment for moment in _HINTS if moment not in given and _is_due(model, moment)), None)
    if fresh is None:
        return model
    model = replace(
        model,
        guidance=replace(
            model.guidance,
            advice=given | {fresh},
            guide=model.guidance.guide._replace(advised_turn=model.turn),
        ),
    )
    return add_message(model, with_keys(model, _HINTS[fresh], below=friends_below(model)))


def alternative_for(model: Model, code: str = "cannot") -> str:
    """Return an alternative to the refused command, as a sentence after the reason, or ""."""
    if model.in_dungeon and code == "rock":
        return with_keys(model, " {dig} and a direction dig.")
    if model.in_dungeon and code == "hungry":
        return with_keys(model, _MEALS[model.carries(ItemFlag.EDIBLE)])
    if model.hunted and isinstance(model.keys.last_command, Fight):
        return " Something hunts you out of sight."
    if not model.in_dungeon or not model.threatened or not _is_plan(model, model.keys.last_command):
        return ""
    if not (model.badly_hurt or is_deadly(model.holders, model.view, model.world.damage)):
        return with_keys(model, _WAYS_OUT["fight"])
    return with_keys(model, _WAYS_OUT["quaff" if _may_quaff(model) else "strike"])


def _may_quaff(model: Model) -> bool:
    """Return whether a potion may help: what is known to heal helps no unhurt body."""
    unhurt = model.fact(Stat.HP) >= model.fact(Stat.HP_MAX)
    potions = (item for item in model.view.inventory if item.traits & ItemFlag.QUAFFABLE)
    return any(not (unhurt and potion.effect == MagicEffect.HEAL) for potion in potions)


def _is_plan(model: Model, asked: AnyCommand | None) -> bool:
    """Return whether foes prevent a command; a climb counts if it only leads to the stairs."""
    if isinstance(asked, Climb):
        ways = WAYS_DOWN if asked.down else WAYS_UP
        terrain = model.view.terrain
        return terrain[model.view.cell] not in ways and any(way in terrain for way in ways)
    return isinstance(asked, Explore | Travel | Run | Rest)


_NEEDS: Final[dict[str, Callable[[Model], bool]]] = {
    "potion": lambda model: model.badly_hurt and model.carries(ItemFlag.QUAFFABLE),
    "foe": lambda model: bool(model.holders) and not _only_duels(model.view) and not model.badly_hurt,
    "shoot": lambda model: model.pace.held and model.fact(Stat.REACH) > 0,
    "spell": lambda model: model.pace.held and bool(model.view.spells),
    "time": lambda model: model.in_company and model.name in model.pace.for_names,
    "level": lambda model: bool(model.view.choices),
    "join": lambda model: bool(friends_below(model)),
    "move": lambda model: not model.turn,
    "friend": lambda model: any(one.marks & _OTHER == _PLAYER for one in model.view.creatures),
    "stairs": lambda model: Terrain.STAIRS_DOWN in model.view.terrain,
    "thing": lambda model: any(
        line.kind == "picks_up" and line.subject == "you" for line in model.view.log.lines
    ),
    "scroll": lambda model: model.carries(ItemFlag.READABLE),
}
"""Whether the player needs a hint now. Only those that were not given yet are asked: this is done at each input."""


def _is_due(model: Model, moment: str) -> bool:
    return _NEEDS[moment](model) and (moment in _URGENT or not model.holders)


def _only_duels(view: View) -> bool:
    """Return whether all who hold the player are players."""
    holders = [one.marks for one in view.creatures if one.marks & CreatureFlag.HOLDS_YOU]
    return bool(holders) and all(marks & CreatureFlag.PLAYER for marks in holders)
