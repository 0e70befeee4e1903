"""The character sheet: every number of the player's body, what it means, and where it comes from. Costs no time."""

from dataclasses import dataclass
from typing import Final

from gloam_client.input import keymap
from gloam_client.render.layout import layout
from gloam_client.screens.common.keyed_screen import PagedScreen
from gloam_client.screens.common.window import draw_pages
from gloam_client.state.client_effects import WriteDump
from gloam_client.state.model import Model, Update
from gloam_client.terminal.canvas import Canvas, wrap_text
from gloam_shared.narration.rendering import HUNGER_WORDS, capital, depth_text, inventory_name, list_names
from gloam_shared.text import cells, clean
from gloam_shared.view.view import Hunger, InventoryItem, ItemFlag, Stat

_NORMAL_SPEED: Final = 1_000
_USED: Final = ItemFlag.WIELDED | ItemFlag.WORN | ItemFlag.PUT_ON
_DAMAGE: Final = {
    "excess": "An attack does 1 to attack minus defense in damage, at least 1.",
    "ratio": "An attack does about attack minus defense in damage if attack is twice defense, else less; one in ten misses.",
}
_TROPHIES: Final = 3
"""The most trophies of a line in its title."""
_SKILLS: Final = {"kit": "Kit", "bent": "Bent", "trait": "Card", "trophy": "Trophy"}
_HUNGERS: Final = {
    Hunger.NOT_HUNGRY: "you need not eat now.",
    Hunger.HUNGRY: "eat soon.",
    Hunger.VERY_HUNGRY: "eat now: it gets worse, and resting does not heal you.",
    Hunger.FAMISHED: "eat now: it gets worse, and resting does not heal you.",
    Hunger.STARVING: "you die if you do not eat.",
    Hunger.FULL: "you need not eat for a long time.",
    Hunger.OVERSATIATED: "do not eat: more food kills you.",
    Hunger.STUFFED: "do not eat: more food harms you.",
}


@dataclass(frozen=True, slots=True)
class Sheet(PagedScreen):
    """The sheet, with its scroll position."""

    first: int = 0
    state: str = "sheet"

    def on_key(self, model: Model, key: str) -> Update:
        """Scroll, write the sheet to a file, or go back to the game."""
        match keymap.intent(model.options.keys, self.state, key):
            case "dump":
                return Update(intents=(WriteDump(),))
            case other:
                return self.answer_pages(model, other, key, _lines(model))

    def draw(self, model: Model, canvas: Canvas) -> None:
        """Draw the sheet over the map."""
        draw_pages(canvas, model, _title(model), _lines(model), self.first)

    def hints(self, model: Model) -> list[tuple[str, str]]:
        """Return the keys of the sheet."""
        return self.hints_of(model, _lines(model), "dump", "help", "back")


def _title(model: Model) -> str:
    """Return name and level, and the newest trophies of the line, as far as there is room for them."""
    title = f"{clean(model.name)}, level {model.fact(Stat.LEVEL)}"
    won = [clean(one.name) for one in model.view.skills if one.kind == "line"]
    room = layout(*model.surface.size).overlay.width - 6
    for count in range(min(len(won), _TROPHIES), 0, -1):
        whole = f"{title}, with {list_names(won[-count:])}"
        if cells(whole) <= room:
            return whole
    return title


def explain(model: Model) -> list[tuple[str, str]]:
    """Return the sheet as (number, meaning)."""
    rows = [
        _health(model),
        *_mana(model),
        *_skills(model),
        _strength(model, "Attack", Stat.ATTACK, "the strength of your attacks"),
        _strength(model, "Defense", Stat.DEFENCE, "how much it reduces the damage of attacks on you"),
        ("", _DAMAGE.get(model.world.damage, "")),
        *_reach(model),
        (f"Sight {model.fact(Stat.SIGHT)}", "The number of cells that you see, where there is light."),
        *_speed(model),
        _experience(model),
        *_points(model),
        *_hunger(model),
        *_gear(model),
        *_ring(model),
        *_states(model),
        (
            f"Kills {model.fact(Stat.KILLS)}",
            f"Life {max(model.login.life, 1)}, now on depth {depth_text(model.view.place.depth)}.",
        ),
    ]
    return [row for row in rows if any(row)]


def _lines(model: Model) -> list[str]:
    rows = explain(model)
    left = max(len(number) for number, _ in rows)
    width = layout(*model.surface.size).overlay.width - left - 6
    return [
        f"{number if at == 0 else '':{left}}  {line}"
        for number, words in rows
        for at, line in enumerate(wrap_text(words, width))
    ]


def _health(model: Model) -> tuple[str, str]:
    hp, most = model.fact(Stat.HP), model.fact(Stat.HP_MAX)
    key = keymap.key_for(model.options.keys, "play", "fight")
    return f"Health {hp}/{most}", f"At 0 you die. Below {(most + 1) // 2} {key} does not fight for you."


def _mana(model: Model) -> list[tuple[str, str]]:
    most = model.fact(Stat.MANA_MAX)
    if most <= 0:
        return []
    key = keymap.key_for(model.options.keys, "play", "cast")
    count = len(model.view.spells)
    use = (
        f"You know {count} spell{'s' if count > 1 else ''}: {key} casts."
        if count
        else "You know no spells yet."
    )
    return [(f"Mana {model.fact(Stat.MANA)}/{most}", f"Spells cost mana. {use}")]


def _strength(model: Model, word: str, fact: Stat, meaning: str) -> tuple[str, str]:
    """Return a strength with its parts: the bonus of equipment, and the rest from the body."""
    total = model.fact(fact)
    used = [item for item in model.view.inventory if item.traits & _USED]
    parts = [(clean(item.name), _gain(item, fact)) for item in used if _gain(item, fact)]
    own = total - sum(gain for _, gain in parts)
    lasting = " with lasting effects" if model.view.states else ""
    sources = [f"{own} of your own{lasting}", *(f"{gain:+} {name}" for name, gain in parts)]
    return f"{word} {total}", f"{meaning.capitalize()}: {', '.join(sources)}."


def _gain(item: InventoryItem, fact: Stat) -> int:
    return item.attack if fact is Stat.ATTACK else item.defence


def _reach(model: Model) -> list[tuple[str, str]]:
    reach = model.fact(Stat.REACH)
    shooter = next(
        (
            item
            for item in model.view.inventory
            if item.traits & ItemFlag.SHOOTS and item.traits & ItemFlag.WIELDED
        ),
        None,
    )
    if reach <= 0:
        return []
    name = f"Your {clean(shooter.name)} shoots" if shooter else "You shoot"
    key = keymap.key_for(model.options.keys, "play", "fire")
    return [(f"Reach {reach}", f"{name} this many cells far: {key} fires.")]


def _speed(model: Model) -> list[tuple[str, str]]:
    speed = model.fact(Stat.SPEED)
    if speed in (0, _NORMAL_SPEED):
        return []
    word = "faster" if speed > _NORMAL_SPEED else "slower"
    return [(f"Speed {speed * 100 // _NORMAL_SPEED} %", f"You act {word} than at 100 %.")]


def _experience(model: Model) -> tuple[str, str]:
    had, wanted = model.fact(Stat.EXPERIENCE), model.fact(Stat.NEXT_LEVEL_AT)
    level = model.fact(Stat.LEVEL)
    more = (
        f"{wanted - had} more for level {level + 1}; kills bring experience."
        if wanted > had
        else "There is no higher level."
    )
    return f"XP {had}/{wanted}", more


def _points(model: Model) -> list[tuple[str, str]]:
    points = model.fact(Stat.POINTS)
    key = keymap.key_for(model.options.keys, "play", "choose")
    return [(f"Points {points}", f"From new levels, still to be spent: {key} chooses.")] if points > 0 else []


def _skills(model: Model) -> list[tuple[str, str]]:
    """Return what the life has chosen and won, each with what it does; the title has the trophies of the line."""
    return [
        (_SKILLS.get(one.kind, ""), f"{capital(clean(one.name))}: {clean(one.words)}".removesuffix(": "))
        for one in model.view.skills
        if one.kind != "line"
    ]


def _hunger(model: Model) -> list[tuple[str, str]]:
    state = model.fact(Stat.HUNGER)
    if state not in list(Hunger):
        return []
    return [(HUNGER_WORDS[Hunger(state)].capitalize(), _HUNGERS[Hunger(state)].capitalize())]


def _gear(model: Model) -> list[tuple[str, str]]:
    gear = [clean(inventory_name(item)) for item in model.view.inventory if item.traits & _USED]
    carried = len(model.view.inventory)
    return [
        (
            f"Items {carried}",
            f"In use: {', '.join(gear) or 'none of them'}." if carried else "You carry nothing.",
        )
    ]


def _ring(model: Model) -> list[tuple[str, str]]:
    """Return the ring slot, once the player carries a ring."""
    rings = [item for item in model.view.inventory if item.traits & ItemFlag.RING]
    if not rings:
        return []
    worn = next((item for item in rings if item.traits & ItemFlag.PUT_ON), None)
    key = keymap.key_for(model.options.keys, "play", "put on")
    if worn is None:
        return [("No ring", f"You have a ring and have none on: {key} puts one on.")]
    return [("Wearing", f"{capital(clean(worn.name))}. {clean(worn.words)}".strip())]


def _states(model: Model) -> list[tuple[str, str]]:
    return [
        (clean(state.word).capitalize(), "It soon passes." if state.fading else "It passes with time.")
        for state in model.view.states
    ]
