"""The kinds of faults: processes that end or hang, and cuts between any two."""

import os
import signal
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from support.crash.place import CUTS, Place
from support.link.view_processes import turn_processes, used_view_processes, view_processes
from support.processes.foreign_sockets import cut_line

STREAM = "gloam-journal"
_CUT_S = 2
_SPLIT_S = 12
"""Longer than the servers of NATS take to elect another leader, and than the old one takes to see that it leads no more."""


def _nothing(_: Place) -> None:
    """Do nothing: the fault ends by itself."""


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault, and its end after `lasts_s` if it is no single blow."""

    begin: Callable[[Place], None]
    lasts_s: float = 0
    end: Callable[[Place], None] = _nothing
    joins_again: bool = False
    """Lets each player be taken in again; else only the players who were cut are."""
    cuts: bool = False
    """Ends connections."""


def _turn(place: Place, number: signal.Signals = signal.SIGKILL) -> None:
    os.kill(turn_processes(place.server)[0], number)


def _view(place: Place) -> None:
    os.kill(used_view_processes(place.server)[0], signal.SIGKILL)


def _cut_view(place: Place) -> None:
    cut_line(turn_processes(place.server)[0], used_view_processes(place.server)[0])


def _cut_standby(place: Place) -> None:
    cut_line(*turn_processes(place.server))


def _follower(place: Place) -> None:
    place.nats.follower(STREAM).kill()


def _leader(place: Place) -> None:
    place.nats.leader(STREAM).kill()


def _postgres(place: Place) -> None:
    place.postgres.crash()
    place.postgres.start()


def _all(place: Place) -> None:
    server = place.server
    for each in (server.process.pid, *turn_processes(server), *view_processes(server)):
        os.kill(each, signal.SIGKILL)
    if place.store is not None:
        for nats in place.nats.servers:
            nats.kill()
        place.postgres.crash()
    server.kill()
    place.restart()


def _hold_answers(kind: str, place: Place) -> None:
    for proxy in place.cuts[kind]:
        proxy.hold_answers()


def _cut(kind: str, place: Place) -> None:
    for proxy in place.cuts[kind]:
        proxy.cut()


def _split_leader(place: Place) -> None:
    leader = place.nats.leader(STREAM)
    place.nats.split(leader, *(each for each in place.nats.servers if each is not leader))


def _split_pair(place: Place) -> None:
    place.nats.split(place.nats.leader(STREAM), place.nats.follower(STREAM))


def _join(place: Place) -> None:
    place.nats.join()


FAULTS = {
    "turn": Fault(_turn, joins_again=True),
    "hang": Fault(partial(_turn, number=signal.SIGSTOP), joins_again=True),
    "view": Fault(_view, cuts=True),
    "follower": Fault(_follower),
    "leader": Fault(_leader),
    "postgres": Fault(_postgres),
    "all": Fault(_all, joins_again=True, cuts=True),
    "cut-view": Fault(_cut_view, cuts=True),
    "cut-standby": Fault(_cut_standby, joins_again=True),
    "split-leader": Fault(_split_leader, _SPLIT_S, _join),
    "split-pair": Fault(_split_pair, _SPLIT_S, _join),
    **{each: Fault(partial(_hold_answers, each), _CUT_S, partial(_cut, each)) for each in CUTS},
}
