"""The tables of handlers name each message of a server, or say that only the connection takes it."""

from typing import get_args

from gloam_client.update import AFTER_VIEW, CONNECTION_ONLY, HANDLERS
from gloam_shared.protocol.registry import FromServer


def test_each_message_of_a_server_has_a_handler() -> None:
    handled = set(HANDLERS) | set(AFTER_VIEW)
    assert handled | CONNECTION_ONLY == set(get_args(FromServer))
    assert not handled & CONNECTION_ONLY
