"""Configuration: flags, then GLOAM_* variables, then realm.toml in the data folder, then defaults.

A setting is a field of `Settings`; its value is checked here, from every source.
"""

import os
import re
import tomllib
from collections.abc import Callable, Collection, Iterable, Mapping
from difflib import get_close_matches
from ipaddress import IPv4Network, IPv6Network, ip_network
from pathlib import Path
from typing import Annotated, Any, Final, Literal, TypeAlias

import msgspec
from msgspec import Meta, Struct, inspect

from gloam_server.storage.store import PATIENT, LeaseTerms
from gloam_shared import limits
from gloam_shared.text import clean

DEFAULT_PORT: Final = 7373
DEFAULT_CAMPAIGN: Final = "gloam"
REALM_FILE: Final = "realm.toml"
WORLD_FILE: Final = "world.sqlite3"

Network: TypeAlias = IPv4Network | IPv6Network
Port: TypeAlias = Annotated[int, Meta(ge=0, le=65_535)]


class ConfigError(Exception):
    """A setting is invalid; the text is one sentence with its name, what was expected, and the solution."""


class PortTaken(ConfigError):
    """The address cannot be listened on."""


class Settings(Struct, frozen=True, kw_only=True):
    """The settings from realm.toml, overridden by options and variables. Times with `_ms` are in milliseconds.

    `campaign` and `seed` are None if they are not set. `open` lets new players join without an invite; addresses in
    `trusted_networks` have no limits; connections from `proxy_networks` begin with a PROXY header, and
    so do all those to `door_socket`, the path of a Unix socket for doors. `watch_guests` lets
    their visitors watch without a name. `archive_days` after its player was last seen a life goes
    out of memory, 0 for never. `certificate` and
    `key` are the host's own files, both or neither, relative to the data folder; `plain` accepts unencrypted
    connections from other machines. `views` is the number of view processes, 0 for one process; `standby` adds a process that takes over
    when the one dies that decides turns. Metrics and health are served on `metrics_port` of `metrics_listen`, if it is set.
    """

    campaign: str | None = None
    seed: Annotated[int, Meta(ge=0, le=2**63 - 1)] | None = None
    listen: str = "127.0.0.1"
    port: Port = DEFAULT_PORT
    views: Annotated[int, Meta(ge=0, le=32)] = 0
    standby: bool = False
    patience_ms: Annotated[int, Meta(ge=250, le=60_000)] = 2_000
    party_patience_max_ms: Annotated[int, Meta(ge=0, le=60_000)] = 12_000
    archive_days: Annotated[int, Meta(ge=0, le=36_500)] = 7
    players_max: Annotated[int, Meta(ge=1, le=1_000)] = 64
    loopback_exempt: bool = True
    connections_max: Annotated[int, Meta(ge=16, le=100_000)] = limits.CONNECTIONS_MAX
    open: bool = False
    trusted_networks: tuple[str, ...] = ()
    proxy_networks: tuple[str, ...] = ()
    door_socket: str | None = None
    watch_guests: bool = False
    certificate: str | None = None
    key: str | None = None
    plain: bool = False
    log_format: Literal["plain", "json"] = "plain"
    metrics_port: Port | None = None
    metrics_listen: str = "127.0.0.1"


class Config(Settings, frozen=True, kw_only=True):
    """The whole configuration of a server: the settings, the world's folder, and whether the server is private.

    `take_over` takes the world from a server that has it open and hangs; `exact_seed` founds a world by its seed alone;
    `one_life` lets one player live one life in it, as in a seed of the day. `store` is the address of a world in a cluster,
    None for the file in the folder, and `terms` how its lease is asked for.
    """

    data: Path
    private: bool
    trusted: tuple[Network, ...] = ()
    proxies: tuple[Network, ...] = ()
    take_over: bool = False
    exact_seed: bool = False
    one_life: bool = False
    store: str | None = None
    terms: LeaseTerms = PATIENT

    @property
    def world(self) -> Path | str:
        """The place of the world: its file, or its address in a cluster."""
        return self.data / WORLD_FILE if self.store is None else self.store

    @property
    def world_name(self) -> str:
        """The world's place in words, without a password."""
        return f"The world in {self.data}" if self.store is None else "The world in --store"


Where: TypeAlias = Callable[[str], str]
"""Returns the source of a setting, as the start of a sentence about it."""

_KINDS: Final = {field.name: field for field in inspect.type_info(Settings).fields}  # type: ignore[attr-defined]  # of a struct


def _option(key: str, variable: str | None = None) -> str:
    return variable or f"--{key.replace('_', '-')}"


def read_realm_file(data: Path) -> Settings:
    """Return the settings of realm.toml in the data folder, with defaults for the rest.

    Raises ConfigError.
    """
    said, where = _read(data)
    return _check_settings(said, where)


def resolve(
    data: Path, said: Mapping[str, object] = {}, *, private: bool, variables: Mapping[str, str] = {}
) -> Config:
    """Return the whole configuration: from options or variables, else realm.toml, else the defaults.

    `said` has None or "" for omitted settings; `variables` names the variable of each setting that came from
    one. Raises ConfigError for the first setting that cannot be used, or that contradicts another.
    """
    filed, in_file = _read(data)
    given = {key: value for key, value in said.items() if value not in (None, "")}

    def where(key: str) -> str:
        return _option(key, variables.get(key)) if key in given else in_file(key)

    settings = _check_settings(filed | given, where)
    _pair(settings, where)
    _agree(settings, filed.keys() | given.keys(), where)
    if private and settings.views:
        raise ConfigError(f"{where('views')}: a private server has no view processes; remove this.")
    return config_of(settings, data, private=private, where=where)


def config_of(settings: Settings, data: Path, *, private: bool = False, where: Where = _option) -> Config:
    """Return the configuration of checked settings. Raises ConfigError for networks that cannot be used."""
    return Config(
        data=data,
        private=private,
        trusted=_networks("trusted_networks", settings.trusted_networks, where),
        proxies=_proxies(settings.proxy_networks, where),
        **{name: getattr(settings, name) for name in Settings.__struct_fields__},
    )


def _read(data: Path) -> tuple[dict[str, Any], Where]:
    """Return the file's raw settings, and the function that names their source."""
    path = data / REALM_FILE
    try:
        text = path.read_text(encoding="utf-8-sig") if os.path.lexists(path) else ""
        said = tomllib.loads(text)
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise ConfigError(f"{path} cannot be read: {error}; correct it or remove it.") from error

    def where(key: str) -> str:
        begins = re.compile(rf"""\s*\[*\s*["']?{re.escape(key)}\b""")
        lines = [number for number, line in enumerate(text.splitlines(), 1) if begins.match(line)]
        return f"{path}, line {lines[0]}" if lines else str(path)

    return said, where


def _check_settings(said: Mapping[str, object], where: Where) -> Settings:
    for key, value in said.items():
        if key not in _KINDS:
            instead = meant(key, _KINDS) or f"there are {', '.join(_KINDS)}; "
            raise ConfigError(
                f'{where(key)}: there is no setting "{clean(key)}"; {instead}correct it or remove it.'
            )
        try:
            msgspec.convert({key: value}, Settings, strict=True)
        except msgspec.ValidationError:
            wanted = _describe_kind(_KINDS[key].type)
            raise ConfigError(f"{where(key)}: {key} must be {wanted}; correct it or remove it.") from None
    return msgspec.convert(dict(said), Settings, strict=True)


def meant(name: str, known: Iterable[str]) -> str:
    """Return the most similar known name as the start of a hint, or ""."""
    near = get_close_matches(name, list(known), n=1, cutoff=0.7)
    return f"did you mean {near[0]}? If not, " if near else ""


def _describe_kind(kind: inspect.Type) -> str:
    """Return the expected type of a setting in words."""
    match kind:
        case inspect.UnionType(types=types):
            return _describe_kind(next(each for each in types if not isinstance(each, inspect.NoneType)))
        case inspect.IntType(ge=least, le=most):
            return f"a whole number from {least} to {most}"
        case inspect.BoolType():
            return "true or false"
        case inspect.StrType():
            return "a text in quotes"
        case inspect.LiteralType(values=values):
            return " or ".join(f'"{value}"' for value in values)
        case inspect.VarTupleType(item_type=item):
            return f"a list in brackets, each {_describe_kind(item)}"
        case _:
            raise TypeError(f"there are no words for a setting of {kind}")


def _pair(settings: Settings, where: Where) -> None:
    """Raise ConfigError unless a certificate and its key are both set, or neither is."""
    for has, lacks in (("certificate", "key"), ("key", "certificate")):
        if getattr(settings, has) and not getattr(settings, lacks):
            raise ConfigError(f"{where(has)}: there is a {has} but no {lacks}; name both, or neither.")


def _networks(key: str, said: Iterable[str], where: Where) -> tuple[Network, ...]:
    try:
        return tuple(ip_network(each) for each in said)
    except ValueError as error:
        raise ConfigError(f'{where(key)}: {key} must be networks, such as "10.0.0.0/8": {error}.') from error


def _proxies(said: Iterable[str], where: Where) -> tuple[Network, ...]:
    """Return the networks of proxies. All addresses are none: then every client could name any address as its own."""
    proxies = _networks("proxy_networks", said, where)
    if any(not each.prefixlen for each in proxies):
        raise ConfigError(
            f"{where('proxy_networks')}: proxy_networks must not be all addresses; name those of your proxy alone."
        )
    return proxies


def _agree(settings: Settings, said: Collection[str], where: Where) -> None:
    """Refuse settings that are valid alone but not together."""
    if settings.standby and not settings.views:
        raise ConfigError(
            f"{where('standby')}: a standby needs view processes; set views, too, or remove this."
        )
    if settings.standby and not hasattr(os, "pidfd_open"):
        raise ConfigError(f"{where('standby')}: a standby needs Linux; remove this.")
    if "metrics_listen" in said and settings.metrics_port is None:
        raise ConfigError(
            f"{where('metrics_listen')}: metrics_listen needs metrics_port; set that too, or remove this."
        )
    if settings.metrics_port and settings.metrics_port == settings.port:
        raise ConfigError(
            f"{where('metrics_port')}: metrics_port {settings.port} is the port of the game itself; name another."
        )
