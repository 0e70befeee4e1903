"""The table of handlers names each message of a server, or says that only the connection takes it."""

from typing import get_args

from gloam_client.update import CONNECTION_ONLY, HANDLERS
from gloam_shared.protocol.registry import FromServer


def test_each_message_of_a_server_has_a_handler() -> None:
    assert set(HANDLERS) | CONNECTION_ONLY == set(get_args(FromServer))
    assert not set(HANDLERS) & CONNECTION_ONLY
