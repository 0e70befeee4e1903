"""The challenges to duels that a witness must not read, because they block the challenger. Used by the game loop."""

from gloam_server.engine.players import Players
from gloam_server.world.model.events import Narration
from gloam_server.world.transition.dungeon import Batch


def hidden_challenges(batch: Batch, players: Players) -> frozenset[tuple[int, int]]:
    """Return the numbers of the challengers in a batch with the numbers of the witnesses who block them."""
    challenges = [
        event for _, event in batch.events if isinstance(event, Narration) and event.kind == "challenges"
    ]
    if not challenges:
        return frozenset()
    by_body = {body.number: player for player, _, body in players.in_play()}
    return frozenset(
        (event.actor, witness)
        for event in challenges
        for witness in event.witnesses
        if event.actor in by_body
        and witness in by_body
        and by_body[witness].audience.blocks(by_body[event.actor].account)
    )
