"""Bots: players made of code. They use the real commands and know only what their view holds."""

from gloam_server.bots.adventurer import Adventurer
from gloam_server.bots.walker import Walker

__all__ = ["Adventurer", "Walker"]
