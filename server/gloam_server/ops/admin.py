"""The host's commands to a running server, as one table. They arrive only over a local socket."""

import os
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from msgspec import MsgspecError
from twisted.internet.defer import Deferred, maybeDeferred
from twisted.python.failure import Failure

from gloam_server.engine import health
from gloam_server.engine.engine import Engine
from gloam_server.engine.messages import SayAll
from gloam_server.engine.player import Player
from gloam_server.gateway.gateway import Gateway
from gloam_server.gateway.login.bans import describe_until
from gloam_server.ops.admin_messages import HOURS_MAX, Reply, Request
from gloam_server.ops.entrance import CannotRestart, Entrance, ProcessState
from gloam_server.ops.process_usage import usage_of
from gloam_server.storage.accounts import FOR_GOOD, Account
from gloam_server.storage.writer import Writer
from gloam_server.world.realm.realm import archived_of
from gloam_shared import limits, text
from gloam_shared.protocol.messages.chat import ChatLine

_HOUR_S: Final = 3_600


class Refused(Exception):
    """A request cannot be carried out; the text is one sentence for the host."""


@dataclass(frozen=True, slots=True)
class RunningServer:
    """The parts of the running server that its host may inspect and control.

    `began_ms` is the clock's reading at its start.
    """

    engine: Engine
    host: Gateway
    entrance: Entrance
    writer: Writer
    players_max: int
    version: str
    began_ms: int


Lines = tuple[str, ...]
Handler = Callable[[RunningServer, Request], "Lines | Deferred[Lines]"]


def answer(realm: RunningServer, request: Request) -> Deferred[Reply]:
    """Carry out a host's command. The Deferred fires with a reply, or fails after an internal error."""
    handler: Callable[..., Any] = COMMANDS.get(request.command, _unknown)
    done: Deferred[Lines] = maybeDeferred(handler, realm, request)

    def refused(failure: Failure) -> Reply:
        failure.trap(Refused)
        error = failure.value
        return Reply(ok=False, lines=(str(error),))

    return done.addCallbacks(lambda lines: Reply(ok=True, lines=lines), refused)


def _unknown(_: RunningServer, request: Request) -> Lines:
    raise Refused(f'There is no command "{text.clean(request.command)}"; there are {", ".join(COMMANDS)}.')


def _status(realm: RunningServer, _: Request) -> Lines:
    engine, counts = realm.engine, realm.entrance.counts()
    dungeon = engine.dungeon
    up_s = (engine.clock.now_ms() - realm.began_ms) // 1_000
    bodies = sum(1 for _ in engine.players.in_play())
    lives, archived = len(dungeon.realm.lives), len(archived_of(dungeon.realm))
    closed = [
        f"partition {partition} is closed by a fault in its rules or its file"
        for partition in sorted(dungeon.closed)
    ]
    state = (
        "; ".join(
            (
                *health.problems(engine.statistics, engine.clock.seconds()),
                *health.damage(engine.statistics),
                *closed,
            )
        )
        or "all is durable"
    )
    return (
        f"campaign {dungeon.campaign.key}, seed {dungeon.seed}, rules {dungeon.realm.rules_version}",
        f"gloam {realm.version}, up {up_s // _HOUR_S} h {up_s // 60 % 60} min",
        f"{len(engine.players.connected())} of {realm.players_max} players, {bodies} bodies in play, {counts.connections} connections",
        f"{lives} {'life' if lives == 1 else 'lives'} in memory, {archived} archived",
        realm.entrance.describe_encryption(),
        f"{sum(dungeon.sequence(partition) for partition in dungeon.partitions())} inputs, {state}",
        *health.describe(engine.statistics, counts, engine.clock.seconds()),
        *_processes(realm),
    )


def _processes(realm: RunningServer) -> Lines:
    """Return a line for each process, if there are several."""
    views = realm.entrance.processes()
    if not views:
        return ()
    return (f"turn process: {usage_of(os.getpid())}", *map(_describe_view, views))


def _describe_view(view: ProcessState) -> str:
    starts = f"started {'once' if view.starts == 1 else f'{view.starts} times'}"
    if not view.is_ready:
        return f"{view.name}: not ready, {starts}"
    return f"{view.name}: {view.connections} connections, {usage_of(view.number)}, {starts}"


def _who(realm: RunningServer, _: Request) -> Lines:
    lines = [_describe(realm, player) for player in realm.engine.players.connected()]
    return tuple(lines) or ("no player",)


def _describe(realm: RunningServer, player: Player) -> str:
    in_play = realm.engine.players.in_dungeon(player.account)
    where = "not in play" if in_play is None else f"depth {in_play[1].partition}, level {in_play[2].level}"
    address = realm.host.address_of(player)
    host, door = getattr(address, "host", "?"), getattr(address, "door", "")
    way = f" by {'browser' if door == 'web' else door}" if door else ""
    return f"{player.name}: {where}, from {host}{way}{', away' if player.attendance.away.now else ''}"


def _kick(realm: RunningServer, request: Request) -> Lines:
    folded = text.fold(request.name)
    for player in realm.engine.players.connected():
        if text.fold(player.name) == folded:
            realm.host.expel(player, "kicked", "The host has sent you away.")
            return (f"{player.name} was sent away",)
    raise Refused(
        f'No player of the name "{text.clean(request.name)}" is here; `gloam-server who` shows who is.'
    )


def _ban(realm: RunningServer, request: Request) -> Deferred[Lines]:
    if not 0 <= request.hours <= HOURS_MAX:
        raise Refused(f"A ban lasts from 1 to {HOURS_MAX} hours, or for good without --hours.")
    until_s = realm.engine.clock.wall_s() + request.hours * _HOUR_S if request.hours else FOR_GOOD

    def banned(account: Account) -> Lines:
        words = describe_until(until_s)
        realm.host.end_banned(account.number, f"The host has banned you {words}.")
        return (f"{account.name} is banned {words}",)

    return realm.writer.call(_set_ban, realm.writer, request.name, until_s).addCallback(banned)


def _unban(realm: RunningServer, request: Request) -> Deferred[Lines]:
    done = realm.writer.call(_set_ban, realm.writer, request.name, 0)
    return done.addCallback(lambda account: (f"{account.name} may join again",))


def _set_ban(writer: Writer, name: str, until_s: int) -> Account:
    """Ban a name or lift its ban; runs in the writer's thread."""
    account = writer.directory.account_by_name(text.fold(name))
    if account is None:
        raise Refused(f'No player has the name "{text.clean(name)}" here; check its spelling.')
    if not until_s and not writer.directory.banned_until_s(account.number):
        raise Refused(f"{account.name} is not banned.")
    writer.directory.ban(account.number, until_s)
    return account


def _say(realm: RunningServer, request: Request) -> Lines:
    words = text.clean(request.text)
    if not words:
        raise Refused("There is nothing to say; give a text.")
    if text.cells(words) > limits.CHAT_CELLS_MAX:
        raise Refused(f"A line has at most {limits.CHAT_CELLS_MAX} cells; say it in two.")
    realm.engine.views.take(SayAll(ChatLine("", f"The host says: {words}")))
    heard = len(realm.engine.players.connected())
    return (f"said to {heard} player{'' if heard == 1 else 's'}",)


def _restart(realm: RunningServer, request: Request) -> Deferred[Lines]:
    def refused(failure: Failure) -> Lines:
        failure.trap(CannotRestart, MsgspecError)
        raise Refused(str(failure.value))

    begun = len(realm.entrance.processes()) + 1
    done = realm.entrance.restart(request.text)
    return done.addCallbacks(
        lambda _: (f"{begun} processes are replaced; the standby takes over now",), refused
    )


COMMANDS: Final[dict[str, Handler]] = {
    "status": _status,
    "who": _who,
    "kick": _kick,
    "ban": _ban,
    "unban": _unban,
    "say": _say,
    "restart": _restart,
    "address": lambda realm, _: tuple(map(str, realm.entrance.address())),
}
"""Every request by its name: a new one is a function and a row here."""
