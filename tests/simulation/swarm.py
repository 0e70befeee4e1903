"""The swarm: players with bad lines on a whole server, a step at a time, with every checker after each."""

import hashlib
from dataclasses import dataclass, field

from gloam_server.app.archive import verify
from gloam_server.storage.journal import Journal, StorageFault, StorageFull
from gloam_server.storage.memory import MemoryJournal
from simulation.chance import Chance
from simulation.checkers import Durable, check_bodies, check_levels, check_quiet, check_sight
from simulation.players import SwarmPlayer
from support.campaigns import arena, shipped
from support.realm import SimServer

STEPS = 1_000
QUIET_MS = 12_000
CROWDED = 60
CLASSIC_EVERY = 5
"""Every so many seeds a shipped campaign takes the arena's place."""


@dataclass
class Swarm:
    """One run. After `run`, `digest` is a hash of the journal: all that ever happened."""

    seed: int
    clients: int = 5
    steps: int = STEPS
    step: int = 0
    digest: str = ""
    crashes: int = 0
    players: list[SwarmPlayer] = field(default_factory=list)

    def run(self) -> "Swarm":
        """Live through all steps, then through a quiet time, and prove that a replay leads to the same state."""
        chance = Chance(self.seed)
        journal = MemoryJournal()
        server = self._server(journal, chance)
        durable = Durable()
        self.players = [SwarmPlayer(at, chance) for at in range(self.clients)]
        while self.step < self.steps:
            self.step += 1
            if chance.random() < 0.002:
                server = self._crash(server, journal, chance)
            self._trouble(server, journal, chance)
            self._conjure(server, chance)
            server.clock.advance(chance.choice((1, 5, 20, 60, 120)) / 1_000)
            durable.follow(server)
            for player in self.players:
                durable.check(server, player, player.step(server))
                check_sight(server, player)
            check_levels(server)
            check_bodies(server)
        self._be_quiet(server, journal, durable)
        replayed, state = verify(journal, server.campaign)
        assert replayed > self.clients
        assert state == server.dungeon.state_hash(), "the replay leads to another state"
        assert server.again().dungeon.state_hash() == state, "what is rebuilt is another state"
        self.digest = digest_of(journal)
        return self

    def _server(self, journal: MemoryJournal, chance: Chance) -> SimServer:
        campaign = arena(monsters=6) if self.seed % CLASSIC_EVERY else shipped("jsrogue")
        return SimServer(
            campaign, self.seed, journal=journal, write_s=chance.choice((0, 0, 0.002, 0.03, 0.4))
        )

    def _crash(self, server: SimServer, journal: MemoryJournal, chance: Chance) -> SimServer:
        server.crash()
        self.crashes += 1
        for player in self.players:
            player.lose_everything()
        later = self._server(journal, chance)
        later.beats.wake()
        return later

    def _trouble(self, server: SimServer, journal: MemoryJournal, chance: Chance) -> None:
        if chance.random() < 0.01:
            journal.fail_next(chance.choice((StorageFull("Full."), StorageFault("Broken."))))
        if chance.random() < 0.01:
            server.writer.delay_s = chance.choice((0, 0.002, 0.03, 0.4))

    def _conjure(self, server: SimServer, chance: Chance) -> None:
        """Let something dangerous come, so that lives are short and eventful."""
        place = chance.choice((1, 1, 2))
        level = server.dungeon.levels[place]
        if chance.random() < 0.05 and len(level.creatures) < 20:
            kinds = (
                ("kobold", "kobold", "kobold", "kobold", "bat", "ogre")
                if self.seed % CLASSIC_EVERY
                else ("kobold", "bat")
            )
            prey = [body.cell for body in level.players()] or [server.dungeon.realm.arrival]
            server.put(chance.choice(kinds), chance.choice(prey), place)
        if len(level.creatures) > CROWDED:  # fungi spread for ever, and who arrives needs a free cell
            oldest = min(body.number for body in level.creatures.values() if not body.account)
            server.banish(level.creatures[oldest], place)

    def _be_quiet(self, server: SimServer, journal: MemoryJournal, durable: Durable) -> None:
        journal._faults.clear()
        server.writer.delay_s = 0
        until_ms = server.now_ms + QUIET_MS
        while server.now_ms < until_ms:
            server.clock.advance(0.02)
            durable.follow(server)
            for player in self.players:
                durable.check(server, player, player.rest(server))
        check_levels(server)
        check_bodies(server)
        for player in self.players:
            check_quiet(server, player)
            durable.check_once(player)
        assert server.factory.open == self.clients, "a line that has ended is still counted"
        for player in self.players:
            assert set(player.byes) <= {"replaced", "goodbye"}, f"{player.name} was sent away: {player.byes}"


def digest_of(journal: Journal) -> str:
    """Return a hash of all records of a journal, place by place."""
    told = hashlib.blake2b(digest_size=16)
    for place in journal.places():
        for record in journal.read(place, 0):
            told.update(b"%d:%d:%d:" % (place, record.sequence, len(record.body)) + record.body)
    return told.hexdigest()
