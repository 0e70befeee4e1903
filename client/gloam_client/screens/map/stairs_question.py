"""Going down: immediately or after a question, depending on an option (rule RG.33)."""

from gloam_client.screens.common.command_effects import command_effect
from gloam_client.screens.common.confirm import Confirm
from gloam_client.state.model import Model, Push, Update
from gloam_shared.appearance import Terrain
from gloam_shared.protocol.commands import Climb


def climb_down(model: Model) -> Update:
    """Return the command that takes stairs down or leads to them.

    Only the former may be preceded by a question.
    """
    done = command_effect(model, Climb(down=True))
    view = model.view
    on_stairs = model.in_dungeon and view.terrain[view.cell] == Terrain.STAIRS_DOWN
    if model.options.ask_stairs == "off" or not on_stairs or model.connection.state != "joined":
        return done
    return Update(Push(Confirm("Descend to the next level?", done.intents, "Stairs down")))
