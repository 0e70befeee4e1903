"""The client's one step: (model, input, now) -> model and effects. Pure; the only place where the model changes."""

from dataclasses import replace
from typing import Final, assert_never

from gloam_client.input.mouse import MouseEvent
from gloam_client.render.camera import follow_body
from gloam_client.screens.company_news import take_company_news
from gloam_client.screens.lists.level_up import note_default_choice
from gloam_client.screens.map.exploration import mark_explored, next_exit
from gloam_client.screens.paste_target import paste_into
from gloam_client.screens.pointing import point
from gloam_client.screens.replays.take_shown import take_shown
from gloam_client.screens.session.dead import DeathScreen
from gloam_client.screens.session.kit_screen import offer_kits
from gloam_client.screens.session.password_prompt import (
    wants_to_leave,
    with_password_prompt,
    with_password_status,
)
from gloam_client.screens.session.records import take_record
from gloam_client.screens.story import StoryScreen
from gloam_client.screens.trade.start_trade import without_trade
from gloam_client.screens.unasked import (
    ask_player,
    enter_play,
    note_unasked,
    refuse_key,
    take_death,
)
from gloam_client.screens.watching.watch_view import begin_watching, end_watching, take_watching
from gloam_client.state import client_events, thinking_notice
from gloam_client.state.bell import rings
from gloam_client.state.client_effects import (
    ClientEffect,
    LeaveGame,
    RememberChoice,
    RememberLine,
    SendMessage,
    SetOptions,
    ShowMessage,
    Suspend,
)
from gloam_client.state.connection_status import ConnectionStatus
from gloam_client.state.event_log import merge_log
from gloam_client.state.guidance.hints import alternative_for, with_hints
from gloam_client.state.guidance.next_steps import next_step
from gloam_client.state.map import friend_locations, item_memory
from gloam_client.state.map.pings import with_ping
from gloam_client.state.map.sightings import (
    NOTHING_SEEN,
    announcement,
    carried_out,
    shows_turn,
    update_sightings,
)
from gloam_client.state.model import (
    Model,
    Pop,
    Update,
    add_absence,
    add_message,
    apply_change,
    expire_flash,
    push_below_line,
    show_flash,
)
from gloam_client.state.new_view import take_view
from gloam_client.state.players.joining_friends import note_arrival
from gloam_client.state.players.ladder import HERE
from gloam_client.state.players.spoken import with_words, words_after_view
from gloam_shared.appearance import Terrain
from gloam_shared.narration.rendering import depth_text
from gloam_shared.protocol.messages.chat import ChatLine, MapPinged, Shunned, Spoken
from gloam_shared.protocol.messages.lives import ChooseKit, Died, Recap
from gloam_shared.protocol.messages.login import Bye, Error, Joined, Notice, Welcome
from gloam_shared.protocol.messages.parties import PartyInvite, PartyState
from gloam_shared.protocol.messages.play import Answer, Pace, Thinking
from gloam_shared.protocol.messages.records import Chronicle, History, Ladder
from gloam_shared.protocol.messages.trade import TradeState
from gloam_shared.protocol.messages.watching import Watchable, Watchers, Watching
from gloam_shared.protocol.registry import FromServer
from gloam_shared.text import clean, fold

_CODES_NOT_SHOWN: Final = frozenset({"replaced", "stopped"})
"""Answers that need no words, because the player caused them."""
_NOT_BEGUN: Final = frozenset({"no_foe", "no_way"})
"""Reasons of plans that ended before their first step: the player sees them as refusals."""
REPEAT_MS: Final = 150
"""The same key again within this time is a held key: terminals repeat every 20 to 50 ms, and report no release."""
_NO_TURN: Final = Pace(held=False, waiting=False, plan=False)
"""The turn state after death."""


def update(
    model: Model, happened: client_events.ClientEvent, now_ms: int
) -> tuple[Model, tuple[ClientEffect, ...]]:
    """Return the model after an input, and the requested effects."""
    before = model
    model, wanted = _step(replace(model, now_ms=now_ms), happened)
    wanted += rings(before, model, happened)
    model = note_unasked(before, with_password_prompt(before, with_hints(model)), happened)
    if wants_to_leave(model):
        return apply_change(model, Pop()), (*wanted, LeaveGame())
    due_ms = thinking_notice.thinking_due_ms(model)
    if due_ms is not None and due_ms <= now_ms:
        return replace(model, thinking_sent_ms=now_ms), (*wanted, SendMessage(Thinking()))
    return model, wanted


def _step(model: Model, happened: client_events.ClientEvent) -> tuple[Model, tuple[ClientEffect, ...]]:
    model = expire_flash(model, key=isinstance(happened, client_events.KeyPressed))
    if isinstance(happened, client_events.KeyPressed):
        repeated = happened.key == model.last_key and model.now_ms - model.key_ms <= REPEAT_MS
        model = replace(model, key_ms=model.now_ms, last_key=happened.key, repeated=repeated, fresh=0)
        return _key(model, happened.key)
    if isinstance(happened, client_events.TextPasted):
        model = replace(model, key_ms=model.now_ms, fresh=0)
        if model.too_small:
            return model, ()
        refused = refuse_key(model)
        return (refused, ()) if refused else _apply_reaction(model, paste_into(model, happened.text))
    if isinstance(happened, client_events.MouseUsed):
        return (model, ()) if model.too_small else _point(model, happened.event)
    return _external_event(model, happened), ()


def _point(model: Model, event: MouseEvent) -> tuple[Model, tuple[ClientEffect, ...]]:
    if event.action != "move" and (refused := refuse_key(model, event.action)) is not None:
        return refused, ()
    reaction = point(model, event)
    if isinstance(reaction, Update):
        model = model if event.action == "move" else replace(model, key_ms=model.now_ms, fresh=0)
        return _apply_reaction(model, reaction)
    wanted: list[ClientEffect] = []
    for key in reaction:
        model, more = _step(model, client_events.KeyPressed(key))
        wanted += more
    return model, tuple(wanted)


def _external_event(model: Model, happened: client_events.FromOutside) -> Model:
    """Return the model after anything but a key."""
    match happened:
        case client_events.MessagesReceived():
            return _receive_messages(model, happened)
        case client_events.CommandSent(command, since_ms):
            wire = model.connection._replace(unanswered_since_ms=since_ms)
            return replace(model, connection=wire, last_command=command, turn=model.turn + 1, kits=())
        case client_events.JoinStarted(name, address, watches=True):
            return begin_watching(model, name, address)
        case client_events.JoinStarted(name, address, _, once):
            model = end_watching(model)
            wire = ConnectionStatus("joining", since_ms=model.now_ms)
            return replace(enter_play(model), name=name, connection=wire, address=address, one_life=once)
        case client_events.ConnectionLost(text, since_ms, retry_ms):
            since_ms = (
                model.connection.since_ms if model.connection.state == "down" else max(since_ms, model.now_ms)
            )
            return replace(model, connection=ConnectionStatus("down", text, since_ms, retry_ms))
        case client_events.ConnectionRestored(away_ms):
            return add_absence(model, max(away_ms // 1_000, 1))
        case client_events.JoinFailed() | client_events.CredentialsAsked() | client_events.ServerStopped():
            return ask_player(model, happened)
        case client_events.Resized(width, height):
            return follow_body(replace(model, size=(width, height)))
        case client_events.TimerFired():
            return model
        case client_events.Notice(text, tone):
            return add_message(model, text, tone)
        case client_events.MemoryLoaded(things, friends):
            return replace(
                model,
                recall=item_memory.restore_item_memory(things, model.recall, model.view),
                whereabouts=friend_locations.restore_locations(friends, model.whereabouts, model.view),
            )
        case client_events.LadderCame() | client_events.HomeChanged() | client_events.ReplayMoved():
            return take_shown(model, happened)
        case client_events.ServerAddress(text, private):
            return replace(model, address=text, private=private)
        case _:
            assert_never(happened)


def _key(model: Model, key: str) -> tuple[Model, tuple[ClientEffect, ...]]:
    if key == "CTRL_Z":
        return model, (Suspend(),)
    if model.too_small:
        return model, (LeaveGame(),) if key == "CTRL_C" else ()
    if (refused := refuse_key(model, key)) is not None:
        return refused, ()
    return _apply_reaction(model, model.top.on_key(model, key))


def _apply_reaction(model: Model, reaction: Update) -> tuple[Model, tuple[ClientEffect, ...]]:
    """Apply a screen's reaction to the model; return the effects left for others."""
    model = apply_change(model, reaction.change)
    passed: list[ClientEffect] = []
    for intent in reaction.intents:
        match intent:
            case ShowMessage(text, tone, kept):
                model = add_message(model, text, tone) if kept else show_flash(model, text, tone)
            case RememberChoice(where, what):
                model = replace(model, remembered={**model.remembered, where: what})
            case RememberLine(line):
                model = replace(model, words=model.words.finished(line))
            case SetOptions(options):
                model = replace(model, options=options)
                passed.append(intent)
            case SendMessage(ChooseKit()):
                model = replace(model, kits=())
                passed.append(intent)
            case _:
                passed.append(intent)
    return model, tuple(passed)


def _receive_messages(model: Model, heard: client_events.MessagesReceived) -> Model:
    joins = any(isinstance(message, Joined | Watchable) for message in heard.messages)
    state = "joined" if joins else model.connection.state
    done = carried_out(heard.messages)
    if done and model.connection.unanswered_since_ms is None:  # not the command of this client: a replay
        model = replace(model, turn=model.turn + 1)
    wire = model.connection.heard(state, heard.heard_ms, heard.unanswered_since_ms, heard.round_trip_ms)
    model = replace(model, connection=wire, name=heard.name)
    later = words_after_view(heard.messages)
    for message in heard.messages:
        if message not in later:
            model = _receive_message(with_password_status(model, message), message)
    turn, new = shows_turn(model.view, heard.view, heard.messages), heard.view is not model.view
    if new:
        before, model = model, follow_body(merge_log(take_view(model, heard.view, done=done), heard.view.log))
        model = note_arrival(before, note_default_choice(before, model))
    if new or turn:
        model = _announce_sightings(model, turn=turn)
    for message in later:
        model = _receive_message(model, message)
    for message in heard.messages:
        if isinstance(message, Died):  # the summary follows the blow in the view's log
            model = _died(model, message)
        elif isinstance(message, MapPinged):  # its text depends on where the player is now
            model = with_ping(model, message)
        elif isinstance(message, Answer):  # it speaks of what the view shows
            model = _plan_ended(model, message)
    return replace(model, pace=_NO_TURN if model.dead else heard.pace)


def _take_welcome(model: Model, welcome: Welcome) -> Model:
    model = replace(
        model,
        recall=model.recall if model.realm == welcome.realm else {},
        whereabouts=model.whereabouts if model.realm == welcome.realm else friend_locations.NO_LOCATIONS,
        realm=welcome.realm,
        campaign=clean(welcome.campaign),
        story=clean(welcome.story),
        guide=model.guide._replace(goal=clean(welcome.goal)),
        damage=welcome.damage,
        choosing=clean(welcome.choosing),
        marks=welcome.marks,
        terrain_words=tuple(clean(words) for words in welcome.terrain[: len(Terrain)]),
        recalls=welcome.recall == "things",
        abilities=frozenset(welcome.abilities),
        ladder=model.ladder.without(HERE),
        party=model.party.unknown(),
    )
    if model.in_dungeon:
        return model
    players = welcome.players
    others = f", with {players} player{'s' if players > 1 else ''} in it" if players else ""
    return add_message(model, f"Welcome to the dungeon of {welcome.campaign}{others}. ? shows the keys.")


def _take_joined(model: Model, life: int) -> Model:
    """Return the model in a life; after a death, with a message where the last grave is."""
    over = [screen.life for screen in model.screens if isinstance(screen, DeathScreen)]
    alive = without_trade(model)
    alive = replace(alive, screens=tuple(screen for screen in alive.screens if screen.state != "dead"))
    if life == model.life:
        return alive
    for last in over:
        grave = "" if last.won else f" The grave of your last one is on depth {depth_text(last.depth)}."
        alive = add_message(alive, f"A new life begins.{grave}")
    alive = replace(alive, fights=alive.fights.next_life(), sightings=NOTHING_SEEN, announced_at=-1)
    return replace(alive, life=life, log_next=0, recall={}, explored={})


def _teach(model: Model, life: int, *, begins: bool) -> Model:
    """Return the model with the first-life hints given here or by an earlier run of the client."""
    if model.advice is not None or model.in_dungeon:
        return model
    none_yet = frozenset[str]() if begins and life == 1 else None
    return replace(model, advice=model.given.get(fold(model.name), none_yet))


def _begin(model: Model, life: int) -> Model:
    """Return the model at the start of a life: nothing is known yet, and the world may be a new one."""
    model = replace(model, recall={}, explored={})
    if model.in_dungeon:
        return model
    return push_below_line(model, StoryScreen()) if model.story and life == 1 else model


def _receive_message(model: Model, message: FromServer) -> Model:
    match message:
        case Welcome():
            return _take_welcome(model, message)
        case Joined(number=number, life=life, kits=kits):
            model = _teach(model, life, begins=not number)
            return offer_kits(_take_joined(_begin(model, life) if not number else model, life), life, kits)
        case Pace():
            return replace(
                model, pace_ms=model.now_ms, thinking_sent_ms=thinking_notice.last_notice_ms(model, message)
            )
        case ChatLine() | Spoken() | Shunned():
            return with_words(model, message)
        case Answer(code="ended", reason=reason, text=text) if reason in _NOT_BEGUN:
            return show_flash(model, text + next_step(model, reason), "refused")
        case Answer(code="ended" | "explored" | "foe"):
            return model
        case Answer(code=code, reason=reason, text=text) if text and code not in _CODES_NOT_SHOWN:
            return show_flash(
                model, text + (alternative_for(model, code) or next_step(model, reason)), "refused"
            )
        case Notice(text):
            notice = clean(text)
            return (
                add_message(replace(model, notice=notice), notice, "urgent")
                if notice
                else replace(model, notice="")
            )
        case Error(text=text) if text:
            return show_flash(model, text, "refused")
        case Bye(text=text) if text:
            return add_message(model, text, "refused")
        case Died():
            return take_death(model, message)
        case History() | Chronicle() | Recap() | Ladder():
            return take_record(model, message)
        case TradeState() | PartyState() | PartyInvite():
            return take_company_news(model, message)
        case Watchable() | Watching() | Watchers():
            return take_watching(model, message)
        case _:
            return model


def _plan_ended(model: Model, answer: Answer) -> Model:
    """Return the model with the reason why a plan ended, and how to continue from an explored level."""
    match answer:
        case Answer(code="explored", text=text) if model.in_dungeon:
            model = mark_explored(model)
            return add_message(model, f"{text} {next_exit(model).advice}")
        case Answer(code="foe") if model.announced_at == model.turn:
            return model
        case Answer(reason=reason) if reason in _NOT_BEGUN:
            return model
        case Answer(code="ended" | "explored" | "foe", text=text) if text:
            return add_message(model, text)
        case _:
            return model


def _announce_sightings(model: Model, *, turn: bool) -> Model:
    """Return the model with the foes announced that have entered view."""
    sightings, new = update_sightings(model.sightings, model.view, turn=turn)
    model = replace(model, sightings=sightings)
    if not new or not model.in_dungeon:
        return model
    model = replace(model, announced_at=model.turn)
    return add_message(model, announcement(new, model.view, model.damage), "urgent")


def _died(model: Model, died: Died) -> Model:
    """Return the model with the summary of an ended life in its log."""
    for words in died.life:
        model = add_message(model, words)
    return model
