"""Requests of a player about the party, by a key or by a client command, and the server's answers."""

from typing import Final

from msgspec.structs import replace

from gloam_client.input import keymap
from gloam_client.screens.common.command_effects import message, offline_notice
from gloam_client.state.client_effects import SendMessage, ShowMessage
from gloam_client.state.model import Model, Pop, Update, add_message
from gloam_client.state.players.party import PATIENCE_WORDS
from gloam_shared.protocol.messages import parties
from gloam_shared.text import clean

ABILITY: Final = "parties"
_OLDER: Final = "This server is older and knows no parties; its host can upgrade it."
WORDS: Final = frozenset({"invite", "join", "decline", "leave", "lead", "share", "patience"})
"""The first words of those that send something; `/party` opens the screen."""


def take_party(model: Model, news: parties.PartyState | parties.PartyInvite) -> Model:
    """Return the model after the server's news of the party or of an invite."""
    model = replace(model, company=replace(model.company, party=model.company.party.take(news, model.now_ms)))
    if isinstance(news, parties.PartyInvite) and news.seconds:
        name = clean(news.name)
        keys = model.options.keys
        party = keymap.key_for(keys, "play", "party")
        join, decline = (keymap.key_for(keys, "party", intent) for intent in ("take", "decline"))
        text = f"{name} invites you to a party, which shares maps. {party} lists it: there {join} joins, {decline} declines."
        return add_message(model, text, "urgent")
    return model


def ask(model: Model, request: parties.PartyRequest) -> Update:
    """Return the effect that sends a request, or the message why it cannot be sent."""
    if offline := offline_notice(model):
        return offline
    if ABILITY not in model.world.abilities:
        return message(_OLDER)
    return Update(intents=(SendMessage(request),))


def run_party_command(model: Model, words: list[str]) -> Update:
    """Return the reaction to a client command about the party; the chat line closes unless nothing can be sent."""
    request = _request(model, words[0], words[1:])
    if isinstance(request, str):
        return Update(Pop(), (ShowMessage(request, "refused"),))
    reaction = ask(model, request)
    return reaction if offline_notice(model) else reaction._replace(change=Pop())


def own_choices(model: Model) -> parties.SetPartyChoices:
    """Return what the player has chosen in their party until now."""
    own = model.company.party.member(model.name)
    return parties.SetPartyChoices(
        own is None or bool(own.marks & parties.MemberMark.SHARES), own.patience if own is not None else 0
    )


def _request(model: Model, command: str, rest: list[str]) -> parties.PartyRequest | str:
    name = rest[0] if rest else ""
    match command:
        case "invite":
            return parties.InviteToParty(name) if name else "Name the player: /invite NAME."
        case "join" | "decline":
            return parties.AnswerInvite(name, command == "join")
        case "leave":
            return parties.LeaveParty(name)
        case "lead":
            return parties.LeadParty(name)
        case "share":
            chosen = own_choices(model)
            if name not in ("on", "off"):
                return "Say whether you share maps: /share on, or /share off."
            return parties.SetPartyChoices(name == "on", chosen.patience)
        case _:
            return _patience(model, " ".join(rest))


def _patience(model: Model, words: str) -> parties.PartyRequest | str:
    if words not in PATIENCE_WORDS:
        return (
            "Say how long turns should wait: /patience normal, /patience patient, or /patience very patient."
        )
    return parties.SetPartyChoices(own_choices(model).shares, PATIENCE_WORDS.index(words))
