"""Messages of the greeting and the login, about passwords and resuming, and of the end of a connection."""

from typing import Annotated, TypeAlias

from msgspec import Meta, Struct

from gloam_shared import limits
from gloam_shared.protocol.messages import base
from gloam_shared.protocol.messages.lives import BeaconOffer, KitOffer

# From the client.


class Hello(Struct, frozen=True, array_like=True, tag=1):
    """The first message: the client's protocol versions, its name for the log, and its abilities.

    `protocol` is the newest version, `oldest` the oldest, 0 for the same. Servers ignore unknown abilities and fields at the end.
    `further` are more abilities: older servers refuse a longer list of `abilities`, and ignore the further ones.
    """

    protocol: base.Count
    agent: Annotated[str, Meta(max_length=64)] = ""
    oldest: base.Count = 0
    abilities: Annotated[tuple[base.Ability, ...], Meta(max_length=limits.ABILITIES_MAX)] = ()
    further: Annotated[tuple[base.Ability, ...], Meta(max_length=limits.ABILITIES_FURTHER_MAX)] = ()

    def has(self, ability: str) -> bool:
        """Return whether the client has an ability."""
        return ability in self.abilities or ability in self.further


def hello_of(protocol: int, agent: str, oldest: int, abilities: tuple[str, ...]) -> Hello:
    """Return the greeting of a client with any number of abilities, those first that older servers know."""
    most = limits.ABILITIES_MAX
    return Hello(protocol, agent, oldest, abilities[:most], abilities[most:])


class AskStatus(base.Message, frozen=True, tag=2):
    """Instead of a login: how is the server? Answered by `Status`, then the connection is closed."""


class Login(base.Message, frozen=True, tag=3):
    """Play as `name`. `token` is this device's secret, which owns the name.

    `password` is for a device that the name does not know yet, `invite` is the code that a private realm requires for a
    new name.
    """

    name: Annotated[str, Meta(max_length=64)]
    token: base.Token
    password: base.Text = ""
    invite: Annotated[str, Meta(max_length=64)] = ""


class Goodbye(base.Message, frozen=True, tag=12):
    """The player leaves; their body leaves immediately if nothing holds it."""


class SetPassword(base.Message, frozen=True, tag=14):
    """Set this name's password, or change it from `old`: for the first one the device's token in hexadecimal digits."""

    new: base.Text
    old: base.Text = ""


class Resume(base.Message, frozen=True, tag=15):
    """Instead of `Login`, after a lost connection: continue as `name`, with its newest `ResumeToken`.

    Answered like a login; an `Error` "auth" or "expired" leaves the connection open for a `Login`.
    """

    name: Annotated[str, Meta(max_length=64)]
    token: base.Token


# From the server.


class Welcome(base.ServerMessage, frozen=True, tag=64):
    """The answer to `Hello`: the realm and its players.

    `protocol` is the version for the rest of the connection, `abilities` are the client's abilities that the server
    has, too. `story` introduces the campaign. `damage` names its formula of damage ("excess", "ratio"), which a
    client uses to judge danger. `choosing` is the title of the level-up choice, `marks` says what comes before each
    option ("letters", "digits"). `terrain` has the campaign's words for terrain, by its numbers, "" for a client's
    own. `recall` says what a client shows of places out of sight on its map: only the "terrain", or the "things" that
    lay there, too. `realm` identifies this realm, for data that a client keeps about it, and `goal` says in a few words
    how the campaign is won; "" if the server does not send them.
    """

    protocol: base.Count
    campaign: base.Text
    players: base.Count
    players_max: base.Count
    story: base.Text = ""
    damage: base.Text = "excess"
    choosing: base.Text = "Choose a stat to increase"
    marks: base.Text = "letters"
    terrain: tuple[base.Text, ...] = ()
    recall: base.Text = "things"
    abilities: tuple[base.Text, ...] = ()
    realm: base.Text = ""
    goal: base.Text = ""


class Status(base.ServerMessage, frozen=True, tag=65):
    """The answer to `AskStatus`; `open` says that new names need no invite."""

    ready: bool
    campaign: base.Text
    players: base.Count
    version: base.Text
    open: bool = False


class Joined(base.ServerMessage, frozen=True, tag=66):
    """The answer to `Login`: the player is in the dungeon under this name; `number` is the last answered command of this life.

    `life` counts the lives of this player in this realm, from 1. Of `kits` it may choose one now; see `ChooseKit`.
    At one of `beacons` it may begin; see `BeginAtBeacon`.
    """

    name: base.Text
    number: base.Number
    life: base.Number
    kits: tuple[KitOffer, ...] = ()
    beacons: tuple[BeaconOffer, ...] = ()


class Notice(base.ServerMessage, frozen=True, tag=74):
    """A banner for all players, such as about a full disk; "" removes it."""

    text: base.Text


class Error(base.ServerMessage, frozen=True, tag=75):
    """Something that the client sent was wrong; the session goes on unless `Bye` follows."""

    code: base.ErrorCode
    text: base.Text


class Bye(base.ServerMessage, frozen=True, tag=76):
    """The server ends the conversation, and why."""

    code: base.ByeCode
    text: base.Text


class PasswordStatus(base.ServerMessage, frozen=True, tag=77):
    """Whether this name has a password: sent after a login from another machine, and when it was set or changed (`fresh`)."""

    password: bool
    fresh: bool = False


class ResumeToken(base.ServerMessage, frozen=True, tag=78):
    """The token for one `Resume`. Sent after every login and every resume; older tokens are then invalid."""

    token: base.Token


LoginFromClient: TypeAlias = Hello | AskStatus | Login | Goodbye | SetPassword | Resume
LoginFromServer: TypeAlias = Welcome | Status | Joined | Notice | Error | Bye | PasswordStatus | ResumeToken
