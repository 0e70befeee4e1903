"""Descriptions of cells and items in words and numbers, for looking, aiming and examining. Pure.

The order follows rule JG.22: items before creatures. For places that are only remembered it describes the terrain
and the remembered items.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from gloam_client.render.panels.map_panel import glyph
from gloam_client.state.map.landmarks import where
from gloam_shared.appearance import TERRAIN_LOOKS, Terrain
from gloam_shared.narration.rendering import capital, depth_text, grown_words, with_article
from gloam_shared.protocol.messages.records import History
from gloam_shared.text import clean
from gloam_shared.view.danger import Danger, danger_of_fight, danger_together
from gloam_shared.view.downed import turns_down, turns_left_words
from gloam_shared.view.menace import DamageKind, Menace
from gloam_shared.view.surfaces import SurfaceFlag, SurfaceLook, surface_at
from gloam_shared.view.view import (
    Creature,
    CreatureFlag,
    FloorItem,
    InventoryItem,
    Item,
    ItemFlag,
    Stat,
    View,
)

_DAMAGE_WORDS: Final = ("blows", "fire", "cold", "venom", "light")
"""The kinds of damage in words, by `DamageKind`."""
_WORTH_A_WORD: Final = 20
"""The resistance or weakness, in percent, from which a description names it."""
_NOTHING: Final[Mapping[int, Item]] = MappingProxyType({})


def describe_cell(
    view: View,
    cell: int,
    damage: str = "excess",
    named: tuple[str, ...] = (),
    lying: Mapping[int, Item] = _NOTHING,
) -> list[str]:
    """Return what the player knows of a cell: first how they know it, last where it is.

    `named` are the campaign's own words for terrain, by its numbers (rule TG.3); `lying` is the remembered
    pile on the cell.
    """
    terrain = terrain_at(view, cell)
    lines = [f"{_knowing(view, cell, terrain)} {_offset(view, cell)}:"]
    if cell == view.cell and view.pile:
        lines.append(describe_pile(view.pile))
    else:
        items = [item for item in view.items if item.cell == cell]
        lines += [describe_item(item) for item in items]
        if cell in lying and not items:
            lines.append(f"{describe_item(lying[cell])} You last saw it like this.")
    lines += [
        describe_creature(creature, view, damage) for creature in view.creatures if creature.cell == cell
    ]
    if terrain is Terrain.UNKNOWN:
        lines.append("(unknown) You have not seen this place.")
    else:
        lines.append(f"{capital(_terrain_here(view, terrain, named))}.")
        if terrain is Terrain.SHRINE:
            lines.append("A turn of waiting on it makes you whole, once in a life.")
    surface = surface_at(view.surface_looks, view.surfaces, cell)
    if surface is not None:
        lines.append(describe_surface(surface))
    return [*lines, where(view, cell)]


def describe_surface(look: SurfaceLook) -> str:
    """Return a surface in words: what it does, and the health that it takes."""
    harm = ""
    if look.harm:
        when = "when it breaks" if look.marks & SurfaceFlag.BREAKS else "a turn"
        kind = f" by {_DAMAGE_WORDS[look.deals]}" if 0 < look.deals < len(_DAMAGE_WORDS) else ""
        harm = f" It takes {look.harm} health{kind} {when}."
    return f"{capital(clean(look.name))}. {clean(look.words)}{harm}"


def terrain_at(view: View, cell: int) -> Terrain:
    """Return the known terrain of a cell; a number unknown to this client gives UNKNOWN."""
    return Terrain(view.terrain[cell]) if view.terrain[cell] in list(Terrain) else Terrain.UNKNOWN


def describe_terrain(terrain: Terrain, named: tuple[str, ...]) -> str:
    """Return a terrain's name with its article: the campaign's own, or the common one (rule TG.3)."""
    own = named[terrain] if terrain < len(named) else ""
    return own or TERRAIN_LOOKS[terrain].words


def _terrain_here(view: View, terrain: Terrain, named: tuple[str, ...]) -> str:
    """Return a terrain's name on this level: a place with a look of its own may be no cave."""
    words = describe_terrain(terrain, named)
    return words if view.place.look is None or words in named else words.replace("cave ", "")


def describe_creature(creature: Creature, view: View, damage: str = "excess") -> str:
    """Return a creature in words: kind and strength (rule JG.22), relation to the player, and danger."""
    marks = creature.marks
    name = clean(creature.name)
    facts = (
        f"level: {creature.level}, attack: {creature.attack}, defense: {creature.defence}, "
        f"hp: {creature.hp}/{creature.hp_max}"
    )
    if marks & CreatureFlag.SELF:
        return f"You, {name} ({facts})."
    line = f"{glyph(creature.glyph)} - {capital(with_article(name))} ({facts})"
    if marks & CreatureFlag.PLAYER and not marks & CreatureFlag.HOSTILE:
        left = turns_down(marks)
        return f"{line}, a player{f', down: {turns_left_words(left)}' if left else ''}{_absence(marks)}."
    temper = ["a player"] if marks & CreatureFlag.PLAYER else []
    temper.append("hostile" if marks & CreatureFlag.HOSTILE else peaceful_words(marks))
    if marks & CreatureFlag.ASLEEP:
        temper.append("asleep")
    if marks & CreatureFlag.HOLDS_YOU:
        temper.append("after you")
    if creature.grown > 0:
        temper.append(grown_words(creature.grown))
    line = f"{line}, {', '.join(temper)}."
    if not marks & CreatureFlag.HOSTILE:
        return line
    together = danger_together(view.creatures, view, damage) if marks & CreatureFlag.HOLDS_YOU else ""
    return " ".join(
        [
            line,
            describe_danger(danger_of_fight(creature, view, damage)),
            *([f"With all that are after you: {together}."] if together else []),
            *_resistance_words(creature, view),
        ]
    )


def peaceful_words(marks: int) -> str:
    """Return what a creature that is no enemy is to the player."""
    if marks & CreatureFlag.PLAYER:
        return "a player"
    return "on your side" if marks & CreatureFlag.ALLY else "peaceful"


def _resistance_words(creature: Creature, view: View) -> list[str]:
    """Return what changes the damage of both sides by its kind, as far as it is worth a word."""
    menace = creature.menace or Menace()
    yours, its = view.fact(Stat.DEALS), {menace.deals, *({menace.magic_deals} if menace.magic else ())}
    told = [
        _resisted(f"Your {_DAMAGE_WORDS[yours]}", "it", menace.resists[yours : yours + 1])
        if yours in range(len(DamageKind))
        else ""
    ]
    told += [
        _resisted(f"Its {_DAMAGE_WORDS[kind]}", "you", (view.fact(Stat.RESISTS_BLOW + kind),))
        for kind in sorted(its)
        if kind in range(len(DamageKind))
    ]
    return [words for words in told if words]


def _resisted(subject: str, target: str, percents: tuple[int, ...]) -> str:
    """Return how a resistance changes damage: "Your fire hurts it less."; "" for a small one."""
    percent = percents[0] if percents else 0
    if abs(percent) < _WORTH_A_WORD:
        return ""
    verb = "hurt" if subject.endswith("blows") else "hurts"
    return f"{subject} {verb} {target} {'less' if percent > 0 else 'more'}."


def history_words(history: History) -> list[str]:
    """Return the history of a monster: when and at which level it arrived, its kills, its learned traits."""
    if not history.level:
        return []
    where = f"depth {depth_text(max(history.born_depth, 1))}"
    came = f"It came with {where}" if history.born_turn == 0 else f"It came to be on {where}"
    when = f" in turn {history.born_turn} there" if history.born_turn > 0 else ""
    lines = [clean(power) for power in history.powers]
    lines.append(f"{came}{when}, at level {history.born_level}.")
    killed = [f"{history.kills} creature{'' if history.kills == 1 else 's'}"] if history.kills else []
    if history.victim_count:
        names = ", ".join(clean(name) for name in history.victims)
        players = f"{history.victim_count} player{'' if history.victim_count == 1 else 's'}"
        killed = [*killed, f"{players} among them: {names}" if names else f"{players} among them"]
    if killed:
        lines.append(f"It has killed {', '.join(killed)}.")
    if history.learned:
        lines.append(f"It has learned: {', '.join(clean(trait) for trait in history.learned)}.")
    return lines


def describe_danger(danger: Danger) -> str:
    """Return danger in words and numbers: "Deadly: it kills you in about 2 blows, you it in 9."."""
    yours = "you cannot hurt it" if danger.your_blows is None else f"you it in {danger.your_blows}"
    if danger.its_blows is None:
        hurts = "" if danger.your_blows is None else f"; you kill it in about {_blows(danger.your_blows)}"
        return f"Harmless: it has no attack{hurts}."
    return f"{capital(danger.word)}: it kills you in about {_blows(danger.its_blows)}, {yours}."


def _blows(count: int) -> str:
    return f"{count} blow{'' if count == 1 else 's'}"


def describe_item(item: Item | FloorItem) -> str:
    """Return a pile of items in words, by its top one (rule JG.22), or one item underfoot."""
    more = f", and {item.count - 1} more" if isinstance(item, Item) and item.count > 1 else ""
    return f"{glyph(item.glyph)} - {capital(_lying(item))}{more}."


def describe_pile(pile: tuple[FloorItem, ...]) -> str:
    """Return the items on the player's cell in words, the top one first."""
    return f"{capital(', '.join(_lying(item) for item in reversed(pile)))}."


def _lying(item: Item | FloorItem) -> str:
    """Return a floor item with its article, and whether it is worth picking up."""
    room = "; no room" if item.traits & ItemFlag.NO_ROOM else ""
    worth = f" (worth picking up{room})" if item.traits & ItemFlag.WORTH else ""
    return f"{with_article(clean(item.name))}{worth}"


def describe_inventory_item(item: InventoryItem) -> list[str]:
    """Return everything known about an inventory item (rules JG.21, TG.29)."""
    details = [f"{word} {n:+}" for word, n in _strengths(item) if n]
    if item.traits & ItemFlag.EDIBLE:
        details.append(f"food {item.food}")
    inside = f" ({', '.join(details)})" if details else ""
    sentences = [f"It's {with_article(clean(item.name))}{inside}.", clean(item.words)]
    if item.count > 1:
        verbs = ("belongs", "is") if item.bound == 1 else ("belong", "are")
        words = f"; {item.bound} of them {verbs[0]} to your life alone, and {verbs[1]} used first"
        bound = words if item.bound else ""
        sentences.insert(1, f"You carry {item.count} of them{bound}.")
    if item.traits & ItemFlag.READABLE and item.target:
        sentences.append(f"When read it works {describe_aim(item.target, item.range, item.radius)}.")
    if item.traits & ItemFlag.ZAPPABLE:
        sentences += _describe_wand(item)
    said = (
        (ItemFlag.SHOOTS, "It shoots while you wield it."),
        (ItemFlag.WIELDED, "You are wielding it."),
        (ItemFlag.WORN, "You are wearing it."),
        (ItemFlag.PUT_ON, "You have it on: it works as long as it is on."),
        (ItemFlag.USABLE, "It is the prize."),
        (ItemFlag.BOUND, "It is bound to you and worth nothing to others."),
    )
    sentences += [words for trait, words in said if item.traits & trait]
    return [words for words in sentences if words]


def _describe_wand(item: InventoryItem) -> list[str]:
    """Return how a wand works and how many charges are left; only for an identified one."""
    if not item.target:
        return ["What it does is unknown until it is zapped."]
    left = f"{item.charges} charge{'' if item.charges == 1 else 's'} left"
    return [
        f"When zapped it works {describe_aim(item.target, item.range, item.radius)}.",
        f"It has {left}; with the last one it crumbles.",
    ]


def _strengths(item: InventoryItem) -> tuple[tuple[str, int], ...]:
    """Return what an item adds to blows, throws, shots and defense."""
    # In rltut every thrown item has attack 1, which says nothing about an item.
    thrown = item.thrown if item.thrown > 1 else 0
    return ("attack", item.attack), ("thrown", thrown), ("ranged", item.ranged), ("defense", item.defence)


def describe_aim(target: str, cells: int, radius: int) -> str:
    """Return an aim in words, such as "at a cell within 6, blast 3"."""
    aim = "on yourself" if target in ("", "self") else f"at a {clean(target)} within {cells}"
    return f"{aim}, blast {radius}" if radius else aim


def _knowing(view: View, cell: int, terrain: Terrain) -> str:
    if view.sight[cell]:
        return "You see"
    return "At" if terrain is Terrain.UNKNOWN else "You recall"


def _offset(view: View, cell: int) -> str:
    """Return a cell's offset from the player: [+2,-1] is two east and one north (rule RG.25)."""
    y, x = divmod(cell, view.place.width)
    own_y, own_x = divmod(view.cell, view.place.width)
    return f"[{x - own_x:+},{y - own_y:+}]"


def _absence(marks: int) -> str:
    if marks & CreatureFlag.CUT_OFF:
        return ", cut off"
    return ", away" if marks & CreatureFlag.AWAY else ""
