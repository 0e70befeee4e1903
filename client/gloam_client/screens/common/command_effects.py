"""What screens answer with: a command for the server, if the line stands, or a word why there is none."""

from gloam_client.state.client_effects import Note, Order
from gloam_client.state.model import Model, Reaction
from gloam_shared.protocol.commands import AnyCommand


def order(model: Model, command: AnyCommand) -> Reaction:
    """Send a command, or tell why it cannot be sent now."""
    if not model.in_dungeon:
        return note("Not in the dungeon yet.", "quiet")
    return cut(model) or Reaction(intents=(Order(command),))


def cut(model: Model) -> Reaction | None:
    """Tell that nothing can be sent while the line is cut; None while it stands."""
    if model.wire.state == "joined":
        return None
    return note("The line is cut: nothing is sent until it stands again.")


def note(text: str, tone: str = "refused") -> Reaction:
    """Say something, and send nothing."""
    return Reaction(intents=(Note(text, tone),))
