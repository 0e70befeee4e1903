"""The messages around play: the welcome, the start of a life, notices, errors, the end of the connection."""

from msgspec.structs import replace

from gloam_client.screens.session.dead import DeathScreen
from gloam_client.screens.session.kit_screen import offer_kits
from gloam_client.screens.session.password_prompt import with_refused_password
from gloam_client.screens.story import StoryScreen
from gloam_client.screens.trade.start_trade import without_trade
from gloam_client.state.client_events import CommandSent, ConnectionLost
from gloam_client.state.map import friend_locations
from gloam_client.state.map.sightings import NOTHING_SEEN
from gloam_client.state.model import Model, add_message, push_below_line, show_flash
from gloam_client.state.players.ladder import HERE
from gloam_client.state.records import ConnectionStatus
from gloam_shared.appearance import Terrain
from gloam_shared.narration.rendering import depth_text
from gloam_shared.protocol.messages.login import Bye, Error, Joined, Notice, Welcome
from gloam_shared.text import clean, fold


def take_welcome(model: Model, welcome: Welcome) -> Model:
    """Return the model in a realm that a server has introduced."""
    model = replace(
        model,
        memory=replace(
            model.memory,
            recall=model.memory.recall if model.world.realm == welcome.realm else {},
            stains=model.memory.stains if model.world.realm == welcome.realm else {},
            whereabouts=model.memory.whereabouts
            if model.world.realm == welcome.realm
            else friend_locations.NO_LOCATIONS,
        ),
        world=replace(
            model.world,
            realm=welcome.realm,
            campaign=clean(welcome.campaign),
            story=clean(welcome.story),
            damage=welcome.damage,
            choosing=clean(welcome.choosing),
            marks=welcome.marks,
            terrain_words=tuple(clean(words) for words in welcome.terrain[: len(Terrain)]),
            recalls=welcome.recall == "things",
            abilities=frozenset(welcome.abilities),
        ),
        guidance=replace(model.guidance, guide=model.guidance.guide._replace(goal=clean(welcome.goal))),
        records=replace(model.records, ladder=model.records.ladder.without(HERE)),
        company=replace(model.company, party=model.company.party.unknown()),
    )
    if model.in_dungeon:
        return model
    players = welcome.players
    others = f", with {players} player{'s' if players > 1 else ''} in it" if players else ""
    return add_message(model, f"Welcome to the dungeon of {welcome.campaign}{others}. ? shows the keys.")


def take_joined(model: Model, joined: Joined) -> Model:
    """Return the model of a player who is in the dungeon: in the same life as before a cut, or in a new one."""
    model = _teach(model, joined.life, begins=not joined.number)
    if not joined.number:
        model = _begin(model, joined.life)
    return offer_kits(_in_life(model, joined.life), joined.life, joined.kits, joined.beacons)


def take_notice(model: Model, notice: Notice) -> Model:
    """Return the model with the banner of the server, or without one."""
    banner = clean(notice.text)
    model = replace(model, server=replace(model.server, notice=banner))
    return add_message(model, banner, "urgent") if banner else model


def take_error(model: Model, error: Error) -> Model:
    """Return the model that shows why the server refused a request."""
    model = with_refused_password(model, error)
    return show_flash(model, error.text, "refused") if error.text else model


def take_command(model: Model, sent: CommandSent) -> Model:
    """Return the model after a command of the player: a turn of theirs, which ends the choice of a kit and of a beacon."""
    return replace(
        model,
        connection=model.connection._replace(unanswered_since_ms=sent.unanswered_since_ms),
        turn=model.turn + 1,
        keys=replace(model.keys, last_command=sent.command),
        login=replace(model.login, kits=(), beacons=()),
    )


def take_cut(model: Model, cut: ConnectionLost) -> Model:
    """Return the model without a connection, since the first failure."""
    down = model.connection.state == "down"
    since_ms = model.connection.since_ms if down else max(cut.since_ms, model.now_ms)
    return replace(model, connection=ConnectionStatus("down", cut.text, since_ms, cut.retry_ms))


def take_bye(model: Model, bye: Bye) -> Model:
    """Return the model with the reason why the server ended the connection."""
    return add_message(model, bye.text, "refused") if bye.text else model


def _in_life(model: Model, life: int) -> Model:
    """Return the model in a life; after a death, with a message where the last grave is."""
    over = [screen.life for screen in model.screens if isinstance(screen, DeathScreen)]
    alive = without_trade(model)
    alive = replace(alive, screens=tuple(screen for screen in alive.screens if screen.state != "dead"))
    if life == model.login.life:
        return alive
    for last in over:
        grave = "" if last.won else f" The grave of your last one is on depth {depth_text(last.depth)}."
        alive = add_message(alive, f"A new life begins.{grave}")
    alive = replace(
        alive,
        fights=alive.fights.next_life(),
        memory=replace(alive.memory, sightings=NOTHING_SEEN),
        messages=replace(alive.messages, announced_at=-1),
    )
    return replace(
        alive,
        login=replace(alive.login, life=life),
        messages=replace(alive.messages, next=0),
        memory=replace(alive.memory, recall={}, explored={}, barred={}, stains={}),
    )


def _teach(model: Model, life: int, *, begins: bool) -> Model:
    """Return the model with the first-life hints given here or by an earlier run of the client."""
    if model.guidance.advice is not None or model.in_dungeon:
        return model
    none_yet = frozenset[str]() if begins and life == 1 else None
    return replace(
        model, guidance=replace(model.guidance, advice=model.guidance.given.get(fold(model.name), none_yet))
    )


def _begin(model: Model, life: int) -> Model:
    """Return the model at the start of a life: nothing is known yet, and the world may be a new one."""
    model = replace(model, memory=replace(model.memory, recall={}, explored={}, barred={}, stains={}))
    if model.in_dungeon:
        return model
    return push_below_line(model, StoryScreen()) if model.world.story and life == 1 else model
