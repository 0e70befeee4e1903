"""A journal that bots played: recorded, kept in a file, replayed. As a program it records one and prints a hash."""

import zlib
from collections.abc import Sequence
from pathlib import Path

import msgspec
from msgspec import Struct

from gloam_lab.bots import Adventurer
from gloam_server.world.model.inputs import decode
from gloam_server.world.transition.dungeon import new_dungeon
from gloam_server.world.transition.version import RULES_VERSION
from gloam_shared.appearance import Terrain
from gloam_shared.protocol.commands import AnyCommand, Climb, Explore
from gloam_shared.protocol.messages.lives import Died
from gloam_shared.protocol.messages.play import Answer
from gloam_shared.view.view import CreatureFlag, View
from support.content.campaigns import shipped
from support.run.effort import effort
from support.server.sim_server import SimClient, SimServer
from support.simulation.simulate import digest_of

CAMPAIGN = "gloam"
SEED = 5
INPUTS = 1_500
FILE = Path(__file__).parents[2] / "golden" / "journals" / f"{CAMPAIGN}-{SEED}.journal"


class Recording(Struct, frozen=True, array_like=True):
    """All inputs of a realm, by place, and the state that they lead to under `rules` and the content `content`."""

    rules: int
    content: str
    inputs: dict[int, list[bytes]]
    state_hash: bytes
    journal_hash: str


def record(inputs_min: int = INPUTS) -> Recording:
    """Let three bots play, one of them in a hurry and on a bad line, until the journal holds enough."""
    server = SimServer(shipped(CAMPAIGN), SEED)
    minds = (Adventurer(), Adventurer(), Diver())
    players = [server.join(name) for name in ("Anna", "Bert", "Carl")]
    rounds = 0
    while (
        sum(server.store.journal.last_sequence(partition) for partition in server.dungeon.partitions())
        < inputs_min
    ):
        rounds += 1
        assert rounds < inputs_min, "no player"
        decide_all(players, minds)
        if rounds % 50 == 0:
            players[2].cut()
            server.advance(60)
            players[2].dial()
        server.advance(60)
    server.stop()
    inputs = {
        partition: [each.body for each in server.store.journal.read(partition, 0)]
        for partition in server.store.partitions()
    }
    return Recording(RULES_VERSION, server.campaign.digest, inputs, replay(inputs), digest_of(server.store))


def decide_all(players: Sequence[SimClient], bots: Sequence[Adventurer]) -> None:
    """Let each bot act for its player: begin a new life, or give the next command once the last one is answered."""
    for client, bot in zip(players, bots, strict=True):
        if client.of_kind(Died):
            client.hear()
            client.begin_again()
        elif client.link.unanswered is None and not client.link.pace.plan:
            for answer in heard(client):
                bot.hear(client.view, answer)
            client.command(bot.decide(client.view))


class Diver(Adventurer):
    """Goes down as soon as it knows how; it fights what holds it."""

    def decide(self, view: View) -> AnyCommand:
        """Return the next command for what the view shows."""
        if any(creature.marks & CreatureFlag.HOLDS_YOU for creature in view.creatures):
            return super().decide(view)
        return Climb(down=True) if Terrain.STAIRS_DOWN in view.terrain else Explore()


def heard(client: SimClient) -> list[Answer]:
    """Return the answers that arrived since the last time."""
    return [each for each in client.hear() if isinstance(each, Answer)]


def write(recording: Recording) -> None:
    """Keep a recording."""
    FILE.write_bytes(zlib.compress(msgspec.msgpack.encode(recording), 9))


def read() -> Recording:
    """Return the recording that is kept."""
    return msgspec.msgpack.decode(zlib.decompress(FILE.read_bytes()), type=Recording)


def replay(inputs: dict[int, list[bytes]]) -> bytes:
    """Return the hash of the state that recorded inputs lead to now, with any libraries that made the world."""
    dungeon = new_dungeon(shipped(CAMPAIGN), SEED)
    for partition in dungeon.partitions():
        for body in inputs[partition]:
            dungeon.replay_input(partition, decode(body))
    return dungeon.state_hash()


if __name__ == "__main__":
    made = record(effort(INPUTS // 16, INPUTS // 4))
    print(made.journal_hash, made.state_hash.hex(), replay(read().inputs).hex())  # noqa: T201  # for the person who runs it
