"""The answers to what a player's client asks of the dungeon: the map of another level, a history, the chronicle."""

from gloam_server.views.projection import remembered_map
from gloam_server.views.texts.creature_history import history_message
from gloam_server.views.texts.news import greatest_lives, news_text
from gloam_server.views.texts.wanted import told_depths, wanted_marks, wanted_texts
from gloam_server.world.transition.dungeon import Dungeon
from gloam_shared.limits import NEWS_SHOWN_MAX
from gloam_shared.protocol.messages import records
from gloam_shared.protocol.registry import FromServer
from gloam_shared.view import run_length


def answer_of(dungeon: Dungeon, account: int, question: records.Question) -> FromServer:
    """Return the answer to a question of a player."""
    match question:
        case records.AskMapMemory(depth):
            return _map_memory(dungeon, account, depth)
        case records.AskHistory(handle):
            return _history(dungeon, account, handle)
        case records.AskChronicle():
            return _chronicle(dungeon)


def _map_memory(dungeon: Dungeon, account: int, depth: int) -> records.MapMemory:
    """Return a player's memory of the level at `depth`: a map without cells for a level never visited."""
    level, life = dungeon.levels.get(depth), dungeon.realm.lives.get(account)
    if level is None or life is None or life.number not in level.memory:
        return records.MapMemory(depth, 0, 0, b"")
    known = remembered_map(level, life.number)
    return records.MapMemory(
        depth,
        level.grid.width,
        level.grid.height,
        run_length.diff_values(bytes(len(known)), known, level.grid.width),
    )


def _history(dungeon: Dungeon, account: int, handle: int) -> records.History:
    """Return the history of a monster in a player's sight."""
    life = dungeon.realm.lives.get(account)
    if life is None or life.kept is not None:
        return records.History(handle)
    level = dungeon.levels[life.partition]
    body = level.creatures.get(life.number)
    return records.History(handle) if body is None else history_message(level, body, handle)


def _chronicle(dungeon: Dungeon) -> records.Chronicle:
    """Return the greatest lives, the named creatures, and the newest events."""
    realm = dungeon.realm
    told = told_depths(realm.events.entries)
    return records.Chronicle(
        greatest_lives(realm.chronicle),
        wanted_texts(realm.fame, dungeon.levels, told),
        tuple(news_text(event) for event in realm.events.entries[-NEWS_SHOWN_MAX:]),
        wanted_marks(realm.fame, dungeon.levels, told),
    )
