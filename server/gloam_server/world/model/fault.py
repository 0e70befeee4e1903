"""An internal error in a rule, as an exception with the acting creature, the partition and the input."""


class RuleFault(Exception):
    """A rule failed, and the state that it changed is half changed: discard that state and rebuild it.

    `acting` is the number of the creature whose action ran, 0 for none. `place` is its partition, `body` the
    input as the journal would have stored it, empty for none. The cause is the rule's own exception.
    """

    def __init__(self, acting: int, place: int = -1, body: bytes = b"") -> None:
        super().__init__(acting)
        self.creature = acting
        self.place = place
        self.body = body

    def __str__(self) -> str:
        """Return a text with the failure, its place and the acting creature."""
        cause = self.__cause__
        what = "a rule failed" if cause is None else f"{type(cause).__name__}: {cause}"
        return f"{what} (place {self.place}, creature {self.creature})"
