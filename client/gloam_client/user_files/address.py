"""A server's host and port, parsed from what the user types. No network."""

from typing import Final, NamedTuple

from gloam_shared.protocol.invite_code import Ticket, read_ticket

PORT: Final = 7373
PORT_MAX: Final = 65_535


class Address(NamedTuple):
    """A server's address. Port 0 is none: the name of a place that is reached otherwise, such as by a door."""

    host: str
    port: int = PORT

    def __str__(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{host}:{self.port}" if self.port else host


class BadAddress(ValueError):
    """The input is no address; the text says how to correct it."""


def parse_invitation(text: str) -> tuple[Address, Ticket]:
    """Parse an address, or an invitation: PLACE/CODE or PLACE/CODE.PIN. Raises BadAddress."""
    where, slash, rest = text.strip().partition("/")
    ticket = read_ticket(rest.strip()) if slash else Ticket("")
    if ticket is None:
        raise BadAddress(f'"{rest}" is no invite; copy the whole line that the host gave you.')
    return parse_address(where), ticket


def parse_address(text: str) -> Address:
    """Read HOST, HOST:PORT, [IPV6] or [IPV6]:PORT. Raises BadAddress with a sentence for people."""
    text = text.strip()
    if text.startswith("["):
        host, bracket, rest = text[1:].partition("]")
        if not bracket or rest == ":" or (rest and not rest.startswith(":")):
            raise BadAddress(f'"{text}" is no address; write an IPv6 address as [::1]:7373.')
        port = rest[1:]
    elif text.count(":") > 1:
        host, port = text, ""
    else:
        host, colon, port = text.partition(":")
        if colon and not port:
            raise BadAddress(f'"{text}" ends without a port; write {host} or {host}:{PORT}.')
    if not host or any(char.isspace() or not char.isprintable() for char in host):
        raise BadAddress(f'"{text}" is no address; write a host such as play.example.org or 127.0.0.1:7373.')
    if not port:
        return Address(host)
    if not (port.isascii() and port.isdigit() and 1 <= int(port) <= PORT_MAX):
        raise BadAddress(f'"{port}" is no port; a port is a number from 1 to 65535.')
    return Address(host, int(port))
