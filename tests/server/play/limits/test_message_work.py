"""The work and the memory of each message: measured for one that the server carries out, against the table of limits."""

import gc
import os
import sys
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Final, NamedTuple, get_args

import pytest

from gloam_server.gateway.dungeon_list import AskRealms
from gloam_server.storage.shared_replays import SUFFIX
from gloam_server.world.model.ids import REALM_PARTITION
from gloam_server.world.model.inputs import RecordBeacon
from gloam_shared import limits
from gloam_shared.appearance import Terrain
from gloam_shared.protocol.codec import encode
from gloam_shared.protocol.commands import Climb, Wait
from gloam_shared.protocol.messages import parties, play
from gloam_shared.protocol.messages.chat import Ignore, MapPing, Report, SendChat, Speak
from gloam_shared.protocol.messages.dungeons import DUNGEONS, AskDungeons
from gloam_shared.protocol.messages.lives import BeginAtBeacon, ChooseKit, JoinFriend, NewLife, SetBeside
from gloam_shared.protocol.messages.login import (
    Bye,
    Error,
    Login,
    Resume,
    ResumeToken,
    SetPassword,
    hello_of,
)
from gloam_shared.protocol.messages.records import AskHistory, AskLadder, AskMapMemory
from gloam_shared.protocol.messages.replays import REPLAYS, AskReplay
from gloam_shared.protocol.messages.watching import (
    AskWatchable,
    CountGuests,
    EndWatching,
    SetWatchable,
    Watch,
    WatchLogin,
)
from gloam_shared.protocol.registry import ABILITIES, CLIENT_MESSAGES, PROTOCOL_VERSION, FromClient
from gloam_shared.view.view import Stat
from support.cluster.host_of_realms import answering, host_of
from support.content.campaigns import shipped
from support.content.kits_campaign import arena_with_kits
from support.documents.message_budgets import budget_of
from support.protocol.examples import example_of
from support.server.journal_checks import written_bytes
from support.server.parties import SPACING_MS, clear, noticed, slain, turn
from support.server.party_requests import ask, join
from support.server.raw_client import RawClient
from support.server.sim_server import SimClient, SimServer

_HELLO: Final = hello_of(PROTOCOL_VERSION, "test", 0, (*ABILITIES, REPLAYS, DUNGEONS))
_TOKEN: Final = b"t" * limits.TOKEN_SIZE


class Case(NamedTuple):
    """A server, the connection that sends, and the message, which the server will carry out."""

    server: SimServer
    send: Callable[[FromClient], None]
    message: FromClient
    heard: Callable[[], list[object]]


def in_play(make: Callable[..., FromClient], campaign: str = "gloam") -> Case:
    """Return a case of two players beside each other; the first sends."""
    server = SimServer(campaign=arena_with_kits() if campaign == "kits" else shipped(campaign))
    ann, bert = server.join("Ann"), server.join("Bert")
    server.advance(200)
    message = make(server, ann, bert)
    ann.hear()

    def send(what: FromClient) -> None:
        ann.connection.dataReceived(ann.link._line.frames.frame(encode(what)))

    return Case(server, send, message, lambda: [*ann.pump(), *ann.got])


def raw(
    *before: FromClient,
    message: FromClient,
    replays: Path | None = None,
    door: str = "",
    realms: AskRealms | None = None,
) -> Case:
    """Return a case of a connection that has sent these messages."""
    server = SimServer(
        campaign=shipped("gloam"), replays=replays or Path(os.devnull), watch_guests=bool(door), realms=realms
    )
    bert = server.join("Bert")
    bert.send(SetWatchable(allowed=True, guests=True))
    client = RawClient(server, door=door)
    for each in before:
        client.say(each)
        server.pass_time(limits.LOGIN_GAP_MS)
    client.heard()
    return Case(
        server,
        lambda what: client.send(client.frames.frame(encode(what))),
        message,
        lambda: list(client.heard()),
    )


def _dead(server: SimServer, ann: SimClient, _: SimClient) -> FromClient:
    slain(server, ann)
    return NewLife(1)


def _beside(server: SimServer, _: SimClient, bert: SimClient) -> FromClient:
    """Let the friend go to depth 2, with no creature on the way: the message moves a young life there, with a kit."""
    clear(server, bert)
    server.walk_to(bert, Terrain.STAIRS_DOWN)
    turn(server, bert, Climb(down=True))
    noticed(server)
    clear(server, bert)
    return JoinFriend(1, None, "Bert")


def _lit(server: SimServer, ann: SimClient, _: SimClient) -> FromClient:
    """Light a beacon: the message takes a life there that has given no command."""
    cell = server.dungeon.levels[5].terrain.find(Terrain.FLOOR)
    server.engine.loop.submit(REALM_PARTITION, RecordBeacon(5, cell, 1, (99, 1, 0)))
    clear(server, ann)
    server.advance(200)
    return BeginAtBeacon(1, 5)


def _invited(answer: FromClient) -> Callable[..., FromClient]:
    """Let the friend invite the player: an invite back, like a yes, makes a party."""

    def make(server: SimServer, _: SimClient, bert: SimClient) -> FromClient:
        ask(server, bert, parties.InviteToParty("Ann"))
        return answer

    return make


def _together(message: FromClient) -> Callable[..., FromClient]:
    def make(server: SimServer, ann: SimClient, bert: SimClient) -> FromClient:
        join(server, ann, bert)
        return message

    return make


PLAYING: Final[dict[type, Callable[..., FromClient]]] = {
    play.SubmitCommand: lambda _, ann, __: play.SubmitCommand(1, ann.link._line.updates.patch, Wait()),
    play.Acknowledge: lambda _, ann, __: play.Acknowledge(ann.link._line.updates.patch),
    SendChat: lambda *_: SendChat("\u0e01\u0e33" * 60),
    Speak: lambda *_: Speak("say", "\u0e01\u0e33" * 60),
    MapPing: lambda _, ann, __: MapPing("danger", 1, ann.view.cell),
    Ignore: lambda *_: Ignore("Bert", "block"),
    Report: lambda *_: Report("Bert", "x" * 200),
    AskMapMemory: lambda *_: AskMapMemory(1),
    NewLife: _dead,
    JoinFriend: _beside,
    ChooseKit: lambda *_: ChooseKit(1, 1),
    BeginAtBeacon: _lit,
    play.HeartbeatReply: lambda *_: play.HeartbeatReply(1),
    SetPassword: lambda *_: SetPassword("correct horse", ""),
    AskHistory: lambda _, __, bert: AskHistory(bert.view.fact(Stat.HANDLE)),
    SetBeside: lambda *_: SetBeside("all"),
    SetWatchable: lambda *_: SetWatchable(allowed=True),
    EndWatching: lambda *_: EndWatching("Bert"),
    AskLadder: lambda *_: AskLadder(name="Ann"),
    parties.InviteToParty: _invited(parties.InviteToParty("Bert")),
    parties.AnswerInvite: _invited(parties.AnswerInvite("Bert")),
    parties.LeaveParty: _together(parties.LeaveParty()),
    parties.SetPartyChoices: _together(parties.SetPartyChoices(shares=False, patience=1)),
    parties.LeadParty: _together(parties.LeadParty("Bert")),
}
"""Messages in play that the server carries out only with these values; of the other kinds it takes any."""


def case_of(kind: type, folder: Path) -> Case:
    """Return the case of a kind of message."""
    if "playing" in CLIENT_MESSAGES[kind].phases:
        make = PLAYING.get(kind, lambda *_: example_of(kind))
        return in_play(make, "kits" if kind is ChooseKit else "gloam")
    (folder / f"Ann-1{SUFFIX}").write_bytes(b"x" * limits.REPLAY_PART_BYTES)
    logged_in = WatchLogin("Ann", _TOKEN)
    match kind.__name__:
        case "Hello":
            return raw(message=_HELLO)
        case "Login":
            return raw(_HELLO, message=Login("Ann", _TOKEN))
        case "WatchLogin":
            return raw(_HELLO, message=logged_in)
        case "AskWatchable":
            return raw(_HELLO, logged_in, message=AskWatchable())
        case "Watch":
            return raw(_HELLO, logged_in, message=Watch("Bert"))
        case "CountGuests":
            guest = WatchLogin("", _TOKEN)
            return raw(_HELLO, guest, Watch("Bert"), message=CountGuests(5), door="web")
        case "AskDungeons":
            return raw(_HELLO, message=AskDungeons(), realms=answering(host_of(limits.DUNGEONS_MAX)))
        case "AskReplay":
            return raw(_HELLO, message=AskReplay("Ann-1"), replays=folder)
        case "Resume":
            return resuming()
        case _:
            return raw(message=example_of(kind))


def resuming() -> Case:
    """Return a case of a client that was cut off in play."""
    server = SimServer(campaign=shipped("gloam"))
    client = RawClient(server)
    client.say(_HELLO, Login("Ann", _TOKEN))
    server.pass_time(500)
    [token] = [each for each in client.heard() if isinstance(each, ResumeToken)]
    client.vanish()
    again = RawClient(server)
    again.say(_HELLO)
    again.heard()
    return Case(
        server,
        lambda what: again.send(again.frames.frame(encode(what))),
        Resume("Ann", token.token),
        lambda: list(again.heard()),
    )


def carried_out(case: Case, around: Callable[[Callable[[], None]], int]) -> int:
    """Let the server carry out a message, and return what `around` measures of that."""

    def work() -> None:
        case.send(case.message)
        case.server.advance(4 * SPACING_MS)

    measured = around(work)
    refused = [each for each in case.heard() if isinstance(each, Error | Bye) and each.code != "goodbye"]
    assert refused == [], "it is measured for real"
    return measured


def calls(work: Callable[[], None]) -> int:
    """Return how many functions of Python a piece of work calls: the same on each machine."""
    count = 0

    def note(_frame: object, event: str, _value: object) -> None:
        nonlocal count
        count += event == "call"

    sys.setprofile(note)
    try:
        work()
    finally:
        sys.setprofile(None)
    return count


def memory(work: Callable[[], None]) -> int:
    """Return the most bytes that a piece of work holds at a time."""
    gc.collect()
    tracemalloc.start()
    try:
        work()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


_TRIES: Final = 5
"""The first measurement of a process fills caches that all share, and threads of other tests may count in a few more."""


@pytest.mark.by_hand  # the checks of kept values would count, too
@pytest.mark.thorough
@pytest.mark.parametrize("kind", get_args(FromClient), ids=lambda kind: kind.__name__)
def test_message_costs_no_more_than_its_row(
    kind: type, tmp_path: Path, record_property: Callable[..., None]
) -> None:
    """The calls, less the calls of the same time without a message."""
    case = case_of(kind, tmp_path)
    idle = calls(lambda: case.server.advance(4 * SPACING_MS))
    before = written_bytes(case.server)
    worked = carried_out(case, calls) - idle
    written = written_bytes(case.server) - before
    _, most_written, most_calls, most_bytes = budget_of(kind)
    held = most_bytes + 1
    for _ in range(_TRIES):
        if held > most_bytes:
            held = carried_out(case_of(kind, tmp_path), memory)
    record_property("calls", worked)
    record_property("bytes", held)

    assert bool(most_written) == bool(written), "what writes is carried out in earnest"
    assert written <= most_written
    assert worked <= most_calls
    assert held <= most_bytes
