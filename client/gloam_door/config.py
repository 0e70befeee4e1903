"""The configuration of a door: options, then GLOAM_DOOR_* variables, then door.toml in its data folder, then defaults."""

import os
import tomllib
from collections.abc import Mapping
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network
from pathlib import Path
from typing import Annotated, Any, Final, TypeAlias
from urllib.parse import urlsplit

import msgspec
from msgspec import Meta, Struct

from gloam_client.user_files.address import Address, BadAddress, parse_address
from gloam_door.upstream import SocketUpstream, TlsUpstream, Upstream

FILE: Final = "door.toml"
_PREFIX: Final = "GLOAM_DOOR_"
Network: TypeAlias = IPv4Network | IPv6Network
_Port = Annotated[int, Meta(ge=0, le=65_535)]


class ConfigError(Exception):
    """A setting is invalid; the text is one sentence with its name, what was expected, and the solution."""


class Settings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The settings of a door.

    `server` is the path of the game server's door socket, or HOST:PORT with the `pin` of its key. Browsers are served on
    `port` of `listen`, ssh on `ssh_port`, None for no ssh. `origins` are the addresses at which browsers find this door,
    such as "https://play.example.org". `certificate` and `key` are files for TLS. The last entry of X-Forwarded-For
    counts from `trusted_proxies` alone, which are addresses or networks. `visits_max` is the limit of all visits,
    `visits_per_address_max` the limit of one address. Metrics and health are served on `metrics_port` of `metrics_listen`, if it is set.
    """

    server: str = ""
    pin: str = ""
    listen: str = "127.0.0.1"
    port: _Port = 8080
    ssh_port: _Port | None = 2222
    origins: tuple[str, ...] = ()
    certificate: str | None = None
    key: str | None = None
    trusted_proxies: tuple[str, ...] = ()
    metrics_port: _Port | None = None
    metrics_listen: str = "127.0.0.1"
    visits_max: Annotated[int, Meta(ge=1, le=10_000)] = 200
    visits_per_address_max: Annotated[int, Meta(ge=1, le=10_000)] = 8


def resolve(data: Path, said: Mapping[str, Any], variables: Mapping[str, str]) -> Settings:
    """Return the settings of a door. Raises ConfigError."""
    path = data / FILE
    try:
        values = tomllib.loads(path.read_text(encoding="utf-8-sig")) if path.exists() else {}
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise ConfigError(f"{path} cannot be read: {error}; correct it or remove it.") from error
    values |= {
        name.removeprefix(_PREFIX).lower(): _listed(name, text)
        for name, text in variables.items()
        if name.startswith(_PREFIX) and text
    }
    values |= {key: value for key, value in said.items() if value not in (None, "", ())}
    values.pop("data", None)
    try:
        settings = msgspec.convert(values, Settings, strict=False)
    except msgspec.ValidationError as error:
        raise ConfigError(
            f"The settings of this door are not valid: {error}; correct them in {path}."
        ) from error
    _check(settings)
    return settings


def upstream_of(settings: Settings) -> Upstream:
    """Return the way to the game server. Raises ConfigError."""
    if "/" in settings.server:
        return SocketUpstream(Path(settings.server))
    try:
        return TlsUpstream(parse_address(settings.server), settings.pin)
    except BadAddress as error:
        raise ConfigError(f"server: {error}") from error


def address_of(settings: Settings) -> Address:
    """Return the name of the game server for a visitor: the host of the door, without a port."""
    host = urlsplit(settings.origins[0]).hostname if settings.origins else settings.listen
    return Address(host or "localhost", 0)


def origins_of(settings: Settings, port: int) -> tuple[str, ...]:
    """Return the origins whose pages may play here: from the settings, or this machine's own."""
    scheme = "https" if settings.certificate else "http"
    return settings.origins or tuple(f"{scheme}://{host}:{port}" for host in ("localhost", "127.0.0.1"))


def proxies_of(settings: Settings) -> tuple[Network, ...]:
    """Return the networks of the trusted proxies. Raises ValueError."""
    return tuple(ip_network(proxy) for proxy in settings.trusted_proxies)


def _listed(name: str, text: str) -> object:
    return (
        text.replace(",", " ").split()
        if name.removeprefix(_PREFIX) in ("ORIGINS", "TRUSTED_PROXIES")
        else text
    )


def _check(settings: Settings) -> None:
    """Refuse settings that contradict each other, or that would send secrets unencrypted."""
    if not settings.server:
        raise ConfigError(
            "server: name the game server's door socket, such as --server ./dungeon/door.sock, or HOST:PORT with --pin."
        )
    if "/" not in settings.server and not settings.pin:
        raise ConfigError("pin: a server at HOST:PORT needs the pin that `gloam-server status` shows there.")
    if bool(settings.certificate) != bool(settings.key):
        raise ConfigError("certificate and key: name both, or neither.")
    try:
        listens = ip_address(settings.listen)
        ip_address(settings.metrics_listen)
        proxies = proxies_of(settings)
    except ValueError as error:
        raise ConfigError(
            f"listen, metrics_listen and trusted_proxies are addresses, such as 127.0.0.1 (proxies may be networks): {error}."
        ) from error
    behind_tls = settings.certificate or (
        proxies and all(each.startswith("https://") for each in settings.origins)
    )
    if not (listens.is_loopback or (behind_tls and settings.origins) or _is_for_this_machine(settings)):
        raise ConfigError(
            f"listen: on {settings.listen} this door needs TLS: a certificate and a key, or a proxy such as Caddy in front, "
            'with trusted_proxies, and origins such as ["https://play.example.org"].'
        )


def _is_for_this_machine(settings: Settings) -> bool:
    """Return whether only pages of this machine's own address may play, as in a container with a port on loopback."""
    hosts = [urlsplit(origin).hostname for origin in settings.origins]
    return bool(hosts) and all(host in ("localhost", "127.0.0.1") for host in hosts)


def read_variables() -> dict[str, str]:
    """Return the variables of the environment that configure a door."""
    return {name: text for name, text in os.environ.items() if name.startswith(_PREFIX)}
