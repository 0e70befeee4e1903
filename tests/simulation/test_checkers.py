"""The checkers see what they are for: each of these breaks something on purpose, and the simulation finds it."""

from collections.abc import Callable, Sequence
from typing import Any

import pytest
from msgspec.structs import replace
from twisted.internet.defer import Deferred, succeed

from gloam_server.app.open_world import claim_world
from gloam_server.content.campaign import Campaign
from gloam_server.engine import command_queue
from gloam_server.engine.command_queue import CommandQueue
from gloam_server.engine.messages import Durable
from gloam_server.engine.player import Player, PlayerCommand
from gloam_server.engine.publishing import broadcaster
from gloam_server.engine.publishing.view_side import ViewSide
from gloam_server.engine.recovery import replay, snapshot_schedule
from gloam_server.gateway.caller import Caller
from gloam_server.gateway.joining import Joining
from gloam_server.net.connection_counts import ConnectionCounts
from gloam_server.sessions.session import Session
from gloam_server.storage.errors import StorageError
from gloam_server.storage.journal import LostInputs, WriterClaim
from gloam_server.storage.snapshots import Snapshot
from gloam_server.views import projection
from gloam_server.views.level_records import LevelRecords
from gloam_server.world.combat import death, experience_credit
from gloam_server.world.growth import experience
from gloam_server.world.items.floor_items import drop_item
from gloam_server.world.model.context import TurnContext
from gloam_server.world.model.creature import Creature, new_creature
from gloam_server.world.model.events import SentIntoPlay
from gloam_server.world.model.inputs import EnterPlay
from gloam_server.world.model.level import Level
from gloam_server.world.realm import realm
from gloam_server.world.realm.realm import Realm
from gloam_server.world.transition.dungeon import Dungeon
from gloam_server.world.transition.serialization import state_hash
from gloam_shared.protocol.commands import AnyCommand, Wait
from gloam_shared.view.view import View
from support.run.fault_seam import FaultSeam
from support.server.manual_threads import ManualWriter
from support.simulation import frame_checks
from support.simulation.simulate import Broken, Simulation
from support.storage import founding as realm_for_tests
from support.storage.memory_journal import MemoryJournal

Mutation = Callable[[FaultSeam], None]
SECONDS = 60.0
ARENAS = (1, 2, 4, 3, 13, 8, 6, 7, 9, 11, 12, 14)
"""Seeds to look in: most need only the first."""


def shows_before_it_is_durable(seam: FaultSeam) -> None:
    def append(self: ManualWriter, *batch: Any) -> Deferred[None]:
        self.delay_s = 0.02
        self.call(self.store.journal.append, *batch)
        return succeed(None)

    seam.plant(ManualWriter.append, append)


def does_a_command_again_that_is_sent_again(seam: FaultSeam) -> None:
    real, joined = command_queue.accept_command, Session.joined_message

    def take_order(
        player: Player, level: Level, body: Creature, number: int, command: AnyCommand, **more: Any
    ) -> Any:
        answered, player.turns.answered = player.turns.answered, 0
        replies = real(player, level, replace(body, command=0), number, command, **more)
        player.turns.answered = max(answered, player.turns.answered)
        return replies

    def tell_one_less(self: Session, name: str, number: int, life: int, **more: Any) -> Any:
        return joined(self, name, max(0, number - 1), life, **more)

    seam.plant(real, take_order, within=command_queue)
    seam.plant(joined, tell_one_less)


def forgets_a_command_and_says_that_it_is_done(seam: FaultSeam) -> None:
    real = CommandQueue.put

    def put(self: CommandQueue, player: Player, command: PlayerCommand) -> None:
        if command.number % 5 == 3:
            player.turns.answer(command.number)
            self._answers.note(player)
        else:
            real(self, player, command)

    seam.plant(real, put)


def does_another_command_than_was_sent(seam: FaultSeam) -> None:
    real = command_queue._queue_command

    def wait(
        player: Player, level: Level, body: Creature, number: int, command: AnyCommand, *more: Any
    ) -> Any:
        outcome = real(player, level, body, number, command, *more)
        if player.turns.pending_command is not None and number % 7 == 3:
            player.turns.pending_command = PlayerCommand(number, Wait())
        return outcome

    seam.plant(real, wait, within=command_queue)


def tells_of_creatures_out_of_sight(seam: FaultSeam) -> None:
    real = LevelRecords.creatures_shown_to

    def creatures(self: LevelRecords, viewer: Creature, sight: bytes, own_mark: int) -> Any:
        return real(self, viewer, bytes([1]) * len(sight), own_mark)

    seam.plant(real, creatures)


def tells_of_a_cell_that_was_never_seen(seam: FaultSeam) -> None:
    def leaking(level: Level, viewer: Creature, **fields: Any) -> View:
        view = projection.project(level, viewer, **fields)
        return replace(view, terrain=bytes(level.terrain))

    seam.plant(projection.project, leaking, within=broadcaster)
    seam.plant(projection.project, leaking, within=frame_checks)


def sees_through_walls(seam: FaultSeam) -> None:
    real = Level.field_of_view

    def sight(self: Level, creature: Creature) -> bytes:
        seen = bytearray(real(self, creature))
        for cell in (creature.cell + 3, creature.cell - 3 * self.grid.width):
            if 0 <= cell < len(seen):
                seen[cell] = 1
        return bytes(seen)

    seam.plant(real, sight)


def gives_an_account_a_second_body(seam: FaultSeam) -> None:
    real = realm._enter

    def enter(state: Realm, campaign: Campaign, input_: EnterPlay) -> Any:
        outputs = real(state, campaign, input_)
        if outputs and state.deaths:
            twin = new_creature(
                campaign.player_kind, realm._new_id(state), name=input_.name, account=input_.account, food=30
            )
            outputs += (SentIntoPlay(twin, 1, state.arrival),)
        return outputs

    seam.plant(real, enter, within=realm)


def lets_things_vanish(seam: FaultSeam) -> None:
    seam.plant(drop_item, lambda *_: None, within=death)


def gives_experience_without_an_award(seam: FaultSeam) -> None:
    real = experience.gain_experience

    def gain(context: TurnContext, creature: Creature, amount: int, victim: Creature | None = None) -> None:
        real(context, creature, amount, victim)
        creature.experience += 1

    seam.plant(real, gain, within=experience_credit)


def changes_the_world_beside_the_journal(seam: FaultSeam) -> None:
    real = ViewSide.show

    def take_in(self: ViewSide, batch: Durable, now_ms: int) -> None:
        for client, _, body in self.clients.in_play():
            if client.account == 2:
                body.energy += 1
        real(self, batch, now_ms)

    seam.plant(real, take_in)


def keeps_an_old_state_for_a_new_one(seam: FaultSeam) -> None:
    real, first = replay.snapshot, dict[int, bytes]()

    def snapshot(dungeon: Dungeon, partition: int) -> Snapshot:
        new = real(dungeon, partition)
        body = first.setdefault(partition, new.body)
        return Snapshot(partition, new.sequence, new.rules, body, state_hash(body))

    seam.plant(real, snapshot, within=snapshot_schedule)


def does_not_notice_what_its_disk_has_lost(seam: FaultSeam) -> None:
    seam.plant(claim_world, lambda *_: None, within=realm_for_tests)


def miscounts_what_its_disk_has_lost(seam: FaultSeam) -> None:
    real = MemoryJournal.claim

    def claim(self: MemoryJournal, claim: WriterClaim) -> LostInputs | None:
        result = real(self, claim)
        return None if result is None else LostInputs(result.inputs + 1, result.at_s)

    seam.plant(real, claim)


def lets_somebody_stand_at_the_door(seam: FaultSeam) -> None:
    real = Joining.enter_dungeon

    def bring_in(self: Joining, player: Player, caller: Caller) -> None:
        if player.account != 3:
            real(self, player, caller)

    seam.plant(real, bring_in)


def counts_a_line_that_has_ended(seam: FaultSeam) -> None:
    seam.plant(ConnectionCounts.release, lambda *_, **__: None)


MUTATIONS: dict[Mutation, str] = {
    shows_before_it_is_durable: "the journal lacks it|is not durable|has no body in the journal|that their life does not know|receives level",
    does_a_command_again_that_is_sent_again: "was done 2 times",
    forgets_a_command_and_says_that_it_is_done: "is done, but the journal lacks it",
    does_another_command_than_was_sent: "was sent",
    tells_of_creatures_out_of_sight: "which they do not see",
    tells_of_a_cell_that_was_never_seen: "that their life does not know",
    sees_through_walls: "which they cannot see|the sights in map memory: it is kept",
    gives_an_account_a_second_body: "Counter",
    lets_things_vanish: "things have vanished",
    gives_experience_without_an_award: "was awarded|was not raised",
    changes_the_world_beside_the_journal: "not what its journal leads to|is not durable|differs from the journal",
    keeps_an_old_state_for_a_new_one: "differs from the journal|not what its journal leads to|Another server|StorageDamaged|cannot be built again|a fault of ours in a removal",
    does_not_notice_what_its_disk_has_lost: "says nothing of it",
    miscounts_what_its_disk_has_lost: "and the server says",
    lets_somebody_stand_at_the_door: "did not get in",
    counts_a_line_that_has_ended: "is still counted",
}


@pytest.mark.thorough
@pytest.mark.parametrize("mutation", MUTATIONS, ids=lambda each: each.__name__)
def test_the_simulation_finds_a_server_that(mutation: Mutation, seam: FaultSeam) -> None:
    mutation(seam)
    with pytest.raises((Broken, AssertionError, StorageError), match=MUTATIONS[mutation]):
        live_through(ARENAS)


def live_through(seeds: Sequence[int]) -> None:
    for seed in seeds:
        Simulation(seed, SECONDS).run()
