"""Inputs to the server: through framing and decoding alone, through a session in each state, and into a live world.

Most are cheap, one in twelve reaches a whole server: real connections, sessions, beats and levels under a manual clock,
with an honest player among the attackers who must be answered all the while.
"""

from collections import Counter
from functools import cache

from gloam_lab.invariants import check_invariants
from gloam_server.content.campaign import Campaign
from gloam_server.net import proxy_protocol
from gloam_server.sessions.effects import Effect, Send
from gloam_server.sessions.session import Session, State
from gloam_server.storage.store import Store
from gloam_shared import limits
from gloam_shared.protocol.codec import Malformed, decode_from_client, encode
from gloam_shared.protocol.framing import ForeignProtocol, Framer, FrameTooLarge, first_frame, frame
from gloam_shared.protocol.messages.login import Bye, Error, Hello, Login, Welcome
from gloam_shared.protocol.registry import ABILITIES, PROTOCOL_VERSION, FromClient
from support.content.campaigns import arena, shipped
from support.fuzz import broken_frames, typed_values
from support.fuzz.attackers import Attacker
from support.fuzz.honest_player import Honest
from support.fuzz.rounds import Faults
from support.server.proxy_header import OWN_LINE, UNKNOWN_LINE, header
from support.server.sim_server import SimServer
from support.simulation.randomness import Chance
from support.storage.memory_store import MemoryStore
from support.storage.writing import write

CAMPAIGNS = ("arena", "jsrogue", "gloam", "arena", "rltut", "ruggrogue")
"""The campaigns of the rounds, in turn."""
CODES = frozenset("empty depth elements malformed utf8 type keys range unknown".split())
WELCOME = Welcome(PROTOCOL_VERSION, "Fuzz", 0, 8, abilities=ABILITIES)
MESSAGES = typed_values.makers(FromClient)
_MAKERS = list(MESSAGES.values())
_WIRE, _SESSION = 0.8, 0.92
_PROXIED = 0.02
_LOOK_EVERY = 20
CROWDED = 40
_REFUSALS = (None, None, Error("auth", "No."), Error("name", "No."), Bye("banned", "No."))


class ServerRound:
    """One round: a fresh world, some sessions, and everything that arrives."""

    def __init__(self, chance: Chance, at: int, faults: Faults) -> None:
        self.chance = chance
        self.shown = ""
        self.tally: Counter[str] = Counter()
        self._faults = faults
        self._now_ms = 0
        self._sessions = [Session(0, WELCOME) for _ in range(4)]
        name = CAMPAIGNS[at % len(CAMPAIGNS)]
        campaign = arena(monsters=6) if name == "arena" else shipped(name)
        self.server = SimServer(campaign, store=_copied(_founded(name)))
        self._honest = Honest(self.server)
        self._attackers = [Attacker(self.server, chance, role) for role in range(7)]
        self._worldly = 0
        self._looked = {partition: level.sequence for partition, level in self.server.dungeon.levels.items()}

    def step(self) -> None:
        """Send one more input."""
        luck = self.chance.random()
        if luck < _WIRE:
            self._to_wire()
        elif luck < _SESSION:
            self._to_session()
        else:
            self._to_world()

    def end(self) -> None:
        """All attackers hang up; the honest player is served still, and no line and no timer of theirs is left."""
        for attacker in self._attackers:
            attacker.hang_up()
        self._honest.must_be_served()
        assert self.server.connections.open == 1, (
            f"{self.server.connections.open} lines are counted, one is open"
        )
        assert self.server.timers() < 8, f"{self.server.timers()} timers are left"
        self._look()

    def _to_proxy(self) -> None:
        """However a proxy's header is sliced, it is understood or refused alike, with few bytes held."""
        data = any_header(self.chance)
        self.shown = data.hex()
        self.tally["headers of proxies"] += 1
        held, sliced = b"", None
        for piece in broken_frames.sliced(self.chance, data):
            held += piece
            sliced = _header(held)
            if sliced is not None:
                break
        assert sliced == _header(data)
        assert sliced is not None or len(held) < proxy_protocol.HEADER_MAX

    def _to_wire(self) -> None:
        if self.chance.random() < _PROXIED:
            self._to_proxy()
            return
        data = any_frame(self.chance)
        self.shown = data.hex()
        self.tally["framed and decoded"] += 1
        framer = Framer(self.chance.choice((limits.FRAME_BEFORE_LOGIN_MAX, limits.FRAME_FROM_CLIENT_MAX)))
        try:
            bodies = [
                body for piece in broken_frames.sliced(self.chance, data) for body in framer.feed(piece)
            ]
        except (FrameTooLarge, ForeignProtocol):
            self.tally["refused as frames"] += 1
            return
        for body in bodies:
            message = self._decoded(body)
            if message is not None and self.chance.random() < 0.1:
                assert decode_from_client(encode(message)) == message

    def _decoded(self, body: bytes) -> FromClient | None:
        try:
            message = decode_from_client(body)
        except Malformed as fault:
            _check_refusal(fault)
            self.tally[f"refused as {fault.code}"] += 1
            return None
        self.tally["messages"] += 1
        return message

    def _to_session(self) -> None:
        chance = self.chance
        at = chance.randrange(len(self._sessions))
        session = self._sessions[at]
        if session.state is State.CLOSED and chance.random() < 0.5:
            session = self._sessions[at] = Session(self._now_ms, WELCOME)
        body = any_body(chance)
        if chance.random() < 0.3:
            body = encode(_on_the_way(session))
        self.shown = f"{session.state} {body.hex()}"
        self.tally["to a session"] += 1
        self._now_ms += chance.choice((0, 1, 33, 33, 40, 1_000))
        self._heed(session, session.admit(self._now_ms) or [])
        try:
            message = decode_from_client(body)
        except Malformed as fault:
            self._heed(session, session.reject_malformed(fault, self._now_ms))
        else:
            self._heed(session, session.receive(message, self._now_ms))
        if chance.random() < 0.1:
            self._heed(session, session.tick(self._now_ms))
        if chance.random() < 0.01:
            self._heed(session, session.end("replaced", "Another came."))

    def _heed(self, session: Session, effects: list[Effect]) -> None:
        for effect in effects:
            if isinstance(effect, Send):
                encode(effect.message)
            elif isinstance(effect, Login):
                self._heed(session, session.login_checked(self.chance.choice(_REFUSALS)))

    def _to_world(self) -> None:
        attacker = self.chance.choice(self._attackers)
        self.tally["to a live world"] += 1
        self.shown = attacker.prepare()
        attacker.send()
        self.server.clock.advance(self.chance.choice((0, 0, 1, 10, 35, 70)) / 1_000)
        attacker.take()
        assert not self.server.fatal, self.server.fatal[0]
        self._faults.check()
        self._worldly += 1
        if self._worldly % _LOOK_EVERY == 0:
            self._honest.live()
            self._look()
            self._endanger()

    def _look(self) -> None:
        for partition, level in self.server.dungeon.levels.items():
            if level.sequence > self._looked.get(partition, 0):
                self._looked[partition] = level.sequence
                check_invariants(level)

    def _endanger(self) -> None:
        """Put a strong monster beside someone, so that attackers are held, hurt and killed."""
        bodies = [body for _, _, body in self.server.engine.players.in_play()]
        if not bodies:
            return
        body = self.chance.choice(bodies)
        partition = next(
            at for at, level in self.server.dungeon.levels.items() if body.number in level.creatures
        )
        if len(self.server.dungeon.levels[partition].creatures) < CROWDED:
            self.server.put(self.chance.choice(_strong(self.server.campaign)), body.cell, partition)


def _check_refusal(fault: Malformed) -> None:
    """A refusal has one of the codes of PROTOCOL.md, and a text that quotes nothing."""
    assert fault.code in CODES, fault.code
    assert fault.text.isprintable(), fault.text


def _strong(campaign: Campaign) -> list[str]:
    """Return the kinds of monsters that strike hardest."""
    kinds = [kind for key, kind in campaign.creatures.items() if key != campaign.player and kind.tasks]
    kinds.sort(key=lambda kind: kind.attack)
    return [kind.key for kind in kinds[-4:]]


def any_body(chance: Chance) -> bytes:
    """Return what a frame may hold: a message, one with parts that are wrong, one with bytes that are, or none at all."""
    luck = chance.random()
    raw = chance.choice(_MAKERS)(chance)
    if luck < 0.15:
        return broken_frames.pack(raw)
    if luck < 0.6:
        raw = typed_values.spoiled(chance, raw)
        return broken_frames.pack(raw if luck < 0.45 else typed_values.spoiled(chance, raw))
    if luck < 0.9:
        return broken_frames.bitten(chance, broken_frames.pack(raw))
    return chance.choice(broken_frames.NASTY)


def any_frame(chance: Chance) -> bytes:
    """Return bytes that may arrive over a line."""
    luck = chance.random()
    if luck < 0.8:
        heads = (first_frame, frame)
        return b"".join(head(any_body(chance)) for head in heads[: chance.choice((1, 1, 2))])
    if luck < 0.87:
        return broken_frames.misframed(chance, any_body(chance))
    return broken_frames.raw_bytes(chance)


def any_header(chance: Chance) -> bytes:
    """Return bytes that may arrive where a proxy's header is due."""
    luck = chance.random()
    if luck < 0.1:
        return any_frame(chance)
    host = "203.0.113.7" if luck < 0.5 else "2001:db8::7"
    whole = chance.choice((OWN_LINE, UNKNOWN_LINE, header(host, more=broken_frames.raw_bytes(chance)[:500])))
    return broken_frames.bitten(chance, whole) if luck < 0.8 else whole


def _header(data: bytes) -> proxy_protocol.Header | str | None:
    try:
        return proxy_protocol.parse(data)
    except proxy_protocol.BadHeader:
        return "bad"


def _on_the_way(session: Session) -> Hello | Login:
    return Hello(PROTOCOL_VERSION, "fuzz") if session.state is State.GREETING else Login("Fuzz", b"t" * 32)


@cache
def _founded(name: str) -> Store:
    """Return the store of a world that was just founded: to begin from it is quicker than to make one."""
    return SimServer(arena(monsters=6) if name == "arena" else shipped(name), seed=5).store


def _copied(store: Store) -> MemoryStore:
    copy = MemoryStore()
    identity = store.directory.identity()
    assert identity is not None
    copy.directory.create_identity(identity)
    for partition in store.partitions():
        first = store.snapshots.oldest(partition)
        write(copy, list(store.journal.read(partition, 0)), [first] if first is not None else [])
    return copy
