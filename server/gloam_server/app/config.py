"""Configuration: flags, then GLOAM_* variables, then realm.toml in the data folder, then defaults."""

import tomllib
from ipaddress import IPv4Network, IPv6Network, ip_network
from pathlib import Path
from typing import Annotated, Final

import msgspec
from msgspec import Meta, Struct

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
    open: bool = False
    trusted_networks: tuple[str, ...] = ()
    certificate: str | None = None
    key: str | None = None
    plain: bool = False


class Config(Struct, frozen=True):
    """Everything that a server needs to be told. `campaign` and `seed` are None where nobody said.

    `open` lets newcomers in without an invite; nobody in `trusted_networks` is counted. `certificate` and `key` are the
    host's own files, both or neither; `plain` takes unencrypted lines from other machines.
    """

    data: Path
    campaign: str | None
    seed: int | None
    listen: str
    port: int
    private: bool
    patience_ms: int
    players_max: int
    open: bool = False
    trusted_networks: tuple[IPv4Network | IPv6Network, ...] = ()
    certificate: Path | None = None
    key: Path | None = None
    plain: bool = False


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
    plain: bool | None = None,
) -> Config:
    """Return the whole configuration: what was given (by flag or variable), else realm.toml, else the default."""
    file = read_realm_file(data)
    certificate, key = certificate_files(data, file)
    return Config(
        data=data,
        campaign=campaign if campaign is not None else file.campaign,
        seed=seed if seed is not None else file.seed,
        listen=listen or file.listen or "127.0.0.1",
        port=next((each for each in (port, file.port) if each is not None), DEFAULT_PORT),
        private=private,
        patience_ms=file.patience_ms,
        players_max=file.players_max,
        open=bool(open_) or file.open,
        trusted_networks=_networks(data, file.trusted_networks),
        certificate=certificate,
        key=key,
        plain=bool(plain) or file.plain,
    )


def certificate_files(data: Path, file: RealmFile) -> tuple[Path, Path] | tuple[None, None]:
    """Return the host's own certificate and its key, if realm.toml names them. Raises ConfigError for one of the two."""
    if file.certificate and file.key:
        return data / file.certificate, data / file.key
    if file.certificate or file.key:
        has, lacks = ("certificate", "key") if file.certificate else ("key", "certificate")
        raise ConfigError(f"{data / _FILE} names a {has} but no {lacks}; name both, or neither.")
    return None, None


def _networks(data: Path, said: tuple[str, ...]) -> tuple[IPv4Network | IPv6Network, ...]:
    try:
        return tuple(ip_network(network) for network in said)
    except ValueError as error:
        raise ConfigError(
            f"{data / _FILE} has a network in trusted_networks that cannot be used: {error}; write 10.0.0.0/8."
        ) from error
