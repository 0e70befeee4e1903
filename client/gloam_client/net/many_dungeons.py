"""The end of a conversation in which the host has shown several dungeons: the player chooses one."""

from typing import Final

from gloam_shared.protocol.messages.dungeons import Dungeons


class ManyDungeons(Exception):
    """The host has several dungeons, and nothing was sent after their list."""

    def __init__(self, found: Dungeons) -> None:
        super().__init__()
        self.found: Final = found
