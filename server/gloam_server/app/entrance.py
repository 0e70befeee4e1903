"""The entrance of a server, built: in its own process, or with view processes."""

import os
from collections.abc import Callable
from dataclasses import dataclass

from gloam_server.app.campaign_files import pack, read_files
from gloam_server.app.config import Config
from gloam_server.app.file_limits import raise_file_limit
from gloam_server.app.listeners import Listeners, connection_limits
from gloam_server.app.server_parts import Outside, ServerOptions, build_server, build_turn_process, realm_name
from gloam_server.app.views.entrance_sockets import EntranceSockets
from gloam_server.app.views.view_entrance import StartViews, ViewEntrance
from gloam_server.engine.engine import Engine
from gloam_server.gateway.gateway import Gateway
from gloam_server.gateway.login.login_attempt import AccessRules
from gloam_server.link.link_messages import Setup
from gloam_server.net.connection_counts import ConnectionLimits
from gloam_server.net.reactor import ListeningPort, Reactor
from gloam_server.ops.entrance import Entrance
from gloam_server.world.transition.dungeon import Dungeon


@dataclass(frozen=True, slots=True)
class TurnStart:
    """The start of a turn process, which starts view processes by `views`.

    With a standby it has the `sockets` of its supervisor, and follows `epoch` others that died. Then the view processes of the
    last one still run, with their connections.
    """

    views: StartViews
    sockets: EntranceSockets | None = None
    epoch: int = 0


OnListening = Callable[[ListeningPort], None]


def build_alone(
    dungeon: Dungeon,
    outside: Outside,
    config: Config,
    version: str,
    reactor: Reactor,
    on_listening: OnListening,
) -> tuple[Engine, Gateway, Entrance]:
    """Return a server whose connections are in this process, and its entrance."""
    limits = raise_file_limit(config.connections_max, proxied=bool(config.proxies))
    parts = build_server(dungeon, outside, _options(config, connection_limits(config, limits), version))
    entrance = Listeners(config, reactor, parts.factory, parts.front, limits.proxied, on_listening)
    return parts.engine, parts.gateway, entrance


def build_with_views(
    dungeon: Dungeon,
    outside: Outside,
    config: Config,
    version: str,
    reactor: Reactor,
    start: TurnStart,
) -> tuple[Engine, Gateway, Entrance]:
    """Return a server whose connections are in view processes, and its entrance, which starts these."""
    parts = build_turn_process(dungeon, outside, _options(config, ConnectionLimits(), version), start.epoch)
    directory = outside.writer.directory
    name, files = realm_name(directory), directory.content(dungeon.campaign.digest)
    campaign = files or pack(read_files(config.campaign or dungeon.campaign.key))

    def setup(settings: bytes, first: int) -> Setup:
        guests = config.watch_guests
        return Setup(
            first,
            str(dungeon.seed),
            campaign,
            name,
            config.players_max,
            guests,
            settings,
            os.getpid(),
            has_standby=config.standby,
            listed=outside.realms is not None,
        )

    entrance = ViewEntrance(
        config, reactor, parts.links, start.views, setup, start.sockets, adopts=start.epoch > 0
    )
    return parts.engine, parts.gateway, entrance


def _options(config: Config, room: ConnectionLimits, version: str) -> ServerOptions:
    return ServerOptions(
        AccessRules(config.open, config.trusted),
        room,
        config.players_max,
        version,
        config.patience_ms,
        config.party_patience_max_ms,
        config.archive_days,
        config.one_life,
        config.watch_guests,
    )
