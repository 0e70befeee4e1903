"""What players have seen of a level: after every input each remembers the terrain that he sees."""

from gloam_server.world.level import Level


def remember(level: Level) -> None:
    """Write the terrain that each player sees now into what his life remembers."""
    size = level.width * level.height
    for body in level.players():
        known = level.memory.get(body.number)
        if known is None:
            known = level.memory[body.number] = bytearray(size)
        _write(known, level.terrain, level.sight(body))


def _write(known: bytearray, terrain: bytearray, seen: bytes) -> None:
    at = seen.find(1)
    while at >= 0:
        known[at] = terrain[at]
        at = seen.find(1, at + 1)
