"""What screens answer with: a command for the server, if the line stands, or a word why there is none."""

from gloam_client.intents import Note, Order
from gloam_client.model import Model, Reaction
from gloam_shared.commands import AnyCommand


def order(model: Model, command: AnyCommand) -> Reaction:
    """Send a command, or tell why it cannot be sent now."""
    if not model.in_dungeon:
        return note("Not in the dungeon yet.", "quiet")
    if model.wire.state != "joined":
        return note("The line is cut: nothing is sent until it stands again.")
    return Reaction(intents=(Order(command),))


def note(text: str, tone: str = "refused") -> Reaction:
    """Say something, and send nothing."""
    return Reaction(intents=(Note(text, tone),))
