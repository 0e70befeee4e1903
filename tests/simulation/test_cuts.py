"""A cut at any byte of a conversation, either way: no answered command is lost, and none is done twice.

One conversation is recorded: a login, commands and a choice, a cut, a resume, more commands. Then it is held again and
again, each time with the line cut after another byte, and noticed by the server immediately or never. Where the cut
falls into the resume, its token may have been used up without the client's having heard of the next one.
"""

from collections import Counter
from copy import deepcopy
from functools import cache
from typing import Final, Literal, NamedTuple

import pytest

from gloam_server.world.model.inputs import FreeAction, Turn, decode
from gloam_shared import limits
from gloam_shared.protocol.codec import decode_from_client
from gloam_shared.protocol.commands import AnyCommand, Choose, Move, Wait
from gloam_shared.protocol.framing import Framer
from gloam_shared.protocol.messages.login import Joined, Login
from gloam_shared.protocol.registry import FromServer
from gloam_shared.view.view import View
from support.run.effort import CI
from support.server.parties import with_a_choice
from support.server.sim_server import SimClient, SimServer
from support.simulation.checkers import projection
from support.storage.memory_store import MemoryStore

EAST, WEST = Move(1, 0), Move(-1, 0)
SCRIPT: Final[tuple[tuple[AnyCommand, ...], ...]] = (
    (EAST,),
    (Wait(), Choose(0)),
    (WEST, EAST),
    (Choose(0),),
    (WEST,),
)
"""The commands of the player, one after another; commands that stand together do not wait for an answer."""
CUT_AFTER: Final = 2
"""After this many of them the line breaks in any case: a resume is part of the conversation."""
TO_BE_DONE: Final = {False: (0, 1, 2, 4, 6), True: (0, 1, 4, 6)}
"""The commands, by their order, that nothing replaces and nothing refuses; of a newborn player, or of another."""
FAR: Final = 1 << 30
WAY = Literal["up", "down"]


class Cut(NamedTuple):
    """After which byte of which way the line breaks, whether the server notices, and whether its disk is slow.

    `newborn` tells that the life begins with the conversation; there is no choice to make in it.
    """

    way: WAY
    at: int
    noticed: bool
    slow: bool
    newborn: bool = False


EVERY: Final[dict[WAY, int]] = {"up": 20, "down": 150}
NEVER: Final = Cut("up", FAR, noticed=True, slow=False)


@cache
def beginning() -> MemoryStore:
    """Return a world in which Anna stands with one level-up choice to make."""
    server, (anna,) = with_a_choice("Anna")
    anna.leave()
    server.advance(60)
    server.stop()
    assert isinstance(server.store, MemoryStore)
    return server.store


class CutClient(SimClient):
    """A player whose line breaks at one byte; what it said and heard over all lines is counted."""

    def __init__(self, server: SimServer, cut: Cut) -> None:
        self.cut_at = cut
        self.passed: Counter[WAY] = Counter()
        self.logins = self.strange = 0
        self._said = Framer(limits.FRAME_FROM_CLIENT_MAX)
        super().__init__(server, "Anna", b"Anna".ljust(limits.TOKEN_SIZE, b"."))

    def dial(self) -> None:
        """Open a (new) connection, and resume or log in."""
        self._said = Framer(limits.FRAME_FROM_CLIENT_MAX)
        self.strange += not self.link._resume
        super().dial()

    def pump(self) -> list[FromServer]:
        """Carry bytes both ways until nothing moves or the line breaks."""
        came: list[FromServer] = []
        moved = True
        while self.up and moved:
            said = self.link.outgoing()
            messages = [decode_from_client(body) for body in self._said.feed(said)]
            self.logins += sum(isinstance(message, Login) for message in messages)
            outgoing = self._through("up", said)
            if outgoing:
                self.connection.dataReceived(outgoing)
            incoming = self._through("down", bytes(self.wire.sent))
            if incoming:
                self.wire.sent.clear()
                came += self.link.receive(incoming, self.server.now_ms)
            moved = bool(outgoing or incoming)
            if self.wire.closed:
                self.cut()
        self.got += came
        return came

    def _through(self, way: WAY, data: bytes) -> bytes:
        """Return the part of some bytes that gets through.

        Where the last of it is the cut's, the line breaks behind it.
        """
        if not self.up:
            return b""
        left = self.cut_at.at - self.passed[way]
        self.passed[way] += len(data)
        if way == self.cut_at.way and 0 <= left < len(data):
            self._break(way, data[:left])
            return b""
        return data

    def _break(self, way: WAY, last: bytes) -> None:
        """The last bytes still arrive; then the line is gone for the client, and for the server if it notices."""
        self.up = False
        if way == "up":
            self.connection.dataReceived(last)
        else:
            self.link.receive(last, self.server.now_ms)
        if self.cut_at.noticed:
            self.connection.connectionLost()


class Conversation:
    """One run of the script with one cut."""

    def __init__(self, cut: Cut) -> None:
        self.server = SimServer(
            store=MemoryStore() if cut.newborn else deepcopy(beginning()),
            write_s=0.04 if cut.slow else 0,
        )
        self._read = self.server.store.journal.last_sequence(1)
        self.done: Counter[int] = Counter()
        self.sent: dict[int, AnyCommand] = {}
        self.client = CutClient(self.server, cut)
        self.server.clients.append(self.client)
        self._settle()

    def run(self) -> "Conversation":
        """Hold it to its end, dialling again after each cut."""
        for step, wanted in enumerate(SCRIPT):
            if step == CUT_AFTER:
                self.client.cut()
            for command in wanted:
                self.sent[self.client.link.command(command, self.server.now_ms)] = command
            self._settle()
        return self

    def _settle(self) -> None:
        """Let all be answered, on as many lines as it takes."""
        link = self.client.link
        for _ in range(20):
            if not self.client.up:
                self.client.dial()
            self.server.clock.advance(0.06)
            link.tick(self.server.now_ms)
            self.server.settle()
            self._follow()
            if self.client.up and link.joined and link.unanswered is None:
                return
        raise AssertionError(f"nothing answers {link.unanswered}")

    def _follow(self) -> None:
        """Read what has become durable; nothing else may be reported as done."""
        for record in self.server.store.journal.read(1, self._read):
            self._read = record.sequence
            match decode(record.body):
                case Turn(acts):
                    self.done.update(act.number for act in acts if act.number)
                case FreeAction(number=number):
                    self.done[number] += 1
        player = self.server.engine.players.by_account(1)
        refused = player.turns.answered if player is not None else 0
        assert self.client.link.done <= max([refused, *self.done]), "an answered command is not durable"


def check(cut: Cut) -> Conversation:
    """Hold the conversation with a cut, and prove that nothing is lost and nothing doubled."""
    held = Conversation(cut).run()
    first = min(held.sent)
    expected = {first + at: 1 for at in TO_BE_DONE[cut.newborn]}
    assert {number: held.done[number] for number in expected} == expected, "a command was lost or doubled"
    assert max(held.done.values()) == 1, "a command was done twice"
    assert held.client.logins == held.client.strange, "a token was known and did not lead back"
    shown, known = held.client.view, projection(held.server, 1)
    assert [f for f in View.__struct_fields__ if getattr(shown, f) != getattr(known, f)] == []
    return held


@cache
def recorded(newborn: bool) -> dict[WAY, int]:
    """Return how many bytes the conversation has each way."""
    return dict(check(NEVER._replace(newborn=newborn)).client.passed)


@pytest.mark.thorough
@pytest.mark.rule("A45")
@pytest.mark.long
@pytest.mark.parametrize("slow", [False, True], ids=["quick disk", "slow disk"])
@pytest.mark.parametrize("noticed", [True, False], ids=["noticed", "unnoticed"])
@pytest.mark.parametrize("newborn", [False, True], ids=["long alive", "newborn"])
@pytest.mark.parametrize("way", ["up", "down"])
def test_a_cut_at_any_byte_loses_and_repeats_nothing(
    way: WAY, newborn: bool, noticed: bool, slow: bool
) -> None:
    """After a cut behind any byte, no answered command is lost or carried out twice."""
    every = (37 if slow else 17) if CI else EVERY[way]
    for at in range(0, recorded(newborn)[way], every):
        cut = Cut(way, at, noticed, slow, newborn)
        try:
            check(cut)
        except Exception as error:
            raise AssertionError(f"{cut}: {error}") from error


def test_conversation_holds_cut_could_spoil() -> None:
    """The conversation holds everything that a cut could spoil."""
    held = check(NEVER)
    assert held.client.logins == 1
    assert len(held.client.of_kind(Joined)) == 2, "and a resume"
    assert held.client.passed["up"] > 150
    assert held.client.passed["down"] > 1_000
