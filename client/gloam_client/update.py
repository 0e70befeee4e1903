"""The client's one step: (model, input, now) -> model and intents. Pure; the only place where the model changes."""

from dataclasses import replace
from typing import Final, assert_never

from gloam_client.render.camera import follow
from gloam_client.render.layout import layout
from gloam_client.screens.map.exploration import as_explored, way_on
from gloam_client.screens.paste_target import pasted
from gloam_client.screens.play import Play
from gloam_client.screens.session.dead import Dead
from gloam_client.screens.session.password_prompt import guarded, leaves, offered
from gloam_client.screens.session.secret_line import Asked, Secret
from gloam_client.screens.session.stopped import Stopped
from gloam_client.screens.session.title import Title
from gloam_client.screens.story import Story
from gloam_client.state import client_events, friend_locations, item_memory, thinking_notice
from gloam_client.state.client_effects import Intent, Leave, Note, Remember, Send, SetOptions, Suspend
from gloam_client.state.hints import advised, way_out
from gloam_client.state.model import (
    Model,
    Pop,
    Push,
    Reaction,
    Screen,
    Wire,
    changed,
    faded,
    flashed,
    noted,
    with_log,
)
from gloam_client.state.pings import heard_call
from gloam_client.state.sightings import NOTHING_SEEN, announced, looked
from gloam_shared.appearance import Terrain
from gloam_shared.narration.rendering import depth_text
from gloam_shared.protocol.messages import (
    Answer,
    Bye,
    ChatLine,
    Died,
    Error,
    FromServer,
    Joined,
    MapPinged,
    Notice,
    Pace,
    Thinking,
    Welcome,
)
from gloam_shared.text import clean, fold

_UNTOLD: Final = frozenset({"replaced", "stopped"})
"""Answers that need no words: the player did it himself."""
REPEAT_MS: Final = 150
"""The same key within this time is a key that is held: terminals repeat every 20 to 50 ms, and tell no releases."""
_NO_TURN: Final = Pace(held=False, waiting=False, plan=False)
"""How time stands for the dead."""


def update(model: Model, happened: client_events.Input, now_ms: int) -> tuple[Model, tuple[Intent, ...]]:
    """Return the model after an input, and what is to be done."""
    before = model
    model, wanted = _step(replace(model, now_ms=now_ms), happened)
    model = offered(before, advised(model))
    if leaves(model):
        return changed(model, Pop()), (*wanted, Leave())
    due_ms = thinking_notice.due_ms(model)
    if due_ms is not None and due_ms <= now_ms:
        return replace(model, thought_ms=now_ms), (*wanted, Send(Thinking()))
    return model, wanted


def _step(model: Model, happened: client_events.Input) -> tuple[Model, tuple[Intent, ...]]:
    model = faded(model, key=isinstance(happened, client_events.Key))
    if isinstance(happened, client_events.Key):
        repeated = happened.key == model.last_key and model.now_ms - model.key_ms <= REPEAT_MS
        model = replace(model, key_ms=model.now_ms, last_key=happened.key, repeated=repeated, fresh=0)
        return _key(model, happened.key)
    if isinstance(happened, client_events.Pasted):
        model = replace(model, key_ms=model.now_ms, fresh=0)
        return (model, ()) if model.too_small else _react(model, pasted(model, happened.text))
    return _came(model, happened), ()


def _came(model: Model, happened: client_events.FromOutside) -> Model:
    """Return the model after anything but a key."""
    match happened:
        case client_events.Heard():
            return _heard(model, happened)
        case client_events.Sent(command, since_ms):
            wire = model.wire._replace(unanswered_since_ms=since_ms)
            return replace(model, wire=wire, asked=command, turn=model.turn + 1)
        case client_events.Joining(name, address):
            wire = Wire("joining", since_ms=model.now_ms)
            return replace(_playing(model), name=name, wire=wire, address=address)
        case client_events.Cut(text, since_ms, retry_ms):
            since_ms = model.wire.since_ms if model.wire.state == "down" else max(since_ms, model.now_ms)
            return replace(model, wire=Wire("down", text, since_ms, retry_ms))
        case client_events.Back(away_ms):
            return noted(model, f"You were away {max(away_ms // 1_000, 1)} s.")
        case client_events.Failed() | client_events.Asked() | client_events.Stopped():
            return _questioned(model, happened)
        case client_events.Resized(width, height):
            return _follow(replace(model, size=(width, height)))
        case client_events.Clock():
            return model
        case client_events.Report(text, tone):
            return noted(model, text, tone)
        case client_events.Recollected(things, friends):
            return replace(
                model,
                recall=item_memory.rejoined(things, model.recall, model.view),
                whereabouts=friend_locations.rejoined(friends, model.whereabouts, model.view),
            )
        case client_events.Address(text, private):
            return replace(model, address=text, private=private)
        case _:
            assert_never(happened)


def _questioned(
    model: Model, happened: client_events.Failed | client_events.Asked | client_events.Stopped
) -> Model:
    """Return the model with the question that stands before the line, or with the title."""
    question: Screen
    match happened:
        case client_events.Failed(text):
            return _failed(model, text)
        case client_events.Asked(code, text):
            question = Secret(Asked.INVITE if code == "invite" else Asked.PASSWORD, clean(text))
        case client_events.Stopped(text):
            question = Stopped(clean(text))
    return replace(model, screens=(*model.screens[:1], question), wire=Wire())


def _key(model: Model, key: str) -> tuple[Model, tuple[Intent, ...]]:
    if key == "CTRL_Z":
        return model, (Suspend(),)
    if model.too_small:
        return model, (Leave(),) if key == "CTRL_C" else ()
    return _react(model, model.top.on_key(model, key))


def _react(model: Model, reaction: Reaction) -> tuple[Model, tuple[Intent, ...]]:
    """Carry out what a screen answers, as far as it is the model's own matter; return what else is to be done."""
    model = changed(model, reaction.change)
    passed: list[Intent] = []
    for intent in reaction.intents:
        match intent:
            case Note(text, tone, kept):
                model = noted(model, text, tone) if kept else flashed(model, text, tone)
            case Remember(where, what):
                model = replace(model, remembered={**model.remembered, where: what})
            case SetOptions(options):
                model = replace(model, options=options)
                passed.append(intent)
            case _:
                passed.append(intent)
    return model, tuple(passed)


def _heard(model: Model, heard: client_events.Heard) -> Model:
    wire = Wire(
        "joined" if model.wire.state == "joined" or _joins(heard.messages) else model.wire.state,
        model.wire.text,
        model.wire.since_ms,
        model.wire.retry_ms,
        heard.unanswered_since_ms,
        heard.heard_ms,
        heard.round_trip_ms,
    )
    model = replace(model, wire=wire, name=heard.name)
    for message in heard.messages:
        model = _told(guarded(model, message), message)
    if heard.view is not model.view:
        model = replace(
            model,
            view=heard.view,
            recall=item_memory.recalled(model.recall, heard.view),
            whereabouts=friend_locations.sighted(model.whereabouts, heard.view),
        )
        model = _sighted(_follow(with_log(model, heard.view.log)))
    for message in heard.messages:
        if isinstance(message, Died):  # its story comes after the blow that the log of the view tells
            model = _mourned(model, message)
        elif isinstance(message, MapPinged):  # it is told as it is seen from where the player stands now
            model = heard_call(model, message)
        elif isinstance(message, Answer):  # it speaks of what the view shows
            model = _plan_ended(model, message)
    return replace(model, pace=_NO_TURN if model.dead else heard.pace)


def _welcomed(model: Model, welcome: Welcome) -> Model:
    model = replace(
        model,
        recall=model.recall if model.realm == welcome.realm else {},
        whereabouts=model.whereabouts if model.realm == welcome.realm else friend_locations.NOTHING,
        realm=welcome.realm,
        story=clean(welcome.story),
        damage=welcome.damage,
        choosing=clean(welcome.choosing),
        marks=welcome.marks,
        terrain_words=tuple(clean(words) for words in welcome.terrain[: len(Terrain)]),
        recalls=welcome.recall == "things",
    )
    if model.in_dungeon:
        return model
    players = welcome.players
    others = f", with {players} player{'s' if players > 1 else ''} in it" if players else ""
    return noted(model, f"Welcome to the dungeon of {welcome.campaign}{others}. ? shows the keys.")


def _joined(model: Model, life: int) -> Model:
    """Return the model in a life; who has begun a new one is told where the last one lies."""
    over = [screen.life for screen in model.screens if isinstance(screen, Dead)]
    alive = replace(model, screens=tuple(screen for screen in model.screens if screen.state != "dead"))
    if life == model.life:
        return alive
    for last in over:
        grave = "" if last.won else f" The grave of your last one is on depth {depth_text(last.depth)}."
        alive = noted(alive, f"A new life begins.{grave}")
    return replace(
        alive, life=life, log_next=0, recall={}, explored={}, sightings=NOTHING_SEEN, announced_at=-1
    )


def _schooled(model: Model, life: int, *, begins: bool) -> Model:
    """Return the model that knows which first-life hints were given, here or by an earlier run of the client."""
    if model.advice is not None or model.in_dungeon:
        return model
    none_yet = frozenset[str]() if begins and life == 1 else None
    return replace(model, advice=model.given.get(fold(model.name), none_yet))


def _begun(model: Model, life: int) -> Model:
    """Return the model at the very beginning of a life: nothing is known yet, maybe of a whole new world."""
    model = replace(model, recall={}, explored={})
    if model.in_dungeon:
        return model
    return changed(model, Push(Story())) if model.story and life == 1 else model


def _joins(messages: tuple[FromServer, ...]) -> bool:
    return any(isinstance(message, Joined) for message in messages)


def _told(model: Model, message: FromServer) -> Model:
    match message:
        case Welcome():
            return _welcomed(model, message)
        case Joined(number=number, life=life):
            model = _schooled(model, life, begins=not number)
            return _joined(_begun(model, life) if not number else model, life)
        case Pace():
            return replace(model, pace_ms=model.now_ms, thought_ms=thinking_notice.told_ms(model, message))
        case ChatLine(name, text):
            return noted(model, f"{name}: {text}" if name else text, "chat" if name else "urgent")
        case Answer(code="ended" | "explored" | "foe"):
            return model
        case Answer(code=code, text=text) if text and code not in _UNTOLD:
            return flashed(model, text + way_out(model, code), "refused")
        case Notice(text):
            told = clean(text)
            return noted(replace(model, notice=told), told, "urgent") if told else replace(model, notice="")
        case Error(text=text) if text:
            return flashed(model, text, "refused")
        case Bye(text=text) if text:
            return noted(model, text, "refused")
        case Died():
            return replace(model, screens=(Play(), Dead(message)))
        case _:
            return model


def _plan_ended(model: Model, answer: Answer) -> Model:
    """Return the model with the reason why a plan is over, and what leads on where nothing is left to explore."""
    match answer:
        case Answer(code="explored", text=text) if model.in_dungeon:
            model = as_explored(model)
            return noted(model, f"{text} {way_on(model).told}")
        case Answer(code="foe") if model.announced_at == model.turn:
            return model
        case Answer(code="ended" | "explored" | "foe", text=text) if text:
            return noted(model, text)
        case _:
            return model


def _sighted(model: Model) -> Model:
    """Return the model after a look at its view: the foes that have come into view are announced."""
    sightings, new = looked(model.sightings, model.view)
    model = replace(model, sightings=sightings)
    if not new or not model.in_dungeon:
        return model
    model = replace(model, announced_at=model.turn)
    return noted(model, announced(new, model.view, model.damage), "urgent")


def _mourned(model: Model, died: Died) -> Model:
    """Return the model with the story of a life in its log."""
    for words in died.life:
        model = noted(model, words)
    return model


def _playing(model: Model) -> Model:
    """Return the model with the title, or a question before the line stands, gone."""
    asks = model.screens[0].state == "title" or any(
        screen.state in ("stopped", "secret") for screen in model.screens
    )
    return replace(model, screens=(Play(),)) if asks else model


def _failed(model: Model, text: str) -> Model:
    return replace(
        model,
        screens=(Title(model.name, typed=True, fault=clean(text)),),
        wire=Wire(),
        entries=(),
        log_next=0,
        recall={},
        explored={},
        sightings=NOTHING_SEEN,
        announced_at=-1,
        address="",
    )


def _follow(model: Model) -> Model:
    """Move the camera so that the body is in sight."""
    place = model.view.place
    if not place.width:
        return model
    area = layout(*model.size).map
    y, x = divmod(model.view.cell, place.width)
    camera = (
        follow(model.camera[0], x, place.width, area.width),
        follow(model.camera[1], y, place.height, area.height),
    )
    return replace(model, camera=camera)
