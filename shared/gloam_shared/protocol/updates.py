"""Updates: views to messages on one side, and messages to the same views on the other. What spans patches stands here.

A writer and a reader live as long as one connection. Whatever views are written, the reader returns them.
"""

from gloam_shared.protocol.messages import Update
from gloam_shared.view.patch import apply, diff
from gloam_shared.view.references import References
from gloam_shared.view.view import NOWHERE, View


class UpdateWriter:
    """The server's side: what the client was shown last, how many patches it was sent, and what it was told as done.

    `references` tells whether what comes back into sight may be told by reference.
    """

    def __init__(self, *, references: bool = False) -> None:
        self.sent_view: View = NOWHERE
        self.patch = 0
        self.done = 0
        self._references = References() if references else None

    def has_news(self, view: View, done: int) -> bool:
        """Return whether an update with this view would tell anything."""
        return done > self.done or view != self.sent_view

    def write(self, view: View, done: int, *, whole: bool = False) -> Update:
        """Return the update that turns what the client was shown last into `view`, or, when `whole`, nothing."""
        before = NOWHERE if whole else self.sent_view
        changes = diff(before, view)
        if self._references is not None:
            if whole:
                self._references.clear()
            changes = self._references.shorten(changes)
            self._references.note(before, view)
        news = done if done > self.done else 0
        self.sent_view = view
        self.patch += 1
        self.done = max(done, self.done)
        return Update(changes, news, whole)


class UpdateReader:
    """The client's side: the view that was told last, and the number of the patch that told it."""

    def __init__(self) -> None:
        self.view: View = NOWHERE
        self.patch = 0
        self._references = References()

    def read(self, update: Update) -> View:
        """Return the view after an update. Raises ValueError when the update does not fit the view before it."""
        before = NOWHERE if update.whole else self.view
        if update.whole:
            self._references.clear()
        self.view = apply(before, self._references.expand(update.changes))
        self._references.note(before, self.view)
        self.patch += 1
        return self.view
