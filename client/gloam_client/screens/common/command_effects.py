"""What screens answer with: a command for the server, if the line stands, or a word why there is none."""

from gloam_client.state.client_effects import SendCommand, ShowMessage
from gloam_client.state.model import Model, Update
from gloam_shared.protocol.commands import AnyCommand


def command_effect(model: Model, command: AnyCommand) -> Update:
    """Send a command, or tell why it cannot be sent now."""
    if not model.in_dungeon:
        return message("Not in the dungeon yet.", "quiet")
    return offline_notice(model) or Update(intents=(SendCommand(command),))


def offline_notice(model: Model) -> Update | None:
    """Tell that nothing can be sent while the line is cut; None while it stands."""
    if model.connection.state == "joined":
        return None
    return message("The line is cut: nothing is sent until it stands again.")


def message(text: str, tone: str = "refused") -> Update:
    """Say something, and send nothing."""
    return Update(intents=(ShowMessage(text, tone),))
