"""All that the client knows at one moment, as one frozen value. Pure: no clock, no network, no terminal."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final, NamedTuple, Protocol, TypeAlias, get_args

from gloam_client.state.client_effects import Intent
from gloam_client.state.friend_locations import NOTHING, Whereabouts
from gloam_client.state.item_memory import Recall
from gloam_client.state.options import DEFAULTS, Options
from gloam_client.state.sightings import NOTHING_SEEN, Sightings
from gloam_client.terminal.canvas import Canvas
from gloam_shared.event_kinds import EventKind, StrikeKind
from gloam_shared.narration.rendering import named, tell, tone
from gloam_shared.protocol.commands import AnyCommand
from gloam_shared.protocol.messages import Pace
from gloam_shared.text import clean
from gloam_shared.view.danger import could_halve
from gloam_shared.view.view import NOWHERE, Creature, Fact, Friend, Item, Line, Log, Mark, Trait, View

LOG_MAX: Final = 1_000
WIDTH_MIN: Final = 60
HEIGHT_MIN: Final = 20
FLASH_MS: Final = 5_000
FLASH_KEYS: Final = 3
"""So long, or for so many more keys, the message line stays."""
_BLOWS: Final[frozenset[EventKind]] = frozenset(get_args(StrikeKind))
_EXCHANGES_MIN: Final = 2
_PAIRS_MIN: Final = 3
"""So often two lines come by turns before they are folded: fewer is no flood, and a fight reads better in its order."""


class Blow(NamedTuple):
    """A blow between the player and a foe, or one that missed: who the foe is, and the damage dealt or taken."""

    foe: str
    mine: bool
    damage: int


class Entry(NamedTuple):
    """One line of the log as it is read; `turn` counts the player's commands, by which the lines are set apart."""

    text: str
    tone: str
    turn: int = 0
    blow: Blow | None = None


class Flash(NamedTuple):
    """The message line: what is said of a key, and for how long and for how many keys yet."""

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
    """Put a screen in the place of the top one."""

    screen: "Screen"


Change: TypeAlias = Push | Pop | Replace


class Reaction(NamedTuple):
    """What a screen answers to a key: how the stack of screens changes, and what is to be done."""

    change: Change | None = None
    intents: tuple[Intent, ...] = ()


class Screen(Protocol):
    """One layer of the stack. `state` is its name in the key table."""

    @property
    def state(self) -> str:
        """The screen's name in the key table."""

    def on_key(self, model: "Model", key: str) -> Reaction:
        """Answer a key; every key gets an answer."""

    def draw(self, model: "Model", canvas: Canvas) -> None:
        """Draw this layer over those below it."""

    def hints(self, model: "Model") -> list[tuple[str, str]]:
        """Return the (key, word) pairs that are valid now, for the bottom line."""


class Wire(NamedTuple):
    """How the line to the server stands: `state` is title, joining, joined or down; `text` says why."""

    state: str = "title"
    text: str = ""
    since_ms: int = 0
    retry_ms: int = 0
    unanswered_since_ms: int | None = None
    heard_ms: int = 0
    round_trip_ms: int | None = None


NO_WIRE: Final = Wire()
NO_FLASH: Final = Flash()
_AT_EASE: Final = Pace(held=False, waiting=False, plan=False)


class CallHeard(NamedTuple):
    """What somebody called out for a cell of a level, and until when it is marked there."""

    name: str
    word: str
    depth: int
    cell: int
    until_ms: int


_UNPLACED: Final = frozenset({"thanks"})
"""What is called for no place."""


@dataclass(frozen=True, slots=True)
class Model:
    """The state of the client. Screens are a stack; the last is on top and gets the keys."""

    screens: tuple[Screen, ...]
    options: Options = DEFAULTS
    size: tuple[int, int] = (80, 24)
    now_ms: int = 0
    name: str = ""
    life: int = 0
    """Which of this player's lives it is."""
    view: View = NOWHERE
    pace: Pace = _AT_EASE
    pace_ms: int = 0
    wire: Wire = NO_WIRE
    notice: str = ""
    entries: tuple[Entry, ...] = ()
    log_next: int = 0
    fresh: int = 0
    """So many of the newest entries came since the last key."""
    turn: int = 0
    """How many commands were sent: the lines of the log belong to one of them."""
    flash: Flash = NO_FLASH
    camera: tuple[int, int] = (0, 0)
    address: str = ""
    private: bool = False
    unicode: bool = False
    asked: AnyCommand | None = None
    """The newest command: what a refusal speaks of."""
    key_ms: int = 0
    last_key: str = ""
    repeated: bool = False
    """Whether the newest key is one that is held."""
    thought_ms: int = -1_000_000
    """When the server was last told that the player reads."""
    advice: frozenset[str] | None = None
    """The first-life hints given so far; None where none are given: who has played before without them."""
    given: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """Those that earlier runs of the client have given, by the player's folded name."""
    advised_ms: int = -1_000_000
    recall: Recall = field(default_factory=dict)
    """What lies about: what is in sight, and what is out of it as it was seen last."""
    recalls: bool = True
    """Whether the campaign's map shows more than terrain of what is out of sight."""
    realm: str = ""
    """The realm's name for what is kept of it; "" where the server does not tell."""
    whereabouts: Whereabouts = field(default_factory=lambda: NOTHING)
    """Where each friend was last seen, or called from."""
    explored: Mapping[int, tuple[bytes, tuple[int, ...], int]] = field(default_factory=dict)
    """What was known of each level when nothing was left to explore there, by depth."""
    sightings: Sightings = NOTHING_SEEN
    """When each foe was seen last."""
    announced_at: int = -1
    """In which turn a foe was announced last."""
    calls: tuple[CallHeard, ...] = ()
    """What was called out lately, the newest last."""
    remembered: Mapping[str, str] = field(default_factory=dict)
    """What was last taken from each list."""
    story: str = ""
    """What the campaign is about, and what is to be done there."""
    guarded: bool | None = None
    """Whether the name has a password; None where nobody has said."""
    offer: str = ""
    """How it stands with the offer of a password: "", "due" or "made"."""
    damage: str = "excess"
    """The formula of damage here, for what is told of danger."""
    choosing: str = "Choose a stat to increase"
    """The title of what a level brings here."""
    marks: str = "letters"
    """What stands before each of its options, letters or digits."""
    terrain_words: tuple[str, ...] = ()
    """The campaign's own words for terrain, by its numbers."""

    @property
    def top(self) -> Screen:
        """The screen that gets the keys."""
        return self.screens[-1]

    @property
    def in_dungeon(self) -> bool:
        """Whether a view has come: there is a level to draw."""
        return bool(self.view.place.width)

    @property
    def lying(self) -> Mapping[int, Item]:
        """What the map shows to lie on this level, by cell: as it is seen or, where the campaign has it, was seen last."""
        things, view = self.known_things, self.view
        if self.recalls:
            return things
        return {cell: item for cell, item in things.items() if view.sight[cell] & 1 or cell == view.cell}

    @property
    def known_things(self) -> Mapping[int, Item]:
        """What is known to lie on this level, by cell: as it is seen, or as it was seen last."""
        return self.recall.get(self.view.place.depth, {})

    @property
    def marked(self) -> tuple[CallHeard, ...]:
        """Which calls are marked on this level now, the newest last."""
        return tuple(
            call
            for call in self.calls
            if call.depth == self.view.place.depth
            and call.cell < len(self.view.terrain)
            and call.word not in _UNPLACED
            and self.now_ms < call.until_ms
        )

    @property
    def friends(self) -> tuple[Friend, ...]:
        """The other players of the realm."""
        return tuple(
            friend for friend in self.view.party if not friend.marks & Mark.SELF and friend.name != self.name
        )

    @property
    def too_small(self) -> bool:
        """Whether the terminal is too small to draw the game in."""
        return self.size[0] < WIDTH_MIN or self.size[1] < HEIGHT_MIN

    @property
    def dead(self) -> bool:
        """Whether the player looks at the end of a life: he has no body, and no turn is his."""
        return any(screen.state == "dead" for screen in self.screens)

    @property
    def badly_hurt(self) -> bool:
        """Whether the body is below half of its health: then no key fights for the player."""
        return self.fact(Fact.HP) * 2 < self.fact(Fact.HP_MAX)

    @property
    def holders(self) -> list[Creature]:
        """The creatures in view that hold the player: the turn waits for the player because of them."""
        return [creature for creature in self.view.creatures if creature.marks & Mark.HOLDS_YOU]

    @property
    def threatened(self) -> bool:
        """Whether those that hold the player may take half of the player's health: plans are refused then."""
        return could_halve(self.holders, self.view, self.damage)

    @property
    def hunted(self) -> bool:
        """Whether the player is held, and by nothing in view."""
        return self.pace.held and not self.holders

    def carries(self, trait: Trait) -> bool:
        """Return whether the player has a thing of that kind."""
        return any(thing.traits & trait for thing in self.view.inventory)

    def fact(self, fact: Fact) -> int:
        """Return one number of the player's own sheet."""
        return self.view.fact(fact)


def changed(model: Model, change: Change | None) -> Model:
    """Return the model with its stack of screens changed; the lowest screen never leaves."""
    match change:
        case None:
            return model
        case Push(screen):
            return replace(model, screens=(*model.screens, screen))
        case Pop():
            return replace(model, screens=model.screens[:-1] or model.screens)
        case Replace(screen):
            return replace(model, screens=(*model.screens[:-1], screen))


def noted(model: Model, text: str, tone_: str = "note") -> Model:
    """Return the model with one more line in the log; the text is made safe to show."""
    entry = Entry(clean(text), tone_, model.turn)
    return replace(model, entries=(*model.entries, entry)[-LOG_MAX:], fresh=model.fresh + 1)


def flashed(model: Model, text: str, tone_: str) -> Model:
    """Return the model with something on its message line, counted where it says the same again."""
    text, shown = clean(text), model.flash
    times = shown.times + 1 if text == shown.text else 1
    return replace(model, flash=Flash(text, tone_, model.now_ms + FLASH_MS, FLASH_KEYS, times))


def faded(model: Model, *, key: bool = False) -> Model:
    """Return the model after a key or after some time: the message line is empty when it was there long enough."""
    shown = model.flash
    left = shown.keys - key
    if not shown.text or (left > 0 and model.now_ms < shown.until_ms):
        return replace(model, flash=shown._replace(keys=left)) if key else model
    return replace(model, flash=NO_FLASH)


def with_log(model: Model, log: Log) -> Model:
    """Return the model with the lines of the server's log that it has not had yet."""
    end = log.first + len(log.lines)
    known = 0 if end < model.log_next else model.log_next
    fresh = log.lines[max(known - log.first, 0) :]
    entries = [Entry(clean(tell(line)), _tone(line), model.turn, _blow(line)) for line in fresh]
    told = [entry for entry in entries if entry.text]
    kept = (*model.entries, *told)[-LOG_MAX:]
    return replace(model, entries=kept, log_next=end, fresh=model.fresh + len(told))


def folded(entries: tuple[Entry, ...], count: int | None = None) -> list[Entry]:
    """Return the last `count` lines to read (all when None): the same line again and again is one, "x7".

    So are two that come by turns, as of a door that is opened and closed, from the third time on, and the blows that
    the player and a foe have exchanged before the newest turn.
    """
    lines: list[Entry] = []
    at = len(entries)
    while at and (count is None or len(lines) < count):
        fight, told = _exchange(entries, at)
        if fight:
            lines.append(fight)
            at -= told
            continue
        together, times = 1, _repeats(entries, at, 1)
        if times == 1 and (pairs := _repeats(entries, at, 2)) >= _PAIRS_MIN:
            together, times = 2, pairs
        newest_first = entries[at - together : at][::-1]
        mark = f" x{times}" if times > 1 else ""
        lines += [entry._replace(text=f"{entry.text}{mark}", blow=None) for entry in newest_first]
        at -= together * times
    return lines[::-1] if count is None else lines[:count][::-1]


def _repeats(entries: tuple[Entry, ...], end: int, together: int) -> int:
    """Return how many times the last so many lines before `end` stand there, one after the other."""

    def words(times: int) -> list[tuple[str, str]]:
        first = end - times * together
        return [entry[:2] for entry in entries[max(first, 0) : first + together]]

    last, times = words(1), 1
    while end >= (times + 1) * together and words(times + 1) == last:
        times += 1
    return times


def _exchange(entries: tuple[Entry, ...], end: int) -> tuple[Entry | None, int]:
    """Return the line for the blows exchanged with one foe that end there, if they are several, and how many it stands for."""
    newest, last = entries[-1].turn, entries[end - 1]
    blows: list[Blow] = []
    for entry in reversed(entries[:end]):
        if entry.blow is None or last.blow is None or entry.blow.foe != last.blow.foe or entry.turn == newest:
            break
        blows.append(entry.blow)
    mine, its = ([blow.damage for blow in blows if blow.mine is of] for of in (True, False))
    if min(len(mine), len(its)) < _EXCHANGES_MIN:
        return None, 0
    told = f"{sum(mine)} dealt, {sum(its)} taken (x{max(len(mine), len(its))})"
    tone_ = "hurt" if sum(its) else "fight"
    return last._replace(text=f"You trade blows with {blows[0].foe}: {told}", tone=tone_, blow=None), len(
        blows
    )


def _blow(line: Line) -> Blow | None:
    if line.kind not in _BLOWS or "you" not in (line.subject, line.object):
        return None
    mine = line.subject == "you"
    return Blow(clean(named(line.object if mine else line.subject)), mine, line.amount)


def _tone(line: Line) -> str:
    if line.object == "you" and tone(line) == "fight":
        return "hurt"
    return tone(line)
