"""The results of screens: a command for the server, or a message if there is no connection."""

from gloam_client.state.client_effects import SendCommand, ShowMessage
from gloam_client.state.model import Model, Update
from gloam_shared.protocol.commands import NEEDS_ABILITY, AnyCommand


def command_effect(model: Model, command: AnyCommand) -> Update:
    """Return the effect that sends a command, or the message why it cannot be sent now."""
    if not model.in_dungeon:
        return early_notice()
    if NEEDS_ABILITY.get(type(command), "") not in {"", *model.world.abilities}:
        return message("This server is older and does not know this command; its host can upgrade it.")
    return offline_notice(model) or Update(intents=(SendCommand(command),))


def offline_notice(model: Model) -> Update | None:
    """Return the message that nothing can be sent, while the player joins or the connection is lost; None otherwise."""
    match model.connection.state:
        case "joined":
            return None
        case "down":
            return message("The connection is lost: nothing is sent until it is back.")
        case _:
            return early_notice()


def early_notice() -> Update:
    """Return the message that the player is not in the dungeon yet."""
    return message("Not in the dungeon yet; wait a moment.", "quiet")


def message(text: str, tone: str = "refused") -> Update:
    """Return the effect that only shows a message."""
    return Update(intents=(ShowMessage(text, tone),))
