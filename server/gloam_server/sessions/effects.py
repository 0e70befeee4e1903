"""Requests of a session to its host: the only output of a session.

A valid message in the right phase is passed on unchanged; the host carries it out.
"""

from typing import TypeAlias

from msgspec import Struct

from gloam_shared.protocol.registry import FromClient, FromServer


class Send(Struct, frozen=True):
    """Send a message to the client."""

    message: FromServer


class BanForFlood(Struct, frozen=True):
    """The player has flooded the chat: they cannot join again for a while."""


class Close(Struct, frozen=True):
    """End the connection after the sent bytes are out, or after a second; `at_once` does not wait."""

    at_once: bool = False


Effect: TypeAlias = Send | Close | BanForFlood | FromClient
"""`Login`, `Resume` and `WatchLogin` are answered by `Session.login_checked`."""
