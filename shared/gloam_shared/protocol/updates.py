"""Updates: views to messages on one side, and messages to the same views on the other. It holds all state between patches.

A writer and a reader live as long as one connection. The reader returns every view that was written.
"""

from collections.abc import Container

from gloam_shared.protocol.messages.play import PACKED_MOVES, SURFACES, Update
from gloam_shared.view.changes import Party, SurfaceLooks, Surfaces
from gloam_shared.view.packed_moves import pack_moves, unpack_moves
from gloam_shared.view.party_changes import party_difference
from gloam_shared.view.patch import apply, diff
from gloam_shared.view.references import References
from gloam_shared.view.view import NOWHERE, View


class UpdateWriter:
    """The server's side: the last view and `done` number of the client, and the number of patches sent to it.

    `abilities` are the client's: "references", "party" for changes of the party, "surfaces", and "packed-moves" count.
    """

    def __init__(self, abilities: Container[str] = ()) -> None:
        self.sent_view: View = NOWHERE
        self.patch = 0
        self.done = 0
        self._references = References()
        self._refers = "references" in abilities
        self._friends = "party" in abilities
        self._surfaces = SURFACES in abilities
        self._packs = PACKED_MOVES in abilities

    def has_news(self, view: View, done: int) -> bool:
        """Return whether an update with this view would contain anything."""
        return done > self.done or view != self.sent_view

    def write(self, view: View, done: int, *, whole: bool = False) -> Update:
        """Return the update from the client's last view (or, when `whole`, from the empty view) to `view`."""
        before = NOWHERE if whole else self.sent_view
        changes = diff(before, view)
        if not self._surfaces and (view.surface_looks or before.surface_looks):
            changes = tuple([each for each in changes if not isinstance(each, Surfaces | SurfaceLooks)])
        if self._friends and before.party != view.party:
            change = party_difference(before.party, view.party)
            if change is not None:
                changes = tuple([change if isinstance(each, Party) else each for each in changes])
        full = changes
        if self._refers:
            if whole:
                self._references.clear()
            changes = self._references.shorten(full)
        if self._packs:
            changes = pack_moves(changes, before, self._references.last_seen)
        if self._refers:
            self._references.note(before, full)
        news = done if done > self.done else 0
        self.sent_view = view
        self.patch += 1
        self.done = max(done, self.done)
        return Update(changes, news, whole)


class UpdateReader:
    """The client's side: the last view, and the number of its patch."""

    def __init__(self) -> None:
        self.view: View = NOWHERE
        self.patch = 0
        self._references = References()

    def read(self, update: Update) -> View:
        """Return the view after an update. Raises ValueError when the update does not fit the view before it."""
        before = NOWHERE if update.whole else self.view
        if update.whole:
            self._references.clear()
        unpacked = unpack_moves(update.changes, before, self._references.last_seen)
        changes = self._references.expand(unpacked)
        self.view = apply(before, changes)
        self._references.note(before, changes)
        self.patch += 1
        return self.view

    def copy(self) -> "UpdateReader":
        """Return a reader in the same state, to continue from here more than once."""
        duplicate = UpdateReader()
        duplicate.view, duplicate.patch = self.view, self.patch
        duplicate._references = self._references.copy()
        return duplicate
