"""Answers to a login: the welcome, why a valid login is refused, the result of a password change."""

from typing import Final

from gloam_server.content.campaign import Campaign
from gloam_server.engine.players import Players
from gloam_server.net.connection_counts import AdmissionStatus
from gloam_server.storage.accounts import Account
from gloam_server.views.texts.campaign_goal import goal_words
from gloam_server.world.transition.dungeon import Dungeon
from gloam_shared import limits, text
from gloam_shared.protocol.compression import DEFLATE
from gloam_shared.protocol.messages.dungeons import DUNGEONS
from gloam_shared.protocol.messages.lives import BEACONS
from gloam_shared.protocol.messages.login import Bye, Error, PasswordStatus, Welcome
from gloam_shared.protocol.messages.parties import LENDS
from gloam_shared.protocol.messages.play import SURFACES
from gloam_shared.protocol.messages.replays import REPLAYS
from gloam_shared.protocol.messages.watching import GUEST_WATCH
from gloam_shared.protocol.registry import ABILITIES, PROTOCOL_VERSION

_LACKS: Final = {
    "kits": "choose a kit, so you have the usual one",
    "cards": "say which level a choice is for, and a choice that waits becomes a step of your bent",
    "rescue": "drag a friend who is down",
    LENDS: "lend what is bound to you",
    BEACONS: "begin a life at a lit beacon, so it begins at the entrance",
    SURFACES: "see fire, ice, levers and the like on the map",
}
"""The things that a client without an ability cannot do, and the default in their place."""
TOO_MANY: Final = Bye("too-many", "Too many connections; close one and try again.")


def welcome_message(
    campaign: Campaign, players: int, players_max: int, realm: str, *, guests: bool, listed: bool = False
) -> Welcome:
    """Return the greeting of a realm with this number of players."""
    return Welcome(
        PROTOCOL_VERSION,
        campaign.title,
        players,
        players_max,
        " ".join(campaign.story.split())[: limits.STRING_MAX],
        campaign.combat.damage,
        campaign.experience.words.title,
        campaign.experience.words.marks,
        campaign.terrain_words,
        campaign.recall,
        _abilities(campaign, guests=guests, listed=listed),
        realm=realm,
        goal=goal_words(campaign)[: limits.STRING_MAX],
    )


def _abilities(campaign: Campaign, *, guests: bool, listed: bool = False) -> tuple[str, ...]:
    """Return the abilities that a realm of this campaign offers.

    "beside" is among them only where lives can begin beside friends, "kits" only where they can choose a kit,
    "cards" only where levels offer bents and cards, "rescue" only where friends lift each other, `LENDS` where they lend,
    `SURFACES` where the campaign has any, or devices, `BEACONS` where it has beacons. `GUEST_WATCH` is among them where the host lets guests watch, `DUNGEONS` where the host's
    dungeons can be listed.
    """
    has = {
        "beside": bool(campaign.catch_up.levels_below),
        "kits": bool(campaign.kits),
        "cards": bool(campaign.bents),
        "rescue": bool(campaign.friends.down_turns),
        LENDS: campaign.friends.lends,
        GUEST_WATCH: guests,
        BEACONS: bool(campaign.beacons.places),
        DUNGEONS: listed,
        SURFACES: bool(campaign.surfaces or campaign.devices),
    }
    return tuple(each for each in (*ABILITIES, DEFLATE, REPLAYS, DUNGEONS) if has.get(each, True))


def older_client_words(campaign: Campaign, abilities: frozenset[str]) -> str:
    """Return what a client without some abilities of this campaign cannot do, in one sentence; "" for a newer one."""
    offered = _abilities(campaign, guests=False)
    lacks = [words for ability, words in _LACKS.items() if ability in offered and ability not in abilities]
    return f"Your client is older. It cannot {'; it cannot '.join(lacks)}. A newer one can." if lacks else ""


def refusal(players: Players, account: int, players_max: int, now_ms: int) -> Bye | None:
    """Return why an account is not let in now: a recent chat flood, or a full dungeon; else None."""
    player = players.by_account(account)
    wait_ms = player.attendance.shut_until_ms - now_ms if player is not None else 0
    if wait_ms > 0:
        return Bye("slow", f"You spoke far too fast; come back in {-(-wait_ms // 1_000)} s.")
    takes_over = player is not None and player.connection != 0
    return full(players_max) if not takes_over and players.count_connected() >= players_max else None


def full(players_max: int) -> Bye:
    """Return the refusal of a full dungeon."""
    return Bye("full", f"The dungeon is full ({players_max} players); try again later.")


def is_full(players: Players, players_max: int, name: str) -> bool:
    """Return whether the dungeon is full for this name: only a connected player may join again, in place of themselves.

    This needs no account, so a crowd at a full dungeon costs the database nothing.
    """
    if players.count_connected() < players_max:
        return False
    folded = text.fold(name)
    return all(text.fold(player.name) != folded for player in players.connected())


def is_login_allowed(status: AdmissionStatus, dungeon: Dungeon, players: Players, name: str) -> bool:
    """Return whether a connection may log in by name, and not only resume by a token."""
    if status is AdmissionStatus.RESERVED:
        return _has_been_here(dungeon, players, name)
    return status is not AdmissionStatus.RETURNING


def _has_been_here(dungeon: Dungeon, players: Players, name: str) -> bool:
    """Return whether a name has a life here, or has played since the server started."""
    folded = text.fold(name)
    lives = [life.name for life in dungeon.realm.lives.values()]
    return any(text.fold(each) == folded for each in (*players.names(), *lives))


def password_answer(answer: Account | Error | Bye) -> Error | PasswordStatus:
    """Return the answer to a change of a password, which never ends the connection."""
    if isinstance(answer, Bye):
        return Error("busy", answer.text)
    return answer if isinstance(answer, Error) else PasswordStatus(password=True, fresh=True)
