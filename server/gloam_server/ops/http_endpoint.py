"""Metrics, health, ladder and news over HTTP, for programs of the host: on a separate port, on loopback by default."""

import logging
from typing import Any, Final

import msgspec
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest
from twisted.internet.defer import Deferred
from twisted.internet.endpoints import TCP4ServerEndpoint, TCP6ServerEndpoint
from twisted.internet.error import CannotListenError
from twisted.python.failure import Failure

from gloam_server.engine import health
from gloam_server.net.http_pages import HttpPage, site_of
from gloam_server.net.reactor import ListeningPort
from gloam_server.ops.admin import RunningServer
from gloam_server.ops.metrics import registry_of

_UNAVAILABLE: Final = 503
_log: Final = logging.getLogger(__name__)


class CannotServe(Exception):
    """The port for metrics is taken or not permitted; the text says what to do."""


def health_page(realm: RunningServer) -> HttpPage:
    """Return whether all is well: 200 and {"ok": true, ...}, else 503 and the problems."""
    wrong = health.problems(realm.engine.statistics, realm.engine.clock.seconds())
    body = {
        "ok": not wrong,
        "wrong": wrong,
        "damage": health.damage(realm.engine.statistics),
        "players": len(realm.engine.players.connected()),
        "uptime_s": (realm.engine.clock.now_ms() - realm.began_ms) // 1_000,
        "version": realm.version,
    }
    return HttpPage("application/json", msgspec.json.encode(body) + b"\n", _UNAVAILABLE if wrong else 200)


def ladder_page(realm: RunningServer) -> HttpPage:
    """Return the ladder for people's own pages."""
    return HttpPage("application/json", realm.engine.boards.page())


def news_page(realm: RunningServer) -> HttpPage:
    """Return the news of the week for people's own pages."""
    return HttpPage("application/json", realm.engine.boards.news_page())


def listen(reactor: Any, realm: RunningServer, interface: str, port: int) -> Deferred[ListeningPort]:
    """Serve `/metrics`, `/health`, `/ladder.json` and `/news.json`. Fires with CannotServe if the port is not available."""
    registry = registry_of(realm)
    site = site_of(
        {
            "metrics": lambda: HttpPage(CONTENT_TYPE_LATEST, generate_latest(registry)),
            "health": lambda: health_page(realm),
            "ladder.json": lambda: ladder_page(realm),
            "news.json": lambda: news_page(realm),
        }
    )
    endpoint = (TCP6ServerEndpoint if ":" in interface else TCP4ServerEndpoint)(
        reactor, port, interface=interface
    )
    listening: Deferred[ListeningPort] = endpoint.listen(site)  # type: ignore[no-untyped-call]  # Twisted's

    def report_port(listening: ListeningPort) -> ListeningPort:
        at = listening.getHost()
        host = f"[{at.host}]" if ":" in at.host else at.host
        _log.info(
            "metrics on http://%s:%s/metrics, health on /health, ladder and news on /ladder.json, /news.json",
            host,
            at.port,
        )
        return listening

    def failed(failure: Failure) -> ListeningPort:
        error = failure.value
        if not isinstance(error, CannotListenError):
            failure.raiseException()
        raise CannotServe(
            f"Cannot listen on {interface}:{port} for metrics: {getattr(error, 'socketError', error)}; "
            "name another port with --metrics-port, or leave it out."
        )

    return listening.addCallbacks(report_port, failed)
