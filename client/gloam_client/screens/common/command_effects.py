"""The results of screens: a command for the server, or a message if there is no connection."""

from gloam_client.state.client_effects import SendCommand, SendMessage, ShowMessage
from gloam_client.state.model import Model, Update
from gloam_shared.protocol.commands import NEEDS_ABILITY, AnyCommand
from gloam_shared.protocol.messages.chat import Ignore, IgnoreKind, Report, Speak, SpokenChannel


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


def speak_effect(model: Model, channel: SpokenChannel, text: str, target: str = "") -> Update:
    """Return the effect of words in a channel."""
    return _send(model, Speak(channel, text, target))


def ignore_effect(model: Model, name: str, how: IgnoreKind) -> Update:
    """Return the effect of a request to ignore or block another player, or to hear them again."""
    return _send(model, Ignore(name, how))


def report_effect(model: Model, name: str, why: str = "") -> Update:
    """Return the effect of a report about another player."""
    return _send(model, Report(name, why))


def _send(model: Model, sent: Speak | Ignore | Report) -> Update:
    if "channels" not in model.world.abilities:
        return offline_notice(model) or message("This server is older: it knows only words to all players.")
    return offline_notice(model) or Update(intents=(SendMessage(sent),))
