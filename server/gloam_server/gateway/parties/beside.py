"""The players who may begin a life beside a player: as that player allows it, and never a blocked one (rule F92)."""

from gloam_server.engine.player import Player
from gloam_server.world.realm.parties import Parties


def admits(friend: Player, newcomer: Player, parties: Parties) -> bool:
    """Return whether a player lets another begin beside them."""
    if friend.audience.blocks(newcomer.account):
        return False
    match friend.beside:
        case "all":
            return True
        case "none":
            return False
        case "party":
            return parties.of(friend.account) is None or parties.together(friend.account, newcomer.account)


def refusal(name: str) -> str:
    """Return why no life begins beside the friend of this name, or with "" beside any. A block reads as any other no."""
    who = f"{name} does not let" if name else "No friend in the dungeon lets"
    return f"{who} you begin at their side; a life at the entrance can begin at any time."
