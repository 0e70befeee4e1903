"""The code of this process, as far as processes that share a dungeon must agree."""

from importlib.metadata import version

from gloam_server.engine.recovery.replay import LIBRARIES
from gloam_server.link.link_messages import LINK_VERSION, Code
from gloam_server.world.transition.serialization import STATE_LAYOUT
from gloam_server.world.transition.version import RULES_VERSION


def own_code() -> Code:
    """Return the code of this process."""
    return Code(LINK_VERSION, RULES_VERSION, STATE_LAYOUT, LIBRARIES, version("gloam"))
