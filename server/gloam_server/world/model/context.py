"""The turn context: the level, dice and results with which one input is applied. Passed to every action."""

from collections.abc import Iterable
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field

from gloam_server.rules.dice import Dice
from gloam_server.rules.hunger import Work
from gloam_server.world.model.creature import Creature, Item
from gloam_server.world.model.events import BETWEEN_PARTIES, Event, Fact, Narration
from gloam_server.world.model.inputs import Output
from gloam_server.world.model.item_names import item_name
from gloam_server.world.model.level import Level
from gloam_shared.event_kinds import EventKind
from gloam_shared.level_numbers import PartitionId


@dataclass(slots=True)
class TurnContext:
    """The context of one input. `work` is the work of the acting creature's action.

    `acting` is the creature whose action runs, so that a fault can name it; 0 between actions. `renowned` are
    the monsters that gained renown, by number, each with whether it killed a player.
    """

    level: Level
    dice: Dice
    events: list[Event] = field(default_factory=list)
    outputs: list[Output] = field(default_factory=list)
    acting: int = 0
    work: Work = "other"
    renowned: dict[int, bool] = field(default_factory=dict)

    def record(self, fact: Fact) -> None:
        """Record a fact for programs; no log shows it."""
        self.events.append(fact)

    def emit(
        self,
        kind: EventKind,
        actor: Creature,
        target: Creature | None = None,
        *,
        amount: int = 0,
        source: str = "",
        cell: int | None = None,
    ) -> None:
        """Record an event for logs, with its witnesses."""
        where = actor.cell if cell is None else cell
        seen_by = [] if kind in BETWEEN_PARTIES else [body.number for body in self.level.observers(where)]
        for party in (actor, target):
            if party is not None and party.account and party.number not in seen_by:
                seen_by.append(party.number)
        self.events.append(
            Narration(
                kind=kind,
                cell=where,
                actor=actor.number,
                actor_name=actor.name,
                target=target.number if target else 0,
                target_name=target.name if target else "",
                amount=amount,
                source=source,
                witnesses=tuple(seen_by),
            )
        )

    def emit_item_event(
        self,
        kind: EventKind,
        item: Item,
        actor: Creature | None,
        cell: int,
        *,
        amount: int = 0,
        source: str = "",
        only: Creature | None = None,
        but_not: Creature | None = None,
    ) -> None:
        """Record an event about an item on a cell, and its actor, if any, with the witnesses.

        Each witness gets the name that they know for the item now. The witnesses are `only` one player, or all except
        `but_not`, who gets another message.
        """
        seen_by = list(self.level.observers(cell))
        if actor is not None and actor.account and all(body is not actor for body in seen_by):
            seen_by.append(actor)
        seen_by = [body for body in seen_by if body is not but_not and only in (None, body)]
        common = item_name(self.level, item, None)
        names = {
            body.number: name for body in seen_by if (name := item_name(self.level, item, body)) != common
        }
        self.events.append(
            Narration(
                kind=kind,
                cell=cell,
                actor=actor.number if actor else 0,
                actor_name=actor.name if actor else "",
                target=item.number,
                target_name=common,
                amount=amount,
                source=source,
                witnesses=tuple(body.number for body in seen_by),
                names=names,
            )
        )

    def emit_place(
        self,
        kind: EventKind,
        cell: int,
        *,
        source: str,
        also_on: Iterable[int] = (),
        to: AbstractSet[int] | None = None,
    ) -> None:
        """Record an event of a place that no creature is the actor of, with its witnesses.

        The players on and beside the cells `also_on` are among them. With `to` it is for these players only.
        """
        seen_by = [body.number for body in self.level.observers(cell)]
        near = [at for worked in also_on for at in (worked, *self.level.grid.neighbors(worked))]
        bodies = [body for at in near if (body := self.level.at(at)) is not None and body.account]
        witnesses = tuple(dict.fromkeys((*seen_by, *(body.number for body in bodies))))
        witnesses = tuple(each for each in witnesses if to is None or each in to)
        self.events.append(Narration(kind=kind, cell=cell, source=source, witnesses=witnesses))

    def emit_private(
        self, kind: EventKind, who: Creature, *, amount: int = 0, source: str = "", name: str = ""
    ) -> None:
        """Record an event for only one player; `name` is the name of the item concerned."""
        if who.account:
            self.events.append(
                Narration(
                    kind=kind,
                    cell=who.cell,
                    actor=who.number,
                    actor_name=who.name,
                    target_name=name,
                    amount=amount,
                    source=source,
                    witnesses=(who.number,),
                )
            )


class RuleFault(Exception):
    """A rule failed, and the state that it changed is half changed: discard that state and rebuild it.

    `acting` is the number of the creature whose action ran, 0 for none. `partition` is its partition, `body` the
    input as the journal would have stored it, empty for none. The cause is the rule's own exception.
    """

    def __init__(self, acting: int, partition: PartitionId = -1, body: bytes = b"") -> None:
        super().__init__(acting)
        self.creature = acting
        self.partition = partition
        self.body = body

    def __str__(self) -> str:
        """Return a text with the failure, its place and the acting creature."""
        cause = self.__cause__
        what = "a rule failed" if cause is None else f"{type(cause).__name__}: {cause}"
        return f"{what} (partition {self.partition}, creature {self.creature})"
