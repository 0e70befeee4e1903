"""Moves of realms between workers, as the host asks for them. The workers do them; a move that fails leaves the realm where it is."""

from collections.abc import Mapping, Sequence
from typing import Final

from gloam_server.storage.errors import StorageError
from gloam_server.storage.workers import Cluster, Drain, Placed, Take, WorkerState
from gloam_shared.text import clean

_MOVE_S: Final = 30.0
_DRAIN_S: Final = 5.0


def move_realm(cluster: Cluster, realm: str, worker: str) -> None:
    """Let a worker take a realm over. Raises StorageError, and then the realm stays where it is."""
    cluster.find(realm)
    _find(cluster.workers.look(), worker)
    _take(cluster, realm, worker)


def drain_worker(cluster: Cluster, worker: str) -> list[tuple[str, str]]:
    """Let a worker take no more realms, and move those that it has to the others; return each with its new worker.

    Raises StorageError: without enough room at the others nothing is changed, and after a failed move the rest stays.
    """
    placed = cluster.workers.look()
    targets = plan_moves(_find(placed, worker), placed.workers)
    refusal = cluster.workers.ask(worker, Drain(), _DRAIN_S).refusal
    if refusal:
        raise StorageError(refusal)
    for realm, target in targets:
        _take(cluster, realm, target)
    return targets


def balance_workers(cluster: Cluster) -> list[tuple[str, str]]:
    """Move realms from the workers with the most to those with the fewest; return each with its new worker, in their order.

    Raises StorageError: after a failed move the rest stays.
    """
    moves = plan_balance(cluster.workers.look().workers)
    for realm, target in moves:
        _take(cluster, realm, target)
    return moves


def plan_balance(workers: Mapping[str, WorkerState]) -> list[tuple[str, str]]:
    """Return the moves after which no realm could go to a worker that has two fewer than its own, in their order."""
    served = {name: sorted(each.realms) for name, each in workers.items()}
    moves: list[tuple[str, str]] = []
    while (move := _next_balancing(workers, served)) is not None:
        realm, source, target = move
        served[source].remove(realm)
        served[target].append(realm)
        moves.append((realm, target))
    return moves


def _next_balancing(
    workers: Mapping[str, WorkerState], served: Mapping[str, list[str]]
) -> tuple[str, str, str] | None:
    """Return a realm, its worker and the one to move it to: from the fullest to the emptiest. A server that starts stays."""
    by_load = sorted(served, key=lambda name: (len(served[name]), name))
    for source in reversed(by_load):
        for target in by_load:
            there = workers[target]
            if (
                len(served[source]) - len(served[target]) < 2
                or len(served[target]) >= there.most
                or there.drains
            ):
                continue
            for realm in served[source]:
                if there.may_serve(realm) and realm not in workers[source].starts:
                    return realm, source, target
    return None


def plan_moves(drained: WorkerState, workers: Mapping[str, WorkerState]) -> list[tuple[str, str]]:
    """Return each realm of a worker with another one that has room for it, the emptiest first. Raises StorageError."""
    room = {name: each.room for name, each in workers.items() if name != drained.name}
    moves: list[tuple[str, str]] = []
    for realm in sorted(drained.realms, key=lambda each: (_choices(each, workers), each)):
        able = [name for name, left in room.items() if left and workers[name].may_serve(realm)]
        if not able:
            raise StorageError(
                f"No other worker has room for the realm {realm} of {drained.name}; start another one, or one with a larger --most."
            )
        target = max(sorted(able), key=lambda each: room[each])
        room[target] -= 1
        moves.append((realm, target))
    return sorted(moves)


def _choices(realm: str, workers: Mapping[str, WorkerState]) -> int:
    """Return the number of workers that may serve a realm: those with the fewest choose first."""
    return sum(each.may_serve(realm) for each in workers.values())


def _take(cluster: Cluster, realm: str, worker: str) -> None:
    refusal = cluster.workers.ask(worker, Take(realm), _MOVE_S).refusal
    if refusal:
        raise StorageError(refusal)


def _find(placed: Placed, worker: str) -> WorkerState:
    """Return a worker that runs. Raises StorageError."""
    if worker not in placed.workers:
        names = _names(sorted(placed.workers))
        raise StorageError(f'There is no worker "{clean(worker)[:40]}"; {names}.')
    return placed.workers[worker]


def _names(workers: Sequence[str]) -> str:
    return (
        f"there are {', '.join(workers)}; name one of them"
        if workers
        else "start one with `gloam-server worker`"
    )
