"""A modified client: well-formed messages and commands at any moment, also those that the shipped client holds back."""

from contextlib import suppress
from typing import Any, Final

import msgspec

from gloam_shared.protocol.commands import AnyCommand
from gloam_shared.protocol.messages.login import Goodbye, SetPassword
from gloam_shared.protocol.messages.play import Acknowledge, HeartbeatReply, SubmitCommand
from gloam_shared.protocol.registry import CLIENT_MESSAGES, FromClient
from gloam_shared.view.view import View
from support.fuzz.typed_values import Make, makers
from support.simulation.randomness import Chance

_OF_THE_CONNECTION: Final = {
    *(kind for kind, row in CLIENT_MESSAGES.items() if "playing" not in row.phases),
    *(Goodbye, Acknowledge, HeartbeatReply, SubmitCommand, SetPassword),
}
"""Messages that have their moment in a connection: at another they end it, as the fuzzer shows."""

_PART: Final = 0.3
"""The part of its moments at which a client forges."""


class Forger:
    """Forges for one player, who knows the others' names; `sent` counts the forged messages by type."""

    def __init__(self, chance: Chance, names: tuple[str, ...]) -> None:
        self.sent: dict[str, int] = {}
        self._chance = chance
        self._names = names
        self._messages = {
            kind: make for kind, make in makers(FromClient).items() if kind not in _OF_THE_CONNECTION
        }
        self._commands = makers(AnyCommand, (0, 40))

    @property
    def kinds(self) -> tuple[type[msgspec.Struct], ...]:
        """The types of messages and commands that it forges."""
        return (*self._messages, *self._commands)

    @property
    def comes(self) -> bool:
        """Whether something is forged now."""
        return self._chance.random() < _PART

    def message(self, life: int) -> FromClient:
        """Return any message, half of the time about a player that exists, and for this life."""
        forged: FromClient = self._forge(self._messages, {"life": [life]})
        return forged

    def command(self, view: View) -> AnyCommand:
        """Return any command, half of the time about a creature and a cell in sight."""
        handles, cells = [each.handle for each in view.creatures], [each.cell for each in view.creatures]
        forged: AnyCommand = self._forge(self._commands, {"handle": handles, "cell": cells})
        return forged

    def _forge(self, of: dict[type[msgspec.Struct], Make], real: dict[str, list[int]]) -> Any:
        kind = self._chance.choice(list(of))
        self.sent[kind.__name__] = self.sent.get(kind.__name__, 0) + 1
        made: Any = self._well_formed(kind, of[kind])
        known = {"name": self._names, "friend": self._names, **real}
        fields = [field for field in kind.__struct_fields__ if known.get(field)]
        if fields and self._chance.random() < 0.5:
            return msgspec.structs.replace(
                made, **{each: self._chance.choice(known[each]) for each in fields}
            )
        return made

    def _well_formed(self, kind: type[msgspec.Struct], make: Make) -> Any:
        """Return a value of a type; the fuzzer's makers make some lists too long for it, which are made again."""
        while True:
            with suppress(msgspec.ValidationError):
                return msgspec.convert(make(self._chance), kind)
