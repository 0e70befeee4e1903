"""The checks after a fault: the journal leads to the state in memory, and nothing is lost or doubled."""

from gloam_server.engine.journal_budget import ROW_BYTES
from gloam_server.engine.recovery.replay import verify
from gloam_server.world.model.creature import Creature
from gloam_server.world.transition.dungeon import Dungeon
from gloam_shared.protocol.messages.login import Bye
from support.server.sim_server import SimClient, SimServer


def whole(server: SimServer) -> None:
    """Prove that the journal leads to the state in memory, and that the server continues."""
    assert server.fatal == []
    assert verify(server.store, server.campaign)[1] == server.dungeon.state_hash()
    server.crash()
    assert server.again().dungeon.state_hash() == server.dungeon.state_hash()


def bodies(dungeon: Dungeon) -> list[Creature]:
    """Return every body there is, in play or kept."""
    kept = [life.kept for life in dungeon.realm.lives.values() if life.kept is not None]
    return [*kept, *(body for level in dungeon.levels.values() for body in level.creatures.values())]


def things(dungeon: Dungeon) -> list[int]:
    """Return the numbers of all items, on the floor or carried."""
    carried = [item.number for body in bodies(dungeon) for item in body.carried]
    lying = [item.number for level in dungeon.levels.values() for _, item in level.items_at()]
    return sorted([*carried, *lying])


def byes(client: SimClient) -> list[str]:
    """Return the codes of the goodbyes that a player got."""
    return [bye.code for bye in client.of_kind(Bye)]


def written_bytes(server: SimServer) -> int:
    """Return the bytes of all records of a server's journal, rows included."""
    store = server.store
    return sum(
        len(each.body) + ROW_BYTES
        for partition in store.partitions()
        for each in store.journal.read(partition, 0)
    )
