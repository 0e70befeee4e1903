"""The party on the screen: a bar of one line, lines with bars of health in the side panel, and words. Pure."""

from typing import Final

from gloam_client.render.bars import draw_bar, health_style
from gloam_client.render.panels.map_panel import player_style
from gloam_client.state.model import Model
from gloam_client.state.players.party import needs_help
from gloam_client.terminal.canvas import PLAIN, QUIET, TITLE, Canvas, Rect, Style, fit_text
from gloam_client.terminal.kept_panel import keep
from gloam_client.terminal.terrain_glyphs import ARROWS
from gloam_shared.narration.rendering import depth_text
from gloam_shared.protocol.messages.parties import MemberMark, PartyMember
from gloam_shared.text import cells, fold
from gloam_shared.view.downed import turns_down, turns_left_words
from gloam_shared.view.view import CreatureFlag

_HELP: Final = Style("red", bold=True, reverse=True)
_SHORT: Final = {
    "north": "N",
    "north-east": "NE",
    "east": "E",
    "south-east": "SE",
    "south": "S",
    "south-west": "SW",
    "west": "W",
    "north-west": "NW",
}
_ARROWS: Final = dict(zip(_SHORT, ARROWS, strict=True))
"""Arrows for the same ways, where the terminal has them."""
_FOES_ROWS: Final = 4
"""The rows of the side panel that the members leave for the creatures in sight."""
_NAME_CELLS: Final = (7, 5)
"""The cells that the shorter forms of a member leave for the name."""


def draw_party_bar(canvas: Canvas, area: Rect, model: Model) -> None:
    """Draw the other members in one line: name, health, way and danger; members who need help come first."""
    right = area.x + area.width
    x = canvas.put(area.x, area.y, "Party", TITLE, right)
    words, more = _fitting(model, area.width - 6)
    for member, text in words:
        x = canvas.put(x + 1, area.y, "@", player_style(model.company.party.tints, member.name, PLAIN), right)
        x = canvas.put(x, area.y, text, member_style(member), right)
    if more:
        canvas.put(x + 1, area.y, f"+{more}", QUIET, right)


def _members_inputs(model: Model) -> object:
    if not model.company.party.members:
        return None
    view = model.view
    party = model.company.party
    return (
        party.members,
        party.tints,
        model.name,
        view.creatures,
        view.party,
        view.place,
        view.sheet[0],
        model.surface.unicode,
    )


@keep(_members_inputs)
def draw_members(canvas: Canvas, area: Rect, model: Model) -> int:
    """Draw the other members as bars of their health below a title, as many as fit; return the next free row."""
    others = model.company.party.others(model.name)
    if not others or area.height < 2:
        return area.y
    canvas.put(area.x, area.y, "Your party", TITLE, area.x + area.width)
    rows = max(area.height - 1 - _FOES_ROWS, 2)
    shown = others if len(others) <= rows else others[: rows - 1]
    for row, member in enumerate(shown, area.y + 1):
        canvas.put(area.x, row, "@", player_style(model.company.party.tints, member.name, PLAIN))
        room = area.width - 2
        words = next((text for text in _forms(model, member) if cells(text) <= room), member.name)
        part, style = (member.hp, member.hp_max, 0), member_style(member)
        draw_bar(canvas, (area.x + 2, row, room), words, part, style, unicode=model.surface.unicode)
    if len(shown) == len(others):
        return area.y + 1 + len(shown)
    canvas.put(area.x, area.y + 1 + len(shown), f"and {len(others) - len(shown)} more", QUIET)
    return area.y + 2 + len(shown)


def member_words(model: Model, member: PartyMember) -> str:
    """Return everything known about a member in words: "Bob, level 3, 12/40 HP, needs help, 5 cells north-east"."""
    left = _turns_down(model, member)
    facts = [member.name, *([f"down: {turns_left_words(left)}"] if left else _state(member))]
    if member.depth:
        facts[1:1] = [f"level {member.level}", f"{member.hp}/{member.hp_max} HP"]
        facts.append(_long_way(model, member))
    return ", ".join(fact for fact in facts if fact)


def member_style(member: PartyMember) -> Style:
    """Return how a member is drawn: by their health, in reverse if they need help, faint if they are not there."""
    if needs_help(member):
        return _HELP
    return health_style(member.hp, member.hp_max) if member.depth else QUIET


def _fitting(model: Model, room: int) -> tuple[list[tuple[PartyMember, str]], int]:
    """Return the members in the longest form in which all fit, or as many as fit, and the number of the rest."""
    others = model.company.party.others(model.name)
    forms = [_forms(model, member) for member in others]
    for form in range(max(map(len, forms), default=0)):
        texts = [each[min(form, len(each) - 1)] for each in forms]
        if sum(cells(text) + 2 for text in texts) <= room:
            return list(zip(others, texts, strict=True)), 0
    shown: list[tuple[PartyMember, str]] = []
    room -= 4  # for the number of the rest
    for member, texts in zip(others, forms, strict=True):
        room -= cells(texts[-1]) + 2
        if room < 0:
            break
        shown.append((member, texts[-1]))
    return shown, len(others) - len(shown)


def _forms(model: Model, member: PartyMember) -> list[str]:
    """Return a member in words, the longest first; danger and the way stay to the last."""
    name, way, help_ = member.name, _way(model, member), needs_help(member)
    if not member.depth:
        state = ", ".join(_state(member))
        return [f"{fit_text(name, room)} {state}" for room in (cells(name), *_NAME_CELLS)]
    left = _turns_down(model, member)
    call, absence = (
        f" down: {left}!" if left else " help!" if help_ else "",
        "".join(f" {word}" for word in _absence(member)),
    )
    percent = f"{max(100 * member.hp // max(member.hp_max, 1), 1)}%"
    forms = [
        f"{name} L{member.level} {member.hp}/{member.hp_max}{call}{absence} {way}",
        f"{name} {member.hp}/{member.hp_max}{call}{absence} {way}",
        f"{name} {percent}{call} {way}",
        *(
            f"{fit_text(name, room)} {percent}{f' down {left}' if left else '!' if help_ else ''} {way}"
            for room in _NAME_CELLS
        ),
    ]
    return [form.rstrip() for form in forms]


def _turns_down(model: Model, member: PartyMember) -> int:
    """Return the turns that a downed member has left; 0 for all others, such as the heir of a player who died.

    A downed body has 1 health; the news of the party go on where the view of a dead player stays as it was.
    """
    if member.hp > 1:
        return 0
    name = fold(member.name)
    return next((turns_down(one.marks) for one in model.view.party if fold(one.name) == name), 0)


def _state(member: PartyMember) -> list[str]:
    dead = ["dead"] if member.marks & MemberMark.DEAD else []
    if not member.depth:
        if member.marks & MemberMark.AWAY:
            return [*dead, "away"]
        return dead if dead and not member.marks & MemberMark.CUT_OFF else [*dead, "absent"]
    return [*(["needs help"] if needs_help(member) else []), *_absence(member)]


def _absence(member: PartyMember) -> list[str]:
    if member.marks & MemberMark.AWAY:
        return ["away"]
    return ["cut off"] if member.marks & MemberMark.CUT_OFF else []


def _cell(model: Model, member: PartyMember) -> int | None:
    """Return the cell of a member on the player's level: as seen now, else as the party knows; None if it does not."""
    view = model.view
    for one in view.creatures:
        if fold(one.name) == fold(member.name) and not one.marks & CreatureFlag.SELF:
            return one.cell
    known = member.depth == view.place.depth and 0 <= member.cell < len(view.terrain)
    return member.cell if known else None


def _way(model: Model, member: PartyMember) -> str:
    """Return direction and distance in a few signs: "NE5", "d3" for another depth, "" if unknown."""
    if member.depth != model.view.place.depth:
        return f"d{member.depth}"
    cell = _cell(model, member)
    return "" if cell is None or cell == model.view.cell else short_way(model, cell)


def short_way(model: Model, cell: int) -> str:
    """Return the direction and the distance of a cell in a few signs: "NE5"."""
    view = model.view
    compass = view.place.grid.compass(view.cell, cell)
    signs = _ARROWS if model.surface.unicode else _SHORT
    return f"{signs.get(compass, compass)}{view.place.grid.distance(view.cell, cell)}"


def _long_way(model: Model, member: PartyMember) -> str:
    if member.depth != model.view.place.depth:
        return f"depth {depth_text(member.depth)}"
    cell, grid, here = _cell(model, member), model.view.place.grid, model.view.cell
    if cell is None or cell == here:
        return ""
    distance = grid.distance(here, cell)
    return f"{distance} cell{'s' if distance > 1 else ''} {grid.compass(here, cell)}"
