"""The client's one step: (model, input, now) -> model and effects. Pure; the only place where the model changes."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final, TypeAlias, assert_never

from msgspec.structs import replace

from gloam_client.input.mouse import MouseEvent
from gloam_client.render.camera import follow_body
from gloam_client.screens import conversation, unasked
from gloam_client.screens.lists.chronicle import asks_for_wanted, take_chronicle
from gloam_client.screens.lists.ladder import take_ladder
from gloam_client.screens.lists.level_up import note_default_choice
from gloam_client.screens.map.cursor import take_history
from gloam_client.screens.map.exploration import plan_ended, take_answer
from gloam_client.screens.party.party_requests import take_party
from gloam_client.screens.pointing import paste_into, point
from gloam_client.screens.replays.replay_view import take_replay
from gloam_client.screens.session.dead import take_recap
from gloam_client.screens.session.keep_name import take_own_link
from gloam_client.screens.session.password_prompt import (
    take_password_status,
    wants_to_leave,
    with_password_prompt,
)
from gloam_client.screens.title.dungeons import offer_dungeons
from gloam_client.screens.trade.start_trade import take_trade
from gloam_client.screens.watching.watch_view import begin_watching, end_watching, take_watching
from gloam_client.state import client_effects, client_events, thinking_notice
from gloam_client.state.bell import rings
from gloam_client.state.guidance.hints import with_hints
from gloam_client.state.map.pings import with_ping
from gloam_client.state.map.sightings import carried_out, shows_turn
from gloam_client.state.model import (
    Model,
    Pop,
    Update,
    add_absence,
    add_message,
    apply_change,
    expire_flash,
    show_flash,
)
from gloam_client.state.new_view import (
    announce_sightings,
    note_friends,
    note_items,
    note_log,
    note_stains,
    take_view,
)
from gloam_client.state.players.joining_friends import note_arrival
from gloam_client.state.players.spoken import with_words, words_after_view
from gloam_shared.protocol.messages import login, play
from gloam_shared.protocol.messages.chat import ChatLine, Ignored, MapPinged, Spoken
from gloam_shared.protocol.messages.dungeons import Dungeons
from gloam_shared.protocol.messages.lives import BeginAtBeacon, ChooseKit, Died, Recap
from gloam_shared.protocol.messages.parties import PartyInvite, PartyState
from gloam_shared.protocol.messages.play import Answer, Heartbeat, Pace, Thinking
from gloam_shared.protocol.messages.records import Chronicle, History, Ladder, MapMemory, News
from gloam_shared.protocol.messages.replays import ReplayPart
from gloam_shared.protocol.messages.trade import TradeState
from gloam_shared.protocol.messages.watching import BansChanged, Watchable, WatchChoice, Watchers, Watching
from gloam_shared.protocol.registry import FromServer

REPEAT_MS: Final = 150
"""The same key again within this time is a held key: terminals repeat every 20 to 50 ms, and report no release."""
_NO_TURN: Final = Pace(held=False, waiting=False, plan=False)
"""The turn state after death."""


Handler: TypeAlias = Callable[[Model, Any], Model]

HANDLERS: Final = MappingProxyType[type[FromServer], Handler](
    {
        login.Welcome: conversation.take_welcome,
        login.Joined: conversation.take_joined,
        login.Notice: conversation.take_notice,
        login.Error: conversation.take_error,
        login.PasswordStatus: take_password_status,
        login.Bye: conversation.take_bye,
        Pace: thinking_notice.take_pace,
        Answer: take_answer,
        ChatLine: with_words,
        Spoken: with_words,
        Ignored: with_words,
        Died: unasked.take_death,
        Recap: take_recap,
        History: take_history,
        Chronicle: take_chronicle,
        Ladder: take_ladder,
        TradeState: take_trade,
        PartyState: take_party,
        PartyInvite: take_party,
        Watchable: take_watching,
        Watching: take_watching,
        Watchers: take_watching,
        WatchChoice: take_watching,
        BansChanged: take_watching,
    }
)
"""The handler of each message that changes the model, in the module of the screen that shows it."""

AFTER_VIEW: Final = MappingProxyType[type[FromServer], Handler](
    {Died: unasked.with_life_in_log, MapPinged: with_ping, Answer: plan_ended}
)
"""Handlers that follow the new view: the summary of a life stands below the blow, a ping and an answer speak of the view."""

NOTES_OF_VIEW: Final[tuple[Callable[[Model, Model], Model], ...]] = (
    note_items,
    note_stains,
    note_friends,
    note_log,
    lambda _before, model: follow_body(model),
    note_default_choice,
    note_arrival,
)
"""The notes of a new view, in their order: each takes the model before the view and the model so far."""

CONNECTION_ONLY: Final[frozenset[type[FromServer]]] = frozenset(
    {
        login.Status,
        play.Update,
        MapMemory,
        Heartbeat,
        login.ResumeToken,
        ReplayPart,
        News,
        Dungeons,
    }
)
"""The other messages: the connection alone takes them."""


def update(
    model: Model, happened: client_events.ClientEvent, now_ms: int
) -> tuple[Model, tuple[client_effects.ClientEffect, ...]]:
    """Return the model after an input, and the requested effects."""
    before = model
    model, wanted = _step(replace(model, now_ms=now_ms), happened)
    wanted += (*rings(before, model, happened), *asks_for_wanted(before, model))
    model = unasked.note_unasked(before, with_password_prompt(before, with_hints(before, model)), happened)
    if wants_to_leave(model):
        return apply_change(model, Pop()), (*wanted, client_effects.LeaveGame())
    due_ms = thinking_notice.thinking_due_ms(model)
    if due_ms is not None and due_ms <= now_ms:
        return replace(model, keys=replace(model.keys, thinking_sent_ms=now_ms)), (
            *wanted,
            client_effects.SendMessage(Thinking()),
        )
    return model, wanted


def _step(
    model: Model, happened: client_events.ClientEvent
) -> tuple[Model, tuple[client_effects.ClientEffect, ...]]:
    model = expire_flash(model, key=isinstance(happened, client_events.KeyPressed))
    if isinstance(happened, client_events.KeyPressed):
        repeated = happened.key == model.keys.last_key and model.now_ms - model.keys.pressed_ms <= REPEAT_MS
        model = replace(
            model,
            keys=replace(model.keys, pressed_ms=model.now_ms, last_key=happened.key, repeated=repeated),
            messages=replace(model.messages, fresh=0),
        )
        return _key(model, happened.key)
    if isinstance(happened, client_events.TextPasted):
        model = replace(
            model,
            keys=replace(model.keys, pressed_ms=model.now_ms),
            messages=replace(model.messages, fresh=0),
        )
        if model.too_small:
            return model, ()
        refused = unasked.refuse_key(model)
        return (refused, ()) if refused else _apply_reaction(model, paste_into(model, happened.text))
    if isinstance(happened, client_events.MouseUsed):
        return (model, ()) if model.too_small else _point(model, happened.event)
    if isinstance(happened, client_events.OwnLinkReceived):
        return _apply_reaction(*take_own_link(model, happened))
    if isinstance(happened, client_events.DungeonsReceived):
        return _apply_reaction(model, offer_dungeons(happened))
    return _external_event(model, happened), ()


def _point(model: Model, event: MouseEvent) -> tuple[Model, tuple[client_effects.ClientEffect, ...]]:
    if event.action != "move" and (refused := unasked.refuse_key(model, event.action)) is not None:
        return refused, ()
    reaction = point(model, event)
    if isinstance(reaction, Update):
        model = (
            model
            if event.action == "move"
            else replace(
                model,
                keys=replace(model.keys, pressed_ms=model.now_ms),
                messages=replace(model.messages, fresh=0),
            )
        )
        return _apply_reaction(model, reaction)
    wanted: list[client_effects.ClientEffect] = []
    for key in reaction:
        model, more = _step(model, client_events.KeyPressed(key))
        wanted += more
    return model, tuple(wanted)


def _external_event(model: Model, happened: client_events.FromOutside) -> Model:
    """Return the model after anything but a key."""
    match happened:
        case client_events.MessagesReceived():
            return _receive_messages(model, happened)
        case client_events.CommandSent():
            return conversation.take_command(model, happened)
        case client_events.JoinStarted(name, address, watches=True):
            return begin_watching(model, name, address)
        case client_events.JoinStarted():
            return unasked.take_start(end_watching(model), happened)
        case client_events.ConnectionLost():
            return conversation.take_cut(model, happened)
        case client_events.ConnectionRestored(away_ms):
            return add_absence(model, max(away_ms // 1_000, 1))
        case client_events.JoinFailed() | client_events.CredentialsAsked() | client_events.ServerStopped():
            return unasked.ask_player(model, happened)
        case client_events.Resized(width, height):
            return follow_body(replace(model, surface=replace(model.surface, size=(width, height))))
        case client_events.TimerFired():
            return model
        case client_events.Notice(text, tone):
            return add_message(model, text, tone)
        case client_events.MemoryLoaded(items, friends):
            return replace(model, memory=model.memory.restore(items, friends, model.view))
        case (
            client_events.LadderReceived()
            | client_events.HomeChanged()
            | client_events.ReplaysListed()
            | client_events.ReplayMoved()
        ):
            return _show_outside(model, happened)
        case client_events.ServerAddress(text, private):
            return replace(model, server=replace(model.server, address=text, private=private))
        case _:
            assert_never(happened)


def _show_outside(
    model: Model,
    news: client_events.LadderReceived
    | client_events.HomeChanged
    | client_events.ReplaysListed
    | client_events.ReplayMoved,
) -> Model:
    """Return the model with a ladder, the lists of the title, or the place of a replay."""
    match news:
        case client_events.LadderReceived(owner, answer):
            return replace(
                model, records=replace(model.records, ladder=model.records.ladder.take(owner, answer))
            )
        case client_events.HomeChanged(home):
            return replace(model, home=home._replace(replays=model.home.replays))
        case client_events.ReplaysListed(replays):
            return replace(model, home=model.home._replace(replays=replays))
        case client_events.ReplayMoved(shown):
            return take_replay(model, shown)


_SPARED_MS: Final = 300
"""The time for which the letter of an item that was used without a list is no command."""
_SPARED: Final = "{key} was not needed: there was only one to choose. Press it again for its own command."


def _key(model: Model, key: str) -> tuple[Model, tuple[client_effects.ClientEffect, ...]]:
    if key == "CTRL_Z":
        return model, (client_effects.Suspend(),)
    if model.too_small:
        return model, (client_effects.LeaveGame(),) if key == "CTRL_C" else ()
    if (refused := unasked.refuse_key(model, key)) is not None:
        return refused, ()
    spared, model = model.keys, replace(model, keys=replace(model.keys, spared=""))
    if key == spared.spared and model.now_ms < spared.spared_until_ms:
        return show_flash(model, _SPARED.format(key=key), "quiet"), ()
    return _apply_reaction(model, model.top.on_key(model, key))


def _apply_reaction(model: Model, reaction: Update) -> tuple[Model, tuple[client_effects.ClientEffect, ...]]:
    """Apply a screen's reaction to the model; return the effects left for others."""
    model = apply_change(model, reaction.change)
    passed: list[client_effects.ClientEffect] = []
    for intent in reaction.intents:
        match intent:
            case client_effects.ShowMessage(text, tone, kept):
                model = add_message(model, text, tone) if kept else show_flash(model, text, tone)
            case client_effects.RememberChoice(where, what):
                model = replace(
                    model, memory=replace(model.memory, choices={**model.memory.choices, where: what})
                )
            case client_effects.SpareLetter(letter):
                until_ms = model.now_ms + _SPARED_MS
                model = replace(model, keys=replace(model.keys, spared=letter, spared_until_ms=until_ms))
            case client_effects.RememberLine(line):
                model = replace(
                    model, company=replace(model.company, words=model.company.words.finished(line))
                )
            case client_effects.SetOptions(options):
                model = replace(model, options=options)
                passed.append(intent)
            case client_effects.SendMessage(ChooseKit()):
                model = replace(model, login=replace(model.login, kits=()))
                passed.append(intent)
            case client_effects.SendMessage(BeginAtBeacon()):
                model = replace(model, login=replace(model.login, beacons=()))
                passed.append(intent)
            case _:
                passed.append(intent)
    return model, tuple(passed)


def _receive_messages(model: Model, heard: client_events.MessagesReceived) -> Model:
    joins = any(isinstance(message, login.Joined | Watchable) for message in heard.messages)
    state = "joined" if joins else model.connection.state
    done = carried_out(heard.messages)
    if done and model.connection.unanswered_since_ms is None:  # not the command of this client: a replay
        model = replace(model, turn=model.turn + 1)
    wire = model.connection.heard(state, heard.heard_ms, heard.unanswered_since_ms, heard.round_trip_ms)
    model = replace(model, connection=wire, name=heard.name)
    later = words_after_view(heard.messages)
    for message in heard.messages:
        if message not in later:
            model = _receive(model, message)
    turn, new = shows_turn(model.view, heard.view, heard.messages), heard.view is not model.view
    if new:
        before, model = model, take_view(model, heard.view, done=done)
        for note in NOTES_OF_VIEW:
            model = note(before, model)
    if new or turn:
        model = announce_sightings(model, turn=turn)
    for message in later:
        model = _receive(model, message)
    for message in heard.messages:
        model = _receive(model, message, AFTER_VIEW)
    pace = _NO_TURN if model.dead else heard.pace
    return model if pace == model.pace else replace(model, pace=pace)


def _receive(
    model: Model, message: FromServer, handlers: Mapping[type[FromServer], Handler] = HANDLERS
) -> Model:
    handler = handlers.get(type(message))
    return model if handler is None else handler(model, message)
