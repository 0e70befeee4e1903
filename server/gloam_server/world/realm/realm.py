"""The realm: the state that all levels share, as one more state machine.

Lives, and bodies that are not in play.
"""

from typing import Final, assert_never

from msgspec import UNSET, Struct, UnsetType, field

from gloam_server.content.campaign import Campaign
from gloam_server.world.items.starting_kit import give_starting_kit
from gloam_server.world.model import inputs
from gloam_server.world.model.creature import Creature, new_creature
from gloam_server.world.model.events import Archived, LifeRestored, PlayerDied, SentIntoPlay
from gloam_server.world.model.ids import REALM_PARTITION, new_id
from gloam_server.world.model.inputs import Envelope
from gloam_server.world.realm.archived_life import encode_life
from gloam_server.world.realm.beacons import Beacons, begin_at, light, pass_day, start_at
from gloam_server.world.realm.chronicle import Chronicle, ChronicleEntry, FirstAtDepth, LifeEnded, life_ended
from gloam_server.world.realm.fame import Fame, record_fame, trophies_of
from gloam_server.world.realm.lineage import lineage_name
from gloam_server.world.realm.parties import Parties, change_parties
from gloam_server.world.realm.young_life import may_go_beside
from gloam_shared.level_numbers import PartitionId

ARRIVAL_LEVEL = 1

CHRONICLE_MAX: Final = 200
"""The number of finished lives that are kept."""


class Life(Struct):
    """A player's present life: the body's number, and the level where it is or would return to.

    `kept` is the body while it is out of play. `visited` are the levels that remember it.
    """

    number: int
    name: str
    partition: PartitionId = field(name="place")
    kept: Creature | None = None
    visited: list[PartitionId] = field(default_factory=list)

    def enter(self, partition: PartitionId) -> None:
        """Note the level that the body is on now."""
        self.partition = partition
        if partition not in self.visited:
            self.visited.append(partition)


class Realm(Struct):
    """All state that no single level owns. `arrival` is the cell on level 1 where new lives begin.

    `fallen` are the last lives of players without a next life, by account: a player who was cut off at the moment of death
    sees how they died, whenever they return. `born` counts the lives of each account;
    `visited` are the levels where players have been; `chronicle` are the newest ended lives, the newest last,
    and `events` all notable events, including those lives. `left` is for each absent account the number of
    events it has seen; `deepest` is the deepest level that a player has reached, `fame` the named creatures.
    `slain` are the levels whose boss was killed, with its kind: it appears again when a new life begins. `parties` is
    unset until the first party, `archived` without an archived life: by account, the record that archived it. `reached` is
    the greatest depth of the ended lives of each account, unset before the first; `kits` is the kit of each account's
    last life that chose one, from 1, unset before the first; `beacons` are the lit ones, unset before the first.
    """

    arrival: int
    sequence: int = 0
    minted: int = 0
    lives: dict[int, Life] = field(default_factory=dict)
    deaths: int = 0
    born: dict[int, int] = field(default_factory=dict)
    chronicle: list[ChronicleEntry] = field(default_factory=list)
    slain: dict[int, str] = field(default_factory=dict)
    fallen: dict[int, PlayerDied] = field(default_factory=dict)
    rules_version: int = 0
    libraries: str = ""
    visited: list[int] = field(default_factory=list)
    heard: dict[int, tuple[int, int]] = field(default_factory=dict)
    events: Chronicle = field(default_factory=Chronicle)
    left: dict[int, int] = field(default_factory=dict)
    deepest: int = 0
    fame: Fame = field(default_factory=Fame)
    parties: Parties | UnsetType = UNSET
    archived: dict[int, int] | UnsetType = UNSET
    reached: dict[int, int] | UnsetType = UNSET
    kits: dict[int, int] | UnsetType = UNSET
    beacons: Beacons | UnsetType = UNSET

    def __post_init__(self) -> None:
        """Fill in what worlds of rules version 7 and before lack: the deepest level, and lives as events."""
        if self.deepest:
            return
        visited = [partition for life in self.lives.values() for partition in life.visited]
        self.deepest = max([ARRIVAL_LEVEL, *visited, *(entry.depth for entry in self.chronicle)])
        for entry in self.chronicle:
            self.events.write(
                LifeEnded(
                    entry.name, entry.account, entry.won, entry.by, entry.depth, entry.level, entry.turns
                )
            )


def was_played(realm: Realm, account: int) -> bool:
    """Return whether a player has acted, or has anything that others may miss: then their account stays.

    A login alone brings a body that never acted: a script could leave any number of them.
    """
    life = realm.lives.get(account)
    if life is None or life.kept is None or realm.born.get(account) != 1:
        return account in realm.born or life is not None
    body = life.kept
    given = any(item.bound != body.number for item in body.carried)
    return bool(body.actions or given or parties_of(realm).of(account))


def _forget_life(realm: Realm, account: int) -> tuple[inputs.Output, ...]:
    """Forget a life that was never played, and what the levels remember of it."""
    if account not in realm.lives or was_played(realm, account):
        return ()
    life = realm.lives.pop(account)
    del realm.born[account]
    realm.left.pop(account, None)
    return tuple(Envelope(partition, inputs.Remove(life.number, "")) for partition in life.visited)


def deepest_of(realm: Realm, account: int) -> int:
    """Return the greatest depth that an ended life of an account has reached; 0 without one."""
    noted = realm.reached.get(account, 0) if isinstance(realm.reached, dict) else 0
    return max([noted, *(entry.depth for entry in realm.chronicle if entry.account == account)])


def last_kit_of(realm: Realm, account: int) -> int:
    """Return the kit of an account's last ended life that chose one, from 1; 0 without one."""
    return realm.kits.get(account, 0) if isinstance(realm.kits, dict) else 0


def archived_of(realm: Realm) -> dict[int, int]:
    """Return the accounts with an archived life, each with the record that archived it."""
    return realm.archived if isinstance(realm.archived, dict) else {}


def may_archive(realm: Realm, account: int) -> bool:
    """Return whether a life may go out of memory: it was played, it is out of play, and its player is in no party."""
    life = realm.lives.get(account)
    away = life is not None and life.kept is not None and parties_of(realm).of(account) is None
    return away and was_played(realm, account)


def _change_life(
    realm: Realm, input_: inputs.ForgetLife | inputs.ArchiveLife | inputs.RestoreLife
) -> tuple[inputs.Output, ...]:
    """Carry out an input about a life that leaves memory, for ever or until its player returns."""
    match input_:
        case inputs.ForgetLife(account):
            return _forget_life(realm, account)
        case inputs.ArchiveLife(account):
            return _archive_life(realm, account)
        case inputs.RestoreLife():
            return _restore_life(realm, input_)


def _archive_life(realm: Realm, account: int) -> tuple[inputs.Output, ...]:
    """Give what the realm holds of a life away, and ask the levels for what they remember of it."""
    if not may_archive(realm, account):
        return ()
    life = realm.lives.pop(account)
    assert life.kept is not None
    whole = inputs.ArchivedLife(
        life.kept, life.partition, life.visited, realm.left.pop(account, realm.events.written)
    )
    realm.archived = archived_of(realm)
    realm.archived[account] = realm.sequence
    return (
        Archived(account, life.number, REALM_PARTITION, realm.sequence, encode_life(whole)),
        *(Envelope(partition, inputs.TakeMemory(account, life.number)) for partition in life.visited),
    )


def _restore_life(realm: Realm, input_: inputs.RestoreLife) -> tuple[inputs.Output, ...]:
    """Take an archived life back, once; without its rows it is lost, and the player's next life begins."""
    account, life, archived = input_.account, input_.life, archived_of(realm)
    if archived.get(account) != input_.archived:
        return ()
    del archived[account]
    realm.archived = archived or UNSET
    restored = LifeRestored(account, input_.archived, realm.sequence)
    if life is None:
        return (restored,)
    body, realm.left[account] = life.body, life.left
    realm.lives[account] = Life(body.number, body.name, life.partition, body, life.visited)
    return (
        restored,
        *(Envelope(partition, inputs.GiveMemory(body.number, known)) for partition, known in input_.memory),
    )


def apply_realm(realm: Realm, campaign: Campaign, input_: inputs.RealmInput) -> tuple[inputs.Output, ...]:
    """Apply one input to the realm and return its outputs to levels."""
    realm.sequence += 1
    match input_:
        case inputs.EnterPlay():
            return _enter(realm, campaign, input_)
        case inputs.StoreBody(body, partition, source):
            if inputs.accept_once(realm.heard, source):
                life = realm.lives[body.account]
                life.kept, life.partition = body, partition
                realm.left[body.account] = realm.events.written
            return ()
        case inputs.RecordDeath(fallen, source):
            return _record_death(realm, campaign, fallen) if inputs.accept_once(realm.heard, source) else ()
        case inputs.RecordMove(account, partition, source):
            if inputs.accept_once(realm.heard, source):
                life = realm.lives[account]
                life.enter(partition)
                _note_chart(realm, account, partition)
                if partition > realm.deepest:
                    realm.deepest = partition
                    realm.events.write(FirstAtDepth(life.name, account, partition))
                if partition not in realm.visited:
                    realm.visited.append(partition)
            return ()
        case inputs.ForgetLife() | inputs.ArchiveLife() | inputs.RestoreLife():
            return _change_life(realm, input_)
        case inputs.RecordBeacon() | inputs.PassDay():
            return _change_beacons(realm, campaign, input_)
        case inputs.AdoptRules(version, libraries):
            realm.rules_version, realm.libraries = version, libraries
            return ()
        case inputs.JoinParty() | inputs.LeaveParty() | inputs.LeadParty() | inputs.ChooseInParty():
            return _change_party(realm, input_)
        case (
            inputs.RecordRenown()
            | inputs.RecordNamedMove()
            | inputs.RecordNamedDeath()
            | inputs.RecordTurns()
            | inputs.RecordTrophy()
        ):
            return (
                record_fame(realm.fame, realm.events, campaign.named, input_)
                if inputs.accept_once(realm.heard, input_.source)
                else ()
            )
        case _:
            assert_never(input_)


def parties_of(realm: Realm) -> Parties:
    """Return the parties of a realm; without any, an empty one that is not the realm's."""
    return realm.parties if isinstance(realm.parties, Parties) else Parties()


def _change_party(realm: Realm, input_: inputs.PartyInput) -> tuple[inputs.Output, ...]:
    """Carry out an input about parties, and let the bodies of those share who do so now."""
    if not isinstance(realm.parties, Parties):
        realm.parties = Parties()
    change = change_parties(realm.parties, input_)
    outputs: list[inputs.Output] = []
    for account in change.accounts:
        life = realm.lives.get(account)
        if life is not None and life.kept is not None:
            _let_share(realm, life.kept, life.partition)
        elif life is not None:
            _note_chart(realm, account, life.partition)
            shared, member = realm.parties.numbers_for(account)
            outputs.append(Envelope(life.partition, inputs.ShareMaps(life.number, shared, member=member)))
    if change.ended is not None:
        outputs += [
            Envelope(partition, inputs.DropChart(change.ended.number))
            for partition in change.ended.partitions
        ]
    return tuple(outputs)


def _let_share(realm: Realm, body: Creature, partition: PartitionId) -> None:
    """Let a body that is out of play, or goes to a level now, share what it will see as its player chose."""
    shared, member = parties_of(realm).numbers_for(body.account)
    body.party, body.member = shared or UNSET, member or UNSET
    _note_chart(realm, body.account, partition)


def _note_chart(realm: Realm, account: int, partition: PartitionId) -> None:
    if isinstance(realm.parties, Parties):
        realm.parties.note_partition(account, partition)


def beacons_of(realm: Realm) -> Beacons:
    """Return the lit beacons of a realm; without any, an empty one that is not the realm's."""
    return realm.beacons if isinstance(realm.beacons, Beacons) else Beacons()


def _change_beacons(
    realm: Realm, campaign: Campaign, input_: inputs.RecordBeacon | inputs.PassDay
) -> tuple[inputs.Output, ...]:
    if isinstance(input_, inputs.PassDay):
        return pass_day(beacons_of(realm), realm.events, campaign, input_)
    if not inputs.accept_once(realm.heard, input_.source):
        return ()
    realm.beacons = beacons_of(realm)
    life = realm.lives.get(input_.account)
    return light(realm.beacons, realm.events, campaign, input_, life.name if life else "A player")


def _enter(realm: Realm, campaign: Campaign, input_: inputs.EnterPlay) -> tuple[inputs.Output, ...]:
    account = input_.account
    if account in archived_of(realm):  # only `RestoreLife` ends that: a life must not be lost by coming in
        return ()
    fallen = realm.fallen.pop(account, None)
    realm.left.pop(account, None)
    life = realm.lives.get(account)
    if life is None:
        return _begin_life(realm, campaign, input_, fallen)
    if life.kept is None:
        return ()
    body, life.kept = life.kept, None
    if body.name != input_.name:  # the owner returned after their name was released
        body.name = life.name = input_.name
        body.family = lineage_name(input_.name, realm.born.get(account, 0))
    start = begin_at(beacons_of(realm), campaign, body, input_.beacon)
    beside = start or (input_.beside if may_go_beside(body) else None)
    _let_share(realm, body, life.partition if beside is None else beside.partition)
    if beside is None:
        return (SentIntoPlay(body, life.partition, body.cell),)
    life.enter(beside.partition)
    return (_sent_beside(campaign, body, beside),)


def _sent_beside(campaign: Campaign, body: Creature, beside: inputs.Beside) -> SentIntoPlay:
    """Return how a new body goes to a friend's side; it is to rise to a level a few below theirs (rule F92)."""
    level = max(body.level, beside.level - campaign.catch_up.levels_below)
    return SentIntoPlay(body, beside.partition, beside.cell, level)


def _begin_life(
    realm: Realm, campaign: Campaign, input_: inputs.EnterPlay, fallen: PlayerDied | None
) -> tuple[inputs.Output, ...]:
    """Begin a life with the campaign's starting kit, and for an heir with the chosen keepsake."""
    account, name, keepsake, beside = input_.account, input_.name, input_.keepsake, input_.beside
    if beside is None and input_.beacon:
        beside = start_at(beacons_of(realm), campaign, input_.beacon)
    partition = ARRIVAL_LEVEL if beside is None else beside.partition
    body = new_creature(
        campaign.player_kind, _new_id(realm), name=name, account=account, food=campaign.hunger.start
    )
    generation = realm.born[account] = realm.born.get(account, 0) + 1
    body.family = lineage_name(name, generation)
    body.statistics.trophies = trophies_of(realm.fame, account)
    give_starting_kit(campaign, body, lambda: _new_id(realm))
    realm.lives[account] = Life(body.number, name, partition, visited=[partition])
    _let_share(realm, body, partition)
    outputs: list[inputs.Output] = [
        Envelope(each, inputs.Refill()) for each in _levels_to_refill(realm, generation)
    ]
    outputs.append(
        SentIntoPlay(body, partition, realm.arrival)
        if beside is None
        else _sent_beside(campaign, body, beside)
    )
    if fallen is not None and any(left.offered and left.item == keepsake for left in fallen.remains):
        outputs.append(
            Envelope(fallen.partition, inputs.RequestKeepsake(keepsake, fallen.cell, body.number, partition))
        )
    outputs += [Envelope(each, inputs.Respawn(kind)) for each, kind in sorted(realm.slain.items())]
    realm.slain.clear()
    return tuple(outputs)


def _levels_to_refill(realm: Realm, generation: int) -> list[int]:
    """Return the levels to refill: for an heir, all levels where players have been; none for a first life."""
    if generation == 1:
        return []
    return sorted({ARRIVAL_LEVEL, *realm.visited})


def _new_id(realm: Realm) -> int:
    realm.minted += 1
    return new_id(REALM_PARTITION, realm.minted)


def _record_death(realm: Realm, campaign: Campaign, fallen: PlayerDied) -> tuple[inputs.Output, ...]:
    life = realm.lives.pop(fallen.account)
    realm.deaths += 1
    realm.fallen[fallen.account] = fallen
    name, depth = fallen.family or fallen.name, fallen.deepest
    realm.chronicle.append(
        ChronicleEntry(name, fallen.account, fallen.won, fallen.by, depth, fallen.level, fallen.turns)
    )
    if campaign.kits:
        reached = {} if realm.reached is UNSET else realm.reached
        realm.reached = reached | {fallen.account: deepest_of(realm, fallen.account)}
    if fallen.kit is not UNSET:
        realm.kits = ({} if realm.kits is UNSET else realm.kits) | {fallen.account: fallen.kit}
    del realm.chronicle[:-CHRONICLE_MAX]
    realm.events.write(life_ended(fallen))
    realm.left[fallen.account] = realm.events.written
    if fallen.won and campaign.victory.rule == "slay":
        realm.slain[fallen.partition] = campaign.victory.creature
    return tuple(
        Envelope(other, inputs.Remove(fallen.number, ""))
        for other in life.visited
        if other != fallen.partition
    )
