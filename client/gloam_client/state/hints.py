"""The few first-life hints in the log, each once at the right moment.

And alternatives to refused commands.
"""

from dataclasses import replace
from typing import Final

from gloam_client.input import keymap
from gloam_client.state.joining_friends import friends_below
from gloam_client.state.landmarks import WAYS_DOWN, WAYS_UP, open_doors
from gloam_client.state.model import Model, add_message
from gloam_shared.appearance import Terrain
from gloam_shared.protocol.commands import AnyCommand, Climb, Explore, Fight, Rest, Run, Travel
from gloam_shared.view.view import CreatureFlag, ItemFlag, Stat, View

_PAUSE_MS: Final = 10_000
"""The time between two hints, so that they never hide events."""

_HINTS: Final = {
    "foe": "A foe has seen you and waits for your move: walk into it, or press {fight} to fight.",
    "shoot": "Your weapon shoots: {fire} aims at the nearest foe.",
    "level": "You gained a level: {choose} chooses what it brings, now or later.",
    "join": "{below}: {friend} goes to their side at once, while your life is new.",
    "move": "Move with the arrows{letters}; {explore} explores. Nothing hurries you here.",
    "prize": "You carry the prize: {use} uses it.",
    "friend": "A friend is here. Press {say} to speak; walk into each other to change places.",
    "stairs": "You know stairs down: {descend} travels there; press it again to take them.",
    "thing": "{inventory} lists what you carry; a letter there describes an item and its use.",
    "potion": "You carry a potion: {quaff} quaffs. You learn what an unknown potion does when you see it work.",
    "scroll": "You carry something to read: {read} reads. Some scrolls must be aimed.",
    "spell": "You know a spell: {cast} casts; it costs mana.",
    "door": "A door: walk into it to open it, {close} closes it. You cannot see through a closed one.",
}
"""The hints by moment, the most urgent first; their keys come from the player's own table."""

_WAYS_OUT: Final = {
    "fight": " {fight} fights.",
    "quaff": " Step away, walk into one, or {quaff} quaffs.",
    "strike": " Step away, or walk into one.",
}
"""The advice if foes prevent a plan."""

_MEALS: Final = {True: " {eat} eats.", False: " {pick_up} picks food up, then {eat} eats it."}
"""The advice for a starving player, by whether they carry food."""


def with_hints(model: Model) -> Model:
    """Return the model with the hints of this moment in its log, each once for a player."""
    given = model.advice
    if given is None or model.options.hints == "off" or not model.in_dungeon or model.top.state != "play":
        return model
    fresh = [moment for moment in _moments(model) if moment not in given]
    if not fresh or model.now_ms - model.advised_ms < _PAUSE_MS:
        return model
    model = replace(model, advice=given | {fresh[0]}, advised_ms=model.now_ms)
    return add_message(model, _hint_text(model, _HINTS[fresh[0]]))


def alternative_for(model: Model, code: str = "cannot") -> str:
    """Return an alternative to the refused command, as a sentence after the reason, or ""."""
    if model.in_dungeon and code == "rock":
        return _hint_text(model, " {dig} and a direction dig.")
    if model.in_dungeon and code == "hungry":
        return _hint_text(model, _MEALS[model.carries(ItemFlag.EDIBLE)])
    if model.hunted and isinstance(model.last_command, Fight):
        return " Something hunts you out of sight."
    if not model.in_dungeon or not model.threatened or not _is_plan(model, model.last_command):
        return ""
    if not model.badly_hurt:
        return _hint_text(model, _WAYS_OUT["fight"])
    return _hint_text(model, _WAYS_OUT["quaff" if model.carries(ItemFlag.QUAFFABLE) else "strike"])


def _is_plan(model: Model, asked: AnyCommand | None) -> bool:
    """Return whether foes prevent a command; a climb counts if it only leads to the stairs."""
    if isinstance(asked, Climb):
        ways = WAYS_DOWN if asked.down else WAYS_UP
        terrain = model.view.terrain
        return terrain[model.view.cell] not in ways and any(way in terrain for way in ways)
    return isinstance(asked, Explore | Travel | Run | Rest)


def _moments(model: Model) -> list[str]:
    view = model.view
    traits = 0
    for thing in view.inventory:
        traits |= thing.traits
    holds = {
        "foe": bool(model.holders) and not _only_duels(view) and not model.badly_hurt,
        "shoot": model.pace.held and model.fact(Stat.REACH) > 0,
        "level": bool(view.choices),
        "join": bool(friends_below(model)),
        "move": True,
        "prize": bool(traits & ItemFlag.USABLE),
        "friend": any(
            one.marks & CreatureFlag.PLAYER and not one.marks & CreatureFlag.SELF for one in view.creatures
        ),
        "stairs": Terrain.STAIRS_DOWN in view.terrain,
        "thing": bool(view.inventory),
        "potion": bool(traits & ItemFlag.QUAFFABLE),
        "scroll": bool(traits & ItemFlag.READABLE),
        "spell": bool(view.spells),
        "door": bool(open_doors(model)),
    }
    return [moment for moment in _HINTS if holds[moment]]


def _only_duels(view: View) -> bool:
    """Return whether all who hold the player are players."""
    holders = [one.marks for one in view.creatures if one.marks & CreatureFlag.HOLDS_YOU]
    return bool(holders) and all(marks & CreatureFlag.PLAYER for marks in holders)


def _hint_text(model: Model, text: str) -> str:
    keys = {
        row.intent: keymap.key_label(row.keys[0])
        for row in keymap.rows(model.options.keys, "play")
        if row.short
    }
    keys = {wish.replace(" ", "_"): key for wish, key in keys.items()}
    return text.format(
        letters=keymap.walking_words(model.options.keys)[0], below=friends_below(model), **keys
    )
