"""Everything that the client knows at one moment, as one frozen value. Pure: no clock, no network, no terminal."""

from collections.abc import Callable, Mapping
from typing import Final, NamedTuple, Protocol, TypeAlias

from msgspec import Struct, field
from msgspec.structs import replace

from gloam_client.state.client_effects import ClientEffect
from gloam_client.state.fights import NO_FIGHTS, Fights
from gloam_client.state.home import Home
from gloam_client.state.map.stains import Kind as StainKind
from gloam_client.state.map.stains import stains_of
from gloam_client.state.options import DEFAULTS, Options
from gloam_client.state.records import (
    NOT_CONNECTED,
    Company,
    ConnectionStatus,
    Guidance,
    KeyPresses,
    LoginState,
    Memory,
    Records,
    ServerFacts,
    SurfaceFacts,
    WorldFacts,
)
from gloam_client.terminal.canvas import Canvas
from gloam_shared.protocol.messages.play import Pace
from gloam_shared.text import clean
from gloam_shared.view.danger import could_take_half
from gloam_shared.view.downed import turns_down
from gloam_shared.view.view import NOWHERE, Creature, CreatureFlag, Friend, Item, ItemFlag, Stat, View

_SELF: Final = int(CreatureFlag.SELF)
_HOLDS_YOU: Final = int(CreatureFlag.HOLDS_YOU)
"""Plain numbers: a flag itself is slow to compare, and these are compared in every frame."""
LOG_MAX: Final = 1_000
WIDTH_MIN: Final = 44
HEIGHT_MIN: Final = 20
FLASH_MS: Final = 5_000
FLASH_KEYS: Final = 3
"""The time, or the number of further keys, for which the message line stays."""


class Blow(NamedTuple):
    """A blow between the player and a foe, hit or miss, near or from afar: the foe, and the damage dealt or taken.

    Magic that hits the player is a foe, too.
    """

    foe: str
    mine: bool
    damage: int


class Entry(NamedTuple):
    """One readable line of the log. `turn` counts the player's commands, and `at` the turns of the body (`Fights.turns`)."""

    text: str
    tone: str
    turn: int = 0
    blow: Blow | None = None
    speaker: str = ""
    away_s: int = 0
    """The seconds for which the player was away; 0 if this is not the line of an absence."""
    at: int = 0


class Flash(NamedTuple):
    """The message line: the answer to a key, and for how long and how many more keys it stays."""

    text: str = ""
    tone: str = "note"
    until_ms: int = 0
    keys: int = 0
    times: int = 1


class Push(NamedTuple):
    """Put a screen on top of the stack."""

    screen: "Screen"


class Pop(NamedTuple):
    """Take the top screen off."""


class Replace(NamedTuple):
    """Replace the top screen."""

    screen: "Screen"


Change: TypeAlias = Push | Pop | Replace


class Update(NamedTuple):
    """A screen's reaction to a key: the change of the screen stack, and the requested effects."""

    change: Change | None = None
    intents: tuple[ClientEffect, ...] = ()


class Screen(Protocol):
    """One layer of the stack. `state` is its name in the key table."""

    @property
    def state(self) -> str:
        """The screen's name in the key table."""

    def on_key(self, model: "Model", key: str) -> Update:
        """Answer a key; every key gets an answer."""

    def draw(self, model: "Model", canvas: Canvas) -> None:
        """Draw this layer over those below it."""

    def hints(self, model: "Model") -> list[tuple[str, str]]:
        """Return the (key, word) pairs that are valid now, for the bottom line."""


NO_FLASH: Final = Flash()
_AT_EASE: Final = Pace(held=False, waiting=False, plan=False)


class ActivePing(NamedTuple):
    """A player's ping for a cell of a level, and the end of its mark."""

    name: str
    word: str
    depth: int
    cell: int
    until_ms: int


_UNPLACED: Final = frozenset({"thanks"})
"""The words of pings without a place."""


class MessageLog(Struct, frozen=True):
    """The log of a life, with what the client itself has said."""

    entries: tuple[Entry, ...] = ()
    """The entries, the newest last."""
    next: int = 0
    """The number of the next log line of the view."""
    fresh: int = 0
    """The number of newest entries since the last key."""
    announced_at: int = -1
    """The turn in which a foe was last announced."""

    def add(self, entry: Entry) -> "MessageLog":
        """Return the log with one more entry; the oldest of too many goes."""
        return replace(self, entries=(*self.entries, entry)[-LOG_MAX:], fresh=self.fresh + 1)

    def without_last(self, repeated: Callable[[Entry], bool]) -> "MessageLog":
        """Return the log without its newest entry, if a new one repeats it."""
        if not self.entries or not repeated(self.entries[-1]):
            return self
        return replace(self, entries=self.entries[:-1], fresh=max(self.fresh - 1, 0))


class Model(Struct, frozen=True):
    """The state of the client. Screens are a stack; the last is on top and gets the keys."""

    screens: tuple[Screen, ...]
    """The stack of screens; the last one is on top."""
    options: Options = DEFAULTS
    """The player's options."""
    now_ms: int = 0
    """The time of the newest input."""
    name: str = ""
    """The player's name, as the server writes it; "" before joining."""
    view: View = NOWHERE
    """The view after the newest patch."""
    pace: Pace = _AT_EASE
    """The newest turn state from the server."""
    pace_ms: int = 0
    """The time at which that turn state arrived."""
    turn: int = 0
    """The number of commands sent; each log entry belongs to one of them."""
    flash: Flash = NO_FLASH
    """The message line."""
    camera: tuple[int, int] = (0, 0)
    """The cell at the top left of the map panel: column and row."""
    fights: Fights = NO_FIGHTS
    """The wounds that are shown, and the foes met."""
    pings: tuple[ActivePing, ...] = ()
    """The recent pings, the newest last."""
    connection: ConnectionStatus = NOT_CONNECTED
    """The state of the connection."""
    home: Home = field(default_factory=Home)
    """The title's data."""
    messages: MessageLog = field(default_factory=MessageLog)
    login: LoginState = field(default_factory=LoginState)
    world: WorldFacts = field(default_factory=WorldFacts)
    server: ServerFacts = field(default_factory=ServerFacts)
    surface: SurfaceFacts = field(default_factory=SurfaceFacts)
    keys: KeyPresses = field(default_factory=KeyPresses)
    guidance: Guidance = field(default_factory=Guidance)
    memory: Memory = field(default_factory=Memory)
    company: Company = field(default_factory=Company)
    records: Records = field(default_factory=Records)

    @property
    def top(self) -> Screen:
        """The screen that gets the keys."""
        return self.screens[-1]

    @property
    def in_dungeon(self) -> bool:
        """Whether a view has arrived: there is a level to draw."""
        return bool(self.view.place.width)

    @property
    def floor_items(self) -> Mapping[int, Item]:
        """The items that the map shows on this level, by cell: in sight or, if the campaign allows it, as last seen."""
        items, view = self.known_things, self.view
        if self.world.recalls:
            return items
        return {cell: item for cell, item in items.items() if view.sight[cell] & 1 or cell == view.cell}

    @property
    def known_things(self) -> Mapping[int, Item]:
        """The known items of this level, by cell: in sight, or as last seen."""
        return self.memory.recall.get(self.view.place.depth, {})

    @property
    def stains(self) -> Mapping[int, StainKind]:
        """The stains of this level that are there now, by cell."""
        return stains_of(self.memory.stains, self.view.place.depth, self.fights.turns)

    @property
    def marked_cells(self) -> dict[int, str]:
        """The marks of the map by cell: where those wanted were last seen, out of sight, and pings."""
        view, told = self.view, self.records.chronicle
        marks = {
            one.cell: "wanted"
            for one in (told.wanted if told is not None else ())
            if one.depth == view.place.depth and one.cell < len(view.sight) and not view.sight[one.cell]
        }
        return marks | {call.cell: call.word for call in self.active_pings}

    @property
    def active_pings(self) -> tuple[ActivePing, ...]:
        """The pings marked on this level now, the newest last."""
        return tuple(
            call
            for call in self.pings
            if call.depth == self.view.place.depth
            and call.cell < len(self.view.terrain)
            and call.word not in _UNPLACED
            and self.now_ms < call.until_ms
        )

    @property
    def friends(self) -> tuple[Friend, ...]:
        """The other players of the realm."""
        own = self.name
        return tuple([one for one in self.view.party if not one.marks & _SELF and one.name != own])

    @property
    def in_company(self) -> bool:
        """Whether there are other players in the realm."""
        own = self.name
        return any(not one.marks & _SELF and one.name != own for one in self.view.party)

    @property
    def strangers(self) -> tuple[Friend, ...]:
        """The other players of the realm who are not in the player's party."""
        if not self.company.party.members:
            return self.friends
        return tuple(friend for friend in self.friends if self.company.party.member(friend.name) is None)

    @property
    def too_small(self) -> bool:
        """Whether the terminal is too small to draw the game in."""
        return self.surface.size[0] < WIDTH_MIN or self.surface.size[1] < HEIGHT_MIN

    @property
    def dead(self) -> bool:
        """Whether the player sees the end of a life: there is no body, and no turn."""
        return any(screen.state == "dead" for screen in self.screens)

    @property
    def badly_hurt(self) -> bool:
        """Whether the body is below half of its health: then the fighting plan is refused."""
        return self.fact(Stat.HP) * 2 < self.fact(Stat.HP_MAX)

    @property
    def turns_down(self) -> int:
        """The turns that the player, who is down, has left; 0 for one on their feet.

        The own line of the party tells them. In a large party it may be late: a downed body has 1 health.
        """
        if self.fact(Stat.HP) > 1:
            return 0
        return next((turns_down(one.marks) for one in self.view.party if self._is_own(one)), 0)

    def _is_own(self, friend: Friend) -> bool:
        return bool(friend.marks & _SELF) or friend.name == self.name

    @property
    def holders(self) -> list[Creature]:
        """The creatures in view that hold the player, so that the turn waits."""
        return [creature for creature in self.view.creatures if creature.marks & _HOLDS_YOU]

    @property
    def threatened(self) -> bool:
        """Whether the holders may take half of the player's health: plans are refused then."""
        return could_take_half(self.holders, self.view, self.world.damage)

    @property
    def hunted(self) -> bool:
        """Whether the player is held by nothing in view."""
        return self.pace.held and not self.holders

    def carries(self, trait: ItemFlag) -> bool:
        """Return whether the player carries an item of that kind."""
        wanted = int(trait)
        return any(item.traits & wanted for item in self.view.inventory)

    def fact(self, fact: Stat) -> int:
        """Return one number of the player's sheet."""
        return self.view.fact(fact)


def apply_change(model: Model, change: Change | None) -> Model:
    """Return the model with a changed screen stack; the lowest screen always stays."""
    match change:
        case None:
            return model
        case Push(screen):
            return replace(model, screens=(*model.screens, screen))
        case Pop():
            return replace(model, screens=model.screens[:-1] or model.screens)
        case Replace(screen):
            return replace(model, screens=(*model.screens[:-1], screen))


def push_below_line(model: Model, screen: Screen) -> Model:
    """Return the model with a screen on top, but below a line of chat that is being typed."""
    at = len(model.screens) - (model.top.state == "say")
    return replace(model, screens=(*model.screens[:at], screen, *model.screens[at:]))


def add_message(model: Model, text: str, tone_: str = "note", speaker: str = "") -> Model:
    """Return the model with one more line in the log; the text is made safe to show."""
    entry = Entry(clean(text), tone_, model.turn, speaker=clean(speaker))
    return replace(model, messages=model.messages.add(entry))


def add_absence(model: Model, away_s: int) -> Model:
    """Return the model with a line in the log about an absence; those in a row are shown as one."""
    entry = Entry(f"You were away {away_s} s.", "note", model.turn, away_s=away_s)
    return replace(model, messages=model.messages.add(entry))


def show_flash(model: Model, text: str, tone_: str) -> Model:
    """Return the model with a text on its message line; a repeated text is counted."""
    text, shown = clean(text), model.flash
    times = shown.times + 1 if text == shown.text else 1
    return replace(model, flash=Flash(text, tone_, model.now_ms + FLASH_MS, FLASH_KEYS, times))


def expire_flash(model: Model, *, key: bool = False) -> Model:
    """Return the model after a key or some time: clears a message line that was shown long enough."""
    shown = model.flash
    left = shown.keys - key
    if not shown.text or (left > 0 and model.now_ms < shown.until_ms):
        return replace(model, flash=shown._replace(keys=left)) if key else model
    return replace(model, flash=NO_FLASH)
