"""The party: open invites and members, and what each can be asked. Costs no time."""

from dataclasses import dataclass
from string import ascii_lowercase
from typing import NamedTuple

from gloam_client.input import keymap
from gloam_client.render.panels.party_bar import member_words
from gloam_client.screens.common.command_effects import message, offline_notice
from gloam_client.screens.common.keyed_screen import MarkedScreen
from gloam_client.screens.common.lettered_list import Pick, Way
from gloam_client.screens.common.window import draw_window
from gloam_client.screens.party.party_requests import ABILITY, ask, own_choices
from gloam_client.state.client_effects import SendMessage
from gloam_client.state.model import Model, Push, Update
from gloam_client.state.players.party import PATIENCE_WORDS
from gloam_client.terminal.canvas import Canvas
from gloam_shared.protocol.messages import parties
from gloam_shared.text import clean, fold

_ALONE = "You are in no party."
_ALONE_STEP = f"{_ALONE} Press i to invite a player."


class _Row(NamedTuple):
    """One line: an invite, or a member of the party."""

    name: str
    invites: bool
    words: str


@dataclass(frozen=True, slots=True)
class PartyScreen(MarkedScreen):
    """Invites and members, with one marked."""

    marked: int = 0
    state: str = "party"

    def on_key(self, model: Model, key: str) -> Update:
        """Mark a line, answer an invite, or ask something of the party."""
        rows = _rows(model)
        row = rows[min(self.marked, len(rows) - 1)] if rows else None
        match keymap.intent(model.options.keys, self.state, key):
            case "take" | "decline" as intent if row is not None and row.invites:
                return ask(model, parties.AnswerInvite(row.name, intent == "take"))
            case "take" | "decline":
                return message("That is no invite; i invites a player.", "quiet")
            case "invite":
                return _invite(model)
            case "lead" | "send away" as intent:
                return _of_member(model, row, intent)
            case "share" | "patience" | "leave" as intent:
                return _of_own(model, intent)
            case other:
                return self.answer_list(model, other, key, len(rows))

    def draw(self, model: Model, canvas: Canvas) -> None:
        """Draw invites and members, and what the player has chosen."""
        rows = _rows(model)
        lines = [row.words for row in rows] or [_ALONE]
        draw_window(
            canvas,
            model,
            "Your party",
            lines,
            self.shown_mark(len(rows)),
            head=_head(model),
            foot=_foot(model),
        )

    def hints(self, model: Model) -> list[tuple[str, str]]:
        """Return the keys that do something now."""
        invited = ["take", "decline"] if model.company.party.open_invites(model.now_ms) else []
        member = ["share", "patience", "leave"] if model.company.party.members else []
        intents = [*invited, "invite", *member, "help", "back"]
        return keymap.hints(model.options.keys, self.state, intents)


def open_party(model: Model) -> Update:
    """Open the screen of the party; return a message if the server does not support it."""
    if ABILITY not in model.world.abilities:
        return message("This server is older and knows no parties; its host can upgrade it.")
    return Update(Push(PartyScreen()))


def _rows(model: Model) -> list[_Row]:
    invites = [
        _Row(name, invites=True, words=f"{name} invites you")
        for name in model.company.party.open_invites(model.now_ms)
    ]
    members = [
        _Row(each.name, invites=False, words=_describe(model, each.name))
        for each in model.company.party.members
    ]
    return [*invites, *members]


def _describe(model: Model, name: str) -> str:
    member = model.company.party.member(name)
    assert member is not None
    marks = [
        word
        for word, holds in (
            ("leads", member.marks & parties.MemberMark.LEADER),
            ("you", fold(name) == fold(model.name)),
            ("keeps the map", not member.marks & parties.MemberMark.SHARES),
            (PATIENCE_WORDS[min(member.patience, 2)], member.patience),
        )
        if holds
    ]
    return member_words(model, member) + (f" ({', '.join(marks)})" if marks else "")


def _head(model: Model) -> list[str]:
    if not model.company.party.members:
        return []
    chosen = own_choices(model)
    shares = "You share maps and your place." if chosen.shares else "You share no maps, and get none."
    return [f"{shares} The party's patience: {PATIENCE_WORDS[min(model.company.party.patience, 2)]}.", ""]


def _foot(model: Model) -> str:
    if not model.company.party.members:
        return "Two to eight players can be a party. It shares maps, and lasts through deaths."
    return "The longest patience that a member asks for counts, in turns of the party alone."


def _invite(model: Model) -> Update:
    """Return the list of players who can be invited; a message if there is none."""
    names = sorted(clean(friend.name) for friend in model.strangers)[: len(ascii_lowercase)]
    if not names:
        return message("No other player is in the dungeon who is not in your party; wait until one comes.")
    ways = tuple(Way(name, (SendMessage(parties.InviteToParty(name)),)) for name in names)
    return offline_notice(model) or Update(Push(Pick("Invite which player to your party?", ways)))


def _of_member(model: Model, row: _Row | None, intent: str) -> Update:
    """Return the request about the marked member: to lead, or to be sent away."""
    if row is None or row.invites or not model.company.party.members:
        return message(_ALONE_STEP if not model.company.party.members else "Mark a member first.", "quiet")
    if intent == "send away":
        return ask(model, parties.LeaveParty(row.name))
    own = fold(row.name) == fold(model.name)
    return ask(model, parties.LeadParty("" if own else row.name))


def _of_own(model: Model, intent: str) -> Update:
    """Return the request about the player's own membership."""
    if not model.company.party.members:
        return message(_ALONE_STEP, "quiet")
    chosen = own_choices(model)
    match intent:
        case "share":
            return ask(model, parties.SetPartyChoices(not chosen.shares, chosen.patience))
        case "patience":
            return ask(
                model, parties.SetPartyChoices(chosen.shares, (chosen.patience + 1) % len(PATIENCE_WORDS))
            )
        case _:
            return ask(model, parties.LeaveParty())
