"""Everything that the client knows of one life, for people to paste and for programs: plain values, and text from them.

Pure: it draws from the model alone, and all text of a server in it is clean.
"""

from typing import Any, Final

from gloam_client.render.panels.map_panel import MapWindow, draw_map
from gloam_client.screens.session.dead import DeathScreen
from gloam_client.screens.session.death_pages import forebear_words, recap_lines
from gloam_client.state.model import Model
from gloam_client.terminal.canvas import Canvas, Rect, wrap_text
from gloam_client.terminal.terrain_glyphs import GlyphSet
from gloam_shared.narration.rendering import depth_text, end_of_life, inventory_name
from gloam_shared.protocol.messages.lives import Died, Recap
from gloam_shared.text import clean
from gloam_shared.view.view import Stat, View

FORMAT: Final = 1
"""The version of the JSON; a field is only ever added."""
_LOG_LINES: Final = 50
_WIDTH: Final = 79
_STATS: Final = (
    Stat.LEVEL, Stat.EXPERIENCE, Stat.HP, Stat.HP_MAX, Stat.MANA, Stat.MANA_MAX, Stat.ATTACK, Stat.DEFENCE,
    Stat.SIGHT, Stat.SPEED, Stat.KILLS,
)  # fmt: skip


def character_dump(model: Model, agent: str) -> dict[str, Any]:
    """Return the life as plain values of JSON; `agent` names the client and its version."""
    view = model.view
    screen = next((screen for screen in model.screens if isinstance(screen, DeathScreen)), None)
    end = _end(screen.life, screen.recap, view) if screen is not None else None
    return {
        "format": FORMAT,
        "client": agent,
        "name": clean(model.name),
        "life": model.login.life,
        "campaign": model.world.campaign,
        "depth": screen.life.depth if screen is not None else view.place.depth,
        "place": clean(view.place.name),
        "end": end,
        "character": {stat.name.lower(): model.fact(stat) for stat in _STATS} if model.in_dungeon else {},
        "states": [clean(state.word) for state in view.states],
        "skills": [
            {"kind": clean(one.kind), "name": clean(one.name), "words": clean(one.words)}
            for one in view.skills
        ],
        "carried": [clean(inventory_name(item)) for item in view.inventory],
        "spells": [clean(spell.name) for spell in view.spells],
        "in_sight": [
            {"name": clean(one.name), "level": one.level, "health": one.hp, "health_max": one.hp_max}
            for one in view.creatures
            if one.cell != view.cell
        ],
        "log": [entry.text for entry in model.messages.entries[-_LOG_LINES:]],
        "map": map_rows(model),
    }


def dump_text(life: dict[str, Any]) -> str:
    """Return a dump as the text that players paste; lines have at most 79 characters, except the lines of the map."""
    state = f"life {life['life']}" if life["life"] else "a life"
    parts = [[f"{life['name']}, {state}, {life['campaign'] or 'Gloam'}  ({life['client']})"]]
    if life["end"] is not None:
        parts += [[f"{life['name']} {life['end']['words']}.", *life["end"]["life"]], life["end"]["recap"]]
        parts.append(_section("The line, the newest first", [each["words"] for each in life["end"]["line"]]))
    else:
        parts.append([f"Alive on depth {depth_text(life['depth'])}: {life['place']}."])
    parts.append(_section("Character", [_numbers(life["character"])] if life["character"] else []))
    parts.append(_section("Conditions", life["states"]))
    parts.append(_section("Chosen and won", [f"{one['name']}: {one['words']}" for one in life["skills"]]))
    parts.append(_section("Carried", life["carried"]))
    parts.append(_section("Spells", life["spells"]))
    seen = [
        f"{one['name']}, level {one['level']}, {one['health']}/{one['health_max']}"
        for one in life["in_sight"]
    ]
    parts.append(_section("In sight", seen))
    parts.append(_section("The last lines", life["log"]))
    text = "\n\n".join("\n".join(_wrapped(part)) for part in parts if part)
    shown = "\n".join(life["map"])
    return f"{text}\n\nThe map\n{shown}\n" if shown else f"{text}\n"


def map_rows(model: Model) -> list[str]:
    """Return the known part of the level in ASCII, without its empty edges."""
    view = model.view
    width, height = view.place.width, view.place.height
    canvas = Canvas(width, height)
    draw_map(
        MapWindow(canvas, Rect(0, 0, width, height), view, (0, 0), model.floor_items), glyphs=GlyphSet.ASCII
    )
    rows = [row.rstrip() for row in canvas.rows()]
    known = [at for at, row in enumerate(rows) if row]
    if not known:
        return []
    rows = rows[known[0] : known[-1] + 1]
    left = min(len(row) - len(row.lstrip()) for row in rows if row)
    return [row[left:] for row in rows]


def _end(life: Died, recap: Recap, last: View) -> dict[str, Any]:
    """Return the end of a life as plain values."""
    by = clean(life.by)
    return {
        "won": life.won,
        "by": by,
        "words": f"has won by {by}" if life.won else end_of_life(by),
        "level": life.level,
        "experience": life.experience,
        "turns": life.turns,
        "kills": life.kills,
        "life": [clean(words) for words in life.life],
        "recap": recap_lines(recap, last),
        "damage": [
            {"source": clean(each.source), "amount": each.amount, "blows": each.blows} for each in recap.damage
        ],
        "unused": [clean(name) for name in recap.unused],
        "lesson": clean(recap.lesson),
        "line": [
            {"name": clean(each.name), "depth": each.depth, "level": each.level, "turns": each.turns,
             "words": forebear_words(each)}
            for each in reversed(recap.line)
        ],
    }  # fmt: skip


def _numbers(character: dict[str, int]) -> str:
    return ", ".join(f"{name.replace('_', ' ')} {value}" for name, value in character.items())


def _section(title: str, lines: list[str]) -> list[str]:
    return [title, *(f"  {line}" for line in lines)] if lines else []


def _wrapped(lines: list[str]) -> list[str]:
    return [part for line in lines for part in wrap_text(line, _WIDTH)]
