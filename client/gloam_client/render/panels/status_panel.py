"""The top line, the status line and the line of keys: the state of the body, the turn and the connection."""

from typing import Final

from gloam_client.input import keymap
from gloam_client.input.key_table import HELP_WORD
from gloam_client.render.bars import bar_signs
from gloam_client.render.layout import layout
from gloam_client.state.model import Model
from gloam_client.terminal.canvas import (
    BADGE,
    BRIGHT,
    KEY,
    MARKED,
    PLAIN,
    QUIET,
    Canvas,
    Rect,
    Style,
    fit_text,
)
from gloam_client.terminal.kept_panel import keep
from gloam_shared.narration.rendering import HUNGER_WORDS, depth_text
from gloam_shared.text import cells, clean, pad
from gloam_shared.view.downed import turns_down, turns_left_words
from gloam_shared.view.view import CreatureFlag, Friend, Hunger, Stat

_AWAY: Final = int(CreatureFlag.AWAY)
_CUT_OFF: Final = int(CreatureFlag.CUT_OFF)
"""Plain numbers: a flag itself is slow to compare."""
UNANSWERED_MS: Final = 3_000
"""The time that a command may wait for its answer before the panel shows it."""
SILENT_MS: Final = 8_000
"""The time for which the connection may be silent before the panel shows it; heartbeats arrive every five seconds."""

_HUNGER_STATES: Final = frozenset(Hunger)
_HUNGER_STYLES: Final = {
    Hunger.HUNGRY: Style("orange", bold=True),
    Hunger.STARVING: Style("red", bold=True, reverse=True),
    Hunger.FULL: BRIGHT,
    Hunger.OVERSATIATED: Style("orange", bold=True),
    Hunger.VERY_HUNGRY: Style("orange", bold=True),
    Hunger.FAMISHED: Style("red", bold=True),
    Hunger.STUFFED: Style("orange", bold=True),
}

_HUNGER_MARKS: Final = {
    Hunger.VERY_HUNGRY: "!",
    Hunger.FAMISHED: "!!",
    Hunger.STARVING: "!!!",
    Hunger.OVERSATIATED: "!",
    Hunger.STUFFED: "!",
}
_MANA: Final = Style("blue", bold=True)
_STATE: Final = Style("cyan", bold=True)

_FLASH: Final = Style("red", bold=True, reverse=True)
"""The style of the health for a moment after a blow."""
NAMED_FROM: Final = 60
"""From this width on, the player's own name and the round trip are on the status line."""
_BAR: Final = 12
"""The number of signs of the health bar on the status line."""

_DEPTH: Final = "Depth "
CONDITIONS: Final = ("nearly dead", "badly hurt", "hurt", "scratched", "unhurt")


def draw_top(canvas: Canvas, area: Rect, model: Model) -> None:
    """Draw the level and the party, and on the right the state of the turn; a banner uses the whole line."""
    warning = banner(model)
    if warning:
        canvas.put(area.x, area.y, pad(f" ! {warning}", area.width), MARKED, area.x + area.width)
        return
    right = pace_words(model)
    end = area.x + area.width - cells(right) - 1
    canvas.put(end + 1, area.y, right, BRIGHT if model.pace.held else PLAIN)
    x = canvas.put(area.x, area.y, clean(model.view.place.name) or "Gloam", BRIGHT, end)
    beside = layout(*model.surface.size, model.view.place.width).side
    company = company_words(model, end - x) if beside is None else company_count(len(model.strangers))
    canvas.put(x, area.y, company, PLAIN, end)


def own_wounds(model: Model) -> tuple[int, bool]:
    """Return what the player has lost since their last command, and whether their health flashes now."""
    fights = model.fights
    return fights.lost_since(model.turn), model.fact(Stat.HANDLE) in fights.flashing(model.now_ms)


def _status_inputs(model: Model) -> object:
    view, connection = model.view, model.connection
    facts = view.sheet, view.states, view.choices, view.place.depth
    return (
        facts,
        own_wounds(model),
        connection.round_trip_ms,
        model.name,
        model.options.keys,
        model.surface.unicode,
    )


@keep(_status_inputs)
def draw_status(canvas: Canvas, area: Rect, model: Model) -> int:
    """Draw the numbers of the body, the badge of choices to make, and the round trip."""
    x, end = area.x - 1, area.x + area.width
    if area.width >= NAMED_FROM:
        ping = "" if model.connection.round_trip_ms is None else f"{model.connection.round_trip_ms} ms"
        end -= len(ping) + 1
        canvas.put(end + 1, area.y, ping, QUIET)
        x = canvas.put(area.x, area.y, clean(model.name), BRIGHT, end)
    for text, style in _fit_with_bar(model, end - x):
        x = canvas.put(x + 1, area.y, text, style, end)
    return area.y + 1


def _fit_with_bar(model: Model, room: int) -> list[tuple[str, Style]]:
    """Return the facts that fit, and after the health its bar where it takes the place of no other fact."""
    health, *rest = _facts(model)
    hp, most = model.fact(Stat.HP), model.fact(Stat.HP_MAX)
    lost, flashes = own_wounds(model)
    signs = bar_signs(hp, most, lost, _BAR, unicode=model.surface.unicode)
    bar = (signs if model.surface.unicode else f"[{signs}]", health[1]._replace(reverse=False))
    if flashes:
        health = (health[0], _FLASH)
    facts = [health, *rest]
    wanted = sum(cells(text) + 1 for text, _ in [*facts, bar])
    return [health, bar, *rest] if wanted <= room else fit_words(facts, room)


def company_count(count: int) -> str:
    """Return how many other players are in the dungeon, for a screen whose side panel names them; "" for none."""
    return f" with {count} other{'s' if count > 1 else ''}" if count else ""


def company_words(model: Model, room: int) -> str:
    """Return the other players in the dungeon who are not in the party, as many as fit whole, and the number of the rest."""
    strangers = model.strangers
    forms = [_unlike(friend, model) for friend in strangers], [clean(friend.name) for friend in strangers]
    for names in forms:
        for shown in range(len(names), 0, -1):
            more = [f"{len(names) - shown} more"] if shown < len(names) else []
            words = f" with {', '.join([*names[:shown], *more])}"
            if cells(words) < room:
                return words
    count = company_count(len(strangers))
    return count if cells(count) < room else ""


def fit_words(facts: list[tuple[str, Style]], room: int) -> list[tuple[str, Style]]:
    """Return as many facts as fit, health, status effects and depth before the rest, in their order."""
    ranks = [
        0 if text.startswith((_DEPTH, "HP ")) else 1 if style is not PLAIN else 2 for text, style in facts
    ]
    kept = []
    for at in sorted(range(len(facts)), key=ranks.__getitem__):
        room -= cells(facts[at][0]) + 1
        if room < 0:
            break
        kept.append(at)
    return [facts[at] for at in sorted(kept)]


@keep(tuple)
def draw_keys(canvas: Canvas, area: Rect, hints: list[tuple[str, str]]) -> int:
    """Draw the keys that are valid now, as many as fit whole."""
    for x, key, word in key_places(area, hints):
        canvas.put(x, area.y, key, KEY)
        canvas.put(x + len(key) + 1, area.y, word, PLAIN)
    return area.y + 1


def key_places(area: Rect, hints: list[tuple[str, str]]) -> list[tuple[int, str, str]]:
    """Return the column of each hint that fits whole, with its key and word; the key that lists all keys keeps its place."""
    widths = [len(key) + len(word) + 3 for key, word in hints]
    last = next((at for at, (_, word) in enumerate(hints) if word == HELP_WORD), None)
    kept = 0 if last is None or sum(widths) - 2 <= area.width else widths[last]
    x, places = area.x, []
    for at, (key, word) in enumerate(hints):
        kept = 0 if at == last else kept
        if x + widths[at] - 2 + kept > area.x + area.width:
            break
        places.append((x, key, word))
        x += widths[at]
    if kept and last is not None:
        places.append((x, *hints[last]))
    return places


def banner(model: Model) -> str:
    """Return a problem of the server or of the connection, or ""."""
    wire = model.connection
    if wire.state == "down":
        wait_s = max(wire.retry_ms - model.now_ms, 0) / 1_000
        away_s = (model.now_ms - wire.since_ms) // 1_000
        return f"No connection for {away_s} s; next try in {wait_s:.0f} s. {wire.text}"
    if wire.state == "joined" and (late_ms := silence_ms(model)):
        return f"No answer for {late_ms // 1_000} s."
    return model.server.notice


def silence_ms(model: Model) -> int:
    """Return for how long an answer or any message is overdue; 0 if none is."""
    wire = model.connection
    silent_ms = model.now_ms - wire.heard_ms
    if silent_ms >= SILENT_MS:
        return silent_ms
    at_work = model.pace.waiting or model.pace.plan
    if wire.unanswered_since_ms is None or at_work:
        return 0
    unanswered_ms = model.now_ms - wire.unanswered_since_ms
    return unanswered_ms if unanswered_ms >= UNANSWERED_MS else 0


def pace_words(model: Model) -> str:
    """Return the state of the turn in words; with reduced motion its seconds stand still."""
    pace = model.pace
    gone_ms = 0 if model.options.motion == "reduced" else model.now_ms - model.pace_ms
    left_s = -(-max(pace.ms - gone_ms, 0) // 1_000)
    if model.connection.state != "joined":
        return "joining" if model.connection.state == "joining" else ""
    if model.dead:
        return ""
    others = [clean(name) for name in pace.for_names if name != model.name]
    choosing = choice_words([clean(name) for name in pace.choosing if name != model.name], left_s)
    if pace.waiting and others:
        left = f", at most {left_s} s" if left_s else ""
        return choosing or f"waiting for {' and '.join(others)}{left}"
    if pace.waiting:
        return "waiting"
    if pace.held and model.name in pace.for_names:
        return f"they wait for you: {left_s} s" if left_s else "your move"
    if pace.plan:
        waits = f", {choosing or 'waiting for ' + ' and '.join(others)}" if others else ""
        return f"under way{waits}; Esc stops"
    if pace.held:
        return "something hunts you" if model.hunted else "your move"
    return "at ease"


def choice_words(names: list[str], left_s: int) -> str:
    """Return which players are choosing, and for how many seconds at most; "" for none."""
    if not names:
        return ""
    left = f", {left_s} s" if left_s else ""
    return f"{' and '.join(names)} {'is' if len(names) == 1 else 'are'} choosing{left}"


def _unlike(friend: Friend, model: Model) -> str:
    """Return a friend's name and what is unusual: another level, stronger or weaker, hurt, away."""
    facts = []
    if friend.depth != model.view.place.depth:
        facts.append(f"depth {depth_text(friend.depth)}")
    if friend.level != model.fact(Stat.LEVEL):
        facts.append(_level(friend.level))
    if left := turns_down(friend.marks):
        facts.append(f"down: {turns_left_words(left)}")
    elif friend.condition < len(CONDITIONS) - 1:
        facts.append(CONDITIONS[max(friend.condition, 0)])
    facts += _absence(friend)
    return f"{clean(friend.name)} ({', '.join(facts)})" if facts else clean(friend.name)


def friend_words(friend: Friend, room: int = 200) -> str:
    """Return a friend in at most `room` cells: name, depth, level, health and absence, as many as fit whole."""
    condition = CONDITIONS[max(0, min(friend.condition, len(CONDITIONS) - 1))]
    depth, level, absence = f"depth {depth_text(friend.depth)}", _level(friend.level), _absence(friend)
    name = clean(friend.name)
    forms = ([depth, level, condition, *absence], [depth, condition, *absence], [depth, *absence], [depth])
    words = (f"{name} ({', '.join(facts)})" for facts in forms)
    return next((text for text in words if cells(text) <= room), fit_text(name, room))


def _level(level: int) -> str:
    """Return a friend's experience level in words; the word "level" is only for levels of the dungeon."""
    return f"L {level}"


def _absence(friend: Friend) -> list[str]:
    if friend.marks & _AWAY:
        return ["away"]
    return ["cut off"] if friend.marks & _CUT_OFF else []


_HEARD: Final = {1: ("quiet", QUIET), 2: ("heard", Style("orange", bold=True))}


def _facts(model: Model) -> list[tuple[str, Style]]:
    sheet = model.view.sheet
    facts = [_health(sheet[Stat.HP], sheet[Stat.HP_MAX]), *_mana(model), *_states(model), *_hunger(model)]
    points = sheet[Stat.POINTS]
    if points > 0 or model.view.choices:
        key = keymap.key_for(model.options.keys, "play", "choose")
        facts.append((f" Level up{f' x{points}' if points > 1 else ''}: press {key} ", BADGE))
    facts += [
        (_level(sheet[Stat.LEVEL]), PLAIN),
        (f"XP {sheet[Stat.EXPERIENCE]}/{sheet[Stat.NEXT_LEVEL_AT]}", PLAIN),
        (f"{_DEPTH}{depth_text(model.view.place.depth)}", PLAIN),
        (f"Atk {sheet[Stat.ATTACK]}", PLAIN),
        (f"Def {sheet[Stat.DEFENCE]}", PLAIN),
    ]
    if heard := _HEARD.get(sheet[Stat.HEARD]):
        facts.append(heard)
    if sheet[Stat.REACH]:
        facts.append((f"Reach {sheet[Stat.REACH]}", PLAIN))
    return [*facts, (f"Kills {sheet[Stat.KILLS]}", PLAIN)]


def _mana(model: Model) -> list[tuple[str, Style]]:
    most = model.fact(Stat.MANA_MAX)
    return [(f"MP {model.fact(Stat.MANA)}/{most}", _MANA)] if most > 0 else []


def _states(model: Model) -> list[tuple[str, Style]]:
    """Return the status effects; one that ends soon is followed by "..."."""
    return [
        (f"{clean(state.word)}..." if state.fading else clean(state.word), QUIET if state.fading else _STATE)
        for state in model.view.states
    ]


def _health(hp: int, hp_max: int) -> tuple[str, Style]:
    """Return health with a mark below a half and two below a quarter."""
    if hp * 4 < hp_max:
        return f"HP {hp}/{hp_max}!!", Style("red", bold=True, reverse=True)
    if hp * 2 < hp_max:
        return f"HP {hp}/{hp_max}!", Style("orange", bold=True)
    return f"HP {hp}/{hp_max}", Style("green")


def _hunger(model: Model) -> list[tuple[str, Style]]:
    """Return the hunger state if it is not normal, with more marks the worse it is.

    An unknown state has none. Where hunger kills, the remaining turns without food follow.
    """
    state, left = model.fact(Stat.HUNGER), model.fact(Stat.FOOD_TURNS)
    if state == Hunger.NOT_HUNGRY or state not in _HUNGER_STATES:
        return []
    hunger = Hunger(state)
    counted = f": {left} turn{'s' if left > 1 else ''}" if left > 0 else ""
    return [(f"{HUNGER_WORDS[hunger]}{_HUNGER_MARKS.get(hunger, '')}{counted}", _HUNGER_STYLES[hunger])]
