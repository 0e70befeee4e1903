"""Commands that only some servers know."""

from msgspec.structs import replace as changed

from gloam_client.state.client_effects import SendCommand
from gloam_shared.protocol.commands import Shout
from support.client.aiming_views import ready
from support.client.model_in_play import picture, playing, press


def test_a_shout_goes_to_a_server_that_knows_it() -> None:
    """The key sends the command where the server has the ability."""
    model = changed(base := playing(ready()), world=changed(base.world, abilities=frozenset({"shout"})))
    assert press(model, "!")[1] == [SendCommand(Shout())]


def test_older_server_gets_only_known_commands() -> None:
    """An unknown tag would end the connection, so the player reads why nothing happens."""
    model, wanted = press(playing(ready()), "!")
    assert wanted == []
    assert "This server is older and does not know this command; its host" in picture(model)
