"""The stand-in server, for tests of whole clients."""

from support.client.fake_dungeon import dungeon

__all__ = ("dungeon",)
