"""The recipients of the words of a channel: the one place that decides it."""

from collections.abc import Collection

from gloam_server.engine.player import Player
from gloam_server.engine.players import Players
from gloam_server.world.realm.realm import Realm, parties_of
from gloam_shared.protocol.messages.chat import Speak
from gloam_shared.text import capitalize_name, clean, fold


def recipients(players: Players, realm: Realm, speaker: Player, words: Speak) -> list[Player]:
    """Return the connected players who hear words of `speaker`, by account; the speaker is among them.

    Empty if no other player could hear a whisper, or if there is no party: `refusal` says so.
    """
    hearers = [
        each for each in players.connected() if each is speaker or each.audience.hears(speaker.account)
    ]
    match words.channel:
        case "say" | "emote":
            return hearers
        case "party":
            party = party_of(realm, speaker.account)
            return [each for each in hearers if each.account in party]
        case "whisper":
            named = [each for each in hearers if each is not speaker and speaker.audience.hears(each.account)]
            named = [each for each in named if fold(each.name) == fold(words.target)]
            return [*named, speaker] if named else []


def party_of(realm: Realm, account: int) -> Collection[int]:
    """Return the accounts in the party of an account, with its own; empty without a party."""
    party = parties_of(realm).of(account)
    return () if party is None else [member.account for member in party.members]


def refusal(speaker: Player, words: Speak) -> str:
    """Return why words reach no player, as a sentence for their speaker.

    It is the same for a player who is not here and for a player who does not hear the speaker.
    """
    if words.channel == "party":
        return "You are in no party; these words reach no one."
    name = capitalize_name(clean(words.target))
    if not name:
        return "Name the player who should hear it: /w NAME TEXT."
    if any(fold(each.name) == fold(name) for each in speaker.audience.ignored.values()):
        return f"You do not hear {name}, who could not answer you; /unignore {name} first."
    return f"{name} is not here, or does not hear you; speak to all, or wait."
