"""Words of the player, and wishes about other players: a message for the server, or why it cannot be sent."""

from gloam_client.screens.common.command_effects import message, offline_notice
from gloam_client.state.client_effects import SendMessage
from gloam_client.state.model import Model, Update
from gloam_shared.protocol.messages.chat import Report, Shun, ShunKind, Speak, SpokenChannel


def speak_effect(model: Model, channel: SpokenChannel, text: str, target: str = "") -> Update:
    """Return the effect of words in a channel."""
    return _send(model, Speak(channel, text, target))


def shun_effect(model: Model, name: str, how: ShunKind) -> Update:
    """Return the effect of a wish to ignore or block another player, or to hear them again."""
    return _send(model, Shun(name, how))


def report_effect(model: Model, name: str, why: str = "") -> Update:
    """Return the effect of a report about another player."""
    return _send(model, Report(name, why))


def _send(model: Model, sent: Speak | Shun | Report) -> Update:
    if "channels" not in model.world.abilities:
        return offline_notice(model) or message("This server is older: it knows only words to all players.")
    return offline_notice(model) or Update(intents=(SendMessage(sent),))
