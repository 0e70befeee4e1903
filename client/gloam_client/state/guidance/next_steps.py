"""The next step after each reason for which the server refuses a command or ends a plan before its first step.

The server says what is wrong; it does not know the player's keys. Here is what to do now, with these keys.
"""

from typing import Final

from gloam_client.state.guidance.key_words import with_keys
from gloam_client.state.map.landmarks import WAYS_DOWN, WAYS_UP
from gloam_client.state.model import Model
from gloam_shared.protocol.codes import ReasonCode
from gloam_shared.protocol.commands import Climb

NEXT_STEPS: Final[dict[ReasonCode, str]] = {
    "gone": "{inventory} lists what you carry, {look} shows what is near.",
    "rock": "{dig} and a direction dig, if your kind can dig.",
    "hungry": "{eat} eats; {pick_up} picks food up.",
    "state": "{sheet} shows what is missing to the next level.",
    "choice": "{choose} shows what is offered.",
    "no_body": "Wait until you are in the dungeon.",
    "fault": "Try something else, and tell the host of this server.",
    "full": "{drop} drops an item.",
    "no_digging": "Go around: {explore} explores.",
    "no_aim": "Choose a cell with the arrows, then press Enter.",
    "unseen": "Choose a place in sight, or step nearer.",
    "out_of_range": "Step nearer, or choose another target.",
    "no_room": "Choose another place.",
    "no_target": "Choose a cell with a creature: Tab goes from one to the next.",
    "friend": "Choose another target, or step aside first.",
    "grace": "{wait} waits a turn; or choose another target.",
    "agreed": "/peace and the name take it back.",
    "not_agreed": "/duel and the name agree to one.",
    "foes_near": "{fight} fights; or step away.",
    "rested": "{explore} explores.",
    "too_hungry": "{eat} eats; {find} lists the food that you have seen.",
    "hurt": "{quaff} quaffs; or step away, then {rest} rests.",
    "no_direction": "Choose another direction.",
    "impassable": "Go around: {travel} travels, {explore} explores.",
    "undiggable": "Dig in another direction, or go around.",
    "no_rock": "Step up to a wall first.",
    "occupied": "{wait} waits a turn; or go around.",
    "down": "{call} pings, {look} looks around, {say} speaks.",
    "no_means": "Cast a healing spell at them, or {lift} and a direction drag them away.",
    "held": "Go around, or help in that fight.",
    "no_door": "Step beside an open door first.",
    "cannot_open": "Go around, or dig.",
    "obstructed": "Step there first: {pick_up} picks it up.",
    "no_stairs": "{explore} explores until stairs are found.",
    "no_exit": "{descend} goes down.",
    "no_round": "{descend} goes down.",
    "no_weapon": "{wield} wields a weapon; {inventory} lists what you carry.",
    "afraid": "Step away until the fear has passed.",
    "own_cell": "Choose another cell with the arrows.",
    "no_line": "Step to where nothing stands between, or choose another target.",
    "unknown_spell": "{cast} lists your spells.",
    "silenced": "Wait until it has passed, or fight by hand.",
    "too_little_mana": "{rest} rests until it has come back.",
    "not_here": "{find} lists what you have seen, and leads there.",
    "fixed": "{look} describes it.",
    "bound": "Choose another item.",
    "friend_full": "They have to drop something first: {say} speaks to them.",
    "wrong_kind": "{inventory} and its letter describe what it is for.",
    "already": "{inventory} shows what is in use.",
    "no_hunger": "Others may need it: {give} gives it to a friend.",
    "no_command": "{help} lists the keys.",
    "trading": "Wait until that trade is over.",
    "asked": "{trade} shows the offer.",
    "turned_down": "{wait} waits a turn; a step apart is enough.",
    "slow": "Wait a moment, then ask again.",
    "no_way": "{explore} explores further.",
    "no_foe": "{explore} explores.",
}
"""By reason; every reason of a refusal has one."""
_NO_WAY_TO_STAIRS: Final = (
    "You know stairs, but no way there: {explore} explores further, {dig} and a direction dig."
)


def next_step(model: Model, reason: str) -> str:
    """Return what the player can do after a refusal, as a sentence behind it; "" for a reason without one."""
    if not model.in_dungeon:
        return ""
    if reason == "no_stairs" and isinstance(model.keys.last_command, Climb):
        ways = WAYS_DOWN if model.keys.last_command.down else WAYS_UP
        if any(way in model.view.terrain for way in ways):
            return f" {with_keys(model, _NO_WAY_TO_STAIRS)}"
    step = {str(word): text for word, text in NEXT_STEPS.items()}.get(reason, "")
    return f" {with_keys(model, step)}" if step else ""
