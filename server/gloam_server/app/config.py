"""Configuration: flags, then GLOAM_* variables, then realm.toml in the data folder, then defaults."""

import tomllib
from ipaddress import IPv4Network, IPv6Network, ip_network
from pathlib import Path
from typing import Annotated, Final

import msgspec
from msgspec import Meta, Struct

from gloam_shared import limits

DEFAULT_PORT: Final = 7373
DEFAULT_CAMPAIGN: Final = "gloam"
_FILE: Final = "realm.toml"


class ConfigError(Exception):
    """A setting cannot be used; the text is one sentence naming it, what was expected, and the mend."""


class RealmFile(Struct, frozen=True, forbid_unknown_fields=True):
    """What realm.toml may say. Times are in milliseconds."""

    campaign: str | None = None
    seed: Annotated[int, Meta(ge=0, le=2**63 - 1)] | None = None
    listen: str | None = None
    port: Annotated[int, Meta(ge=0, le=65_535)] | None = None
    patience_ms: Annotated[int, Meta(ge=250, le=60_000)] = 2_000
    players_max: Annotated[int, Meta(ge=1, le=1_000)] = 64
    connections_max: Annotated[int, Meta(ge=16, le=100_000)] = limits.CONNECTIONS_MAX
    open: bool = False
    trusted_networks: tuple[str, ...] = ()


class Config(Struct, frozen=True):
    """Everything that a server needs to be told. `campaign` and `seed` are None where nobody said.

    `open` lets newcomers in without an invite; nobody in `trusted_networks` is counted.
    """

    data: Path
    campaign: str | None
    seed: int | None
    listen: str
    port: int
    private: bool
    patience_ms: int
    players_max: int
    connections_max: int = limits.CONNECTIONS_MAX
    open: bool = False
    trusted_networks: tuple[IPv4Network | IPv6Network, ...] = ()


def read_realm_file(data: Path) -> RealmFile:
    """Return what realm.toml in the data folder says; an absent file says nothing. Raises ConfigError."""
    path = data / _FILE
    try:
        raw = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return RealmFile()
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise ConfigError(f"{path} cannot be read: {error}; mend it or remove it.") from error
    try:
        return msgspec.convert(raw, RealmFile, strict=True)
    except msgspec.ValidationError as error:
        raise ConfigError(
            f"{path} has a setting that cannot be used: {error}; mend it or remove it."
        ) from error


def resolve(
    data: Path,
    campaign: str | None,
    seed: int | None,
    listen: str | None,
    port: int | None,
    *,
    private: bool,
    open_: bool | None = None,
) -> Config:
    """Return the whole configuration: what was given (by flag or variable), else realm.toml, else the default."""
    file = read_realm_file(data)
    return Config(
        data=data,
        campaign=campaign if campaign is not None else file.campaign,
        seed=seed if seed is not None else file.seed,
        listen=listen or file.listen or "127.0.0.1",
        port=next((each for each in (port, file.port) if each is not None), DEFAULT_PORT),
        private=private,
        patience_ms=file.patience_ms,
        players_max=file.players_max,
        connections_max=file.connections_max,
        open=bool(open_) or file.open,
        trusted_networks=_networks(data, file.trusted_networks),
    )


def _networks(data: Path, said: tuple[str, ...]) -> tuple[IPv4Network | IPv6Network, ...]:
    try:
        return tuple(ip_network(network) for network in said)
    except ValueError as error:
        raise ConfigError(
            f"{data / _FILE} has a network in trusted_networks that cannot be used: {error}; write 10.0.0.0/8."
        ) from error
