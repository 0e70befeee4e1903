"""The records that make up the model, one for each subject.

`model` imports it. A screen that needs one subject reads one record.
"""

from collections.abc import Mapping
from typing import Final, Literal, NamedTuple, Self, TypeAlias

from msgspec import Struct, field
from msgspec.structs import replace

from gloam_client.net.launch_options import NameMeans
from gloam_client.state.map.friend_locations import NO_LOCATIONS, FriendLocations, restore_locations
from gloam_client.state.map.item_memory import ItemMemory, restore_item_memory
from gloam_client.state.map.sightings import NOTHING_SEEN, Sightings
from gloam_client.state.map.stains import StainMemory
from gloam_client.state.players.ladder import LadderState
from gloam_client.state.players.party import NO_PARTY, PartyKnowledge
from gloam_client.state.players.trading import NOT_TRADING, KnownTrade
from gloam_client.state.players.watching import WatchState
from gloam_shared.protocol.commands import AnyCommand
from gloam_shared.protocol.messages.lives import BeaconOffer, KitOffer
from gloam_shared.protocol.messages.records import Chronicle, History
from gloam_shared.view.view import View


class ConnectionStatus(NamedTuple):
    """The state of the connection to the server."""

    state: str = "title"
    """"title", "joining", "joined" or "down"."""
    text: str = ""
    """The reason why the connection is down."""
    since_ms: int = 0
    """The time at which this state began."""
    retry_ms: int = 0
    """The time at which the next attempt starts."""
    unanswered_since_ms: int | None = None
    """The time at which the oldest unanswered command was sent; None for none."""
    heard_ms: int = 0
    """The time at which the newest bytes arrived."""
    round_trip_ms: int | None = None
    """The newest round trip; None before the first."""

    def heard(
        self, state: str, heard_ms: int, unanswered_since_ms: int | None, round_trip_ms: int | None
    ) -> Self:
        """Return the status after bytes arrived; why and since when a former connection was down stays known."""
        return self._replace(
            state=state,
            heard_ms=heard_ms,
            unanswered_since_ms=unanswered_since_ms,
            round_trip_ms=round_trip_ms,
        )


NOT_CONNECTED: Final = ConnectionStatus()


class Guide(NamedTuple):
    """The guidance of one run of the client."""

    goal: str = ""
    """The goal of the campaign, as the server words it; "" from an older server."""
    session: int = -1
    """The number of this run of the client, which chooses the tip; -1 for no tip."""
    advised_turn: int = -1_000
    """The turn of the newest hint."""


NO_GUIDE: Final = Guide()


_SPEAKERS_MAX: Final = 16
_SAID_MAX: Final = 50


class WordsState(NamedTuple):
    """The players that this one ignores or blocks, and the players who spoke lately."""

    ignored: tuple[str, ...] = ()
    """The names of the players that are ignored, the newest last."""
    blocked: tuple[str, ...] = ()
    """The names of the players that are blocked, the newest last."""
    whispered_by: str = ""
    """The player who whispered last, for an answer; "" for none."""
    speakers: tuple[str, ...] = ()
    """The players who spoke lately, the newest first."""
    said: tuple[str, ...] = ()
    """The lines that the player finished, the newest last."""

    def finished(self, line: str) -> "WordsState":
        """Return the state after a line of the player; a repeated line moves to the end."""
        others = tuple(each for each in self.said if each != line)
        return self._replace(said=(*others, line)[-_SAID_MAX:])

    def heard(self, name: str, *, whisper: bool = False) -> "WordsState":
        """Return the state after words of another player."""
        others = tuple(each for each in self.speakers if each != name)
        return self._replace(
            speakers=(name, *others)[:_SPEAKERS_MAX],
            whispered_by=name if whisper else self.whispered_by,
        )


NO_WORDS: Final = WordsState()


SurfaceKind: TypeAlias = Literal["terminal", "ssh", "browser"]


class LoginState(Struct, frozen=True):
    """The player's account and life."""

    life: int = 0
    """The number of the player's life."""
    kits: tuple[KitOffer, ...] = ()
    """The kits that this life may choose from until its first command."""
    beacons: tuple[BeaconOffer, ...] = ()
    """The lit beacons where this life may begin until its first command."""
    guarded: bool | None = None
    """Whether the name has a password; None if unknown."""
    offer: str = ""
    """The state of the offer of a password: "", "due" or "made"."""
    means: NameMeans = "password"
    """The means that this client offers."""
    link: str = ""
    """The own link of a visitor by browser, which ends with its key; "" if there is none, or if it is not known here."""
    linked: str = ""
    """The state of that link: "asked" until the server has confirmed it, then "yes", and "no" if a password replaced it."""


class WorldFacts(Struct, frozen=True):
    """The facts of the world that the server sends when play begins."""

    realm: str = ""
    """The realm's identifier for stored memory; "" if the server does not send it."""
    campaign: str = ""
    """The title of the campaign."""
    story: str = ""
    """The introduction of the campaign, and its goal."""
    damage: str = "excess"
    """The formula of damage of this campaign, for estimates of danger."""
    choosing: str = "Choose a stat to increase"
    """The title of the level-up choice."""
    marks: str = "letters"
    """The marks before its options, letters or digits."""
    terrain_words: tuple[str, ...] = ()
    """The campaign's own words for terrain, by its numbers."""
    recalls: bool = True
    """Whether the campaign's map shows items out of sight, too."""
    one_life: bool = False
    """Whether the world has one life, which has no heir, like the world of a seed of the day."""
    abilities: frozenset[str] = frozenset()
    """The optional abilities of this server."""


class ServerFacts(Struct, frozen=True):
    """The server itself."""

    address: str = ""
    """Its address, for the title and farewell."""
    private: bool = False
    """Whether it is the player's own."""
    notice: str = ""
    """Its banner; "" for none."""


class SurfaceFacts(Struct, frozen=True):
    """The surface that shows the model."""

    kind: SurfaceKind = "terminal"
    """Its kind: only beside a terminal is there a shell, for which sentences may name commands."""
    size: tuple[int, int] = (80, 24)
    """Its columns and rows."""
    unicode: bool = False
    """Whether it can show Unicode glyphs."""
    lights: bool = False
    """True if the light that falls on a cell is shown, as its background."""


class KeyPresses(Struct, frozen=True):
    """The newest keys and commands, and the time in which a screen that opened unasked takes no key."""

    last_command: AnyCommand | None = None
    """The newest command, which a refusal refers to."""
    pressed_ms: int = 0
    """The time at which the newest key was pressed."""
    last_key: str = ""
    """The newest key."""
    repeated: bool = False
    """Whether the newest key is held down."""
    thinking_sent_ms: int = -1_000_000
    """The time at which the client last sent `Thinking`."""
    unread: str = ""
    """The state of a screen that opened unasked and was not on top yet; "" for none."""
    quiet_until_ms: int = 0
    """The end of the time in which the top screen, which opened unasked, takes no key."""

    spared: str = ""
    """The letter of an item that the key before used without a list; "" for none."""
    spared_until_ms: int = 0
    """The end of the time in which that letter, as the next key, is no command."""


class Guidance(Struct, frozen=True):
    """The hints and goals for a player."""

    advice: frozenset[str] | None = None
    """The first-life hints given so far; None to give none, for a player who played before without them."""
    given: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """The hints given in earlier runs of the client, by the player's folded name."""
    guide: Guide = NO_GUIDE
    """The goal of the campaign, the tip, and when the newest hint was given."""


class Memory(Struct, frozen=True):
    """The client's memory of levels, items and friends, and of choices in lists."""

    recall: ItemMemory = field(default_factory=dict)
    """The known floor items: in sight, or as last seen."""
    newest_slots: tuple[int, ...] = ()
    """The slots of the inventory, with the newest items at the end."""
    whereabouts: FriendLocations = field(default_factory=lambda: NO_LOCATIONS)
    """The places where each friend was last seen, or pinged from."""
    explored: Mapping[int, tuple[bytes, tuple[int, ...], int]] = field(default_factory=dict)
    """The known map of each level at the time when nothing was left to explore there, by depth."""
    barred: Mapping[int, tuple[bytes, tuple[int, ...], int]] = field(default_factory=dict)
    """The known map of each level at the time when something barred the only way on, by depth."""
    sightings: Sightings = NOTHING_SEEN
    """The times at which each foe was last seen."""
    stains: StainMemory = field(default_factory=dict)
    """The stains on the floor, by depth."""
    choices: Mapping[str, str] = field(default_factory=dict)
    """The last choice in each list."""

    def restore(self, items: ItemMemory, friends: FriendLocations, view: View) -> "Memory":
        """Return the memory with what was stored of this life; newer knowledge takes precedence."""
        return replace(
            self,
            recall=restore_item_memory(items, self.recall, view),
            whereabouts=restore_locations(friends, self.whereabouts, view),
        )


class Company(Struct, frozen=True):
    """The other players."""

    words: WordsState = NO_WORDS
    """The lists of ignored players, and the players who spoke lately."""
    party: PartyKnowledge = NO_PARTY
    """The player's party and invites, as far as they are known."""
    trade: KnownTrade = NOT_TRADING
    """The player's trade."""
    watch: WatchState = field(default_factory=WatchState)
    """The state of watching and of this player's watchers."""


class Records(Struct, frozen=True):
    """The records that a server has sent on request."""

    history: History | None = None
    """The history of the monster looked at last."""
    chronicle: Chronicle | None = None
    """The newest chronicle of the realm; None before the first."""
    ladder: LadderState = field(default_factory=LadderState)
    """The boards of ladders that have arrived."""
