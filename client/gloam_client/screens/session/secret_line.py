"""The input line for secrets: a password or an invite's code at login, and a new password during play."""

from dataclasses import dataclass, replace
from enum import Enum

from gloam_client.input import keymap
from gloam_client.render.layout import layout
from gloam_client.screens.common.command_effects import offline_notice
from gloam_client.screens.common.keyed_screen import KeyedScreen
from gloam_client.screens.common.text_field import EMPTY, TextField
from gloam_client.screens.common.window import draw_window, wrong_key
from gloam_client.state.client_effects import (
    AskOwnLink,
    ClientEffect,
    LeaveGame,
    SendMessage,
    ShowMessage,
    StartJoining,
)
from gloam_client.state.model import Model, Pop, Replace, Update
from gloam_client.terminal.canvas import Canvas, wrap_text
from gloam_shared import limits
from gloam_shared.protocol.messages.login import SetPassword

_FITS = f"{limits.PASSWORD_MIN} to {limits.PASSWORD_MAX} characters"
_SHOWN_MAX = 32
_FREE_DAYS = limits.NAME_FREE_S // 86_400


class Asked(Enum):
    """The requested secret. The value is the window's title."""

    PASSWORD = "Password"  # noqa: S105  # a title
    INVITE = "Invite"
    OLD = "Your old password"
    NEW = "A password for your name"
    FORMER = "A link of your own"
    LEAVING = "Before you go"


@dataclass(frozen=True, slots=True)
class SecretScreen(KeyedScreen):
    """The typed text is shown as stars.

    `why` is the server's message; `old` is the old password, asked before.

    A new password is asked for twice, because the typed text is invisible: `first` is the first answer.
    """

    asked: Asked
    why: str = ""
    line: TextField = EMPTY
    old: str = ""
    first: str = ""
    state: str = "secret"

    def on_key(self, model: Model, key: str) -> Update:
        """Type, erase, send, or cancel."""
        match keymap.intent(model.options.keys, self.state, key):
            case "back":
                return self._back()
            case "send":
                return self._send(model)
            case intent if (line := self.line.edited(intent)) is not None:
                return Update(Replace(replace(self, line=line)))
            case _ if len(key) == 1:
                return self.typed(key)
            case _:
                return wrong_key(model, key)

    def typed(self, text: str) -> Update:
        """Add text at the cursor, as much as a password may have."""
        return Update(Replace(replace(self, line=self.line.typed(text, limits.PASSWORD_MAX, len))))

    def draw(self, model: Model, canvas: Canvas) -> None:
        """Draw the question, and a star for each character."""
        width = layout(*model.surface.size).overlay.width - 6
        lines = [line for text in (self.why, *self._words(model)) if text for line in wrap_text(text, width)]
        line = self.line if self.asked is Asked.INVITE else self.line.hidden()
        draw_window(canvas, model, self.asked.value, [*lines, "", f"> {line.with_cursor(_SHOWN_MAX + 1)}"])

    def _words(self, model: Model) -> tuple[str, ...]:
        match self.asked:
            case Asked.PASSWORD:
                return (
                    f"The password of {model.name}. Esc leaves the game; --name NAME joins under another name.",
                )
            case Asked.INVITE:
                return ("The code of an invite (what follows the slash). Esc leaves the game.",)
            case Asked.OLD:
                return (
                    "Enter alone if there is none yet. Of a link of your own it is the part after the ~.",
                )
            case Asked.FORMER:
                return (
                    "This name has a password, or a link that was made elsewhere.",
                    "Type that password, or the part of that link after the ~: a new link replaces it.",
                )
            case _ if self.first:
                return ("Type it again, so that no typing error locks you out.",)
            case Asked.NEW | Asked.LEAVING:
                leaves = " and leaves" if self.asked is Asked.LEAVING else ""
                return (
                    "With a password you can play under this name from any device.",
                    f"Without one the name becomes free after {_FREE_DAYS} days without play.",
                    f"It has {_FITS}.",
                    f"Esc goes without{leaves}.",
                )

    def _back(self) -> Update:
        if self.asked in (Asked.NEW, Asked.OLD, Asked.FORMER):
            return Update(Pop())
        return Update(intents=(LeaveGame(),))

    def _send(self, model: Model) -> Update:
        text = self.line.text
        match self.asked:
            case Asked.PASSWORD:
                return _only(StartJoining(model.name, password=text)) if text else Update()
            case Asked.INVITE:
                return _only(StartJoining(model.name, invite=text.strip())) if text else Update()
            case Asked.OLD:
                return Update(Replace(SecretScreen(Asked.NEW, old=text)))
            case Asked.FORMER:
                return Update(Pop(), (AskOwnLink(fresh=True, former=text),)) if text else Update()
            case Asked.NEW | Asked.LEAVING:
                return offline_notice(model) or self._set()

    def _set(self) -> Update:
        """Ask for a new password a second time, or send it if both entries are the same."""
        text = self.line.text
        if len(text) < limits.PASSWORD_MIN and not self.first:
            return Update(intents=(ShowMessage(f"A password has {_FITS}: type another.", "refused"),))
        if not self.first:
            return Update(Replace(replace(self, first=text, line=EMPTY)))
        if text != self.first:
            first_typing = Replace(replace(self, first="", line=EMPTY))
            return Update(
                first_typing, (ShowMessage("The two were not the same: type it again.", "refused"),)
            )
        after = Replace(LeavingScreen()) if self.asked is Asked.LEAVING else Pop()
        return Update(after, (SendMessage(SetPassword(text, self.old)),))


def change_password(model: Model) -> SecretScreen:
    """Return the first question of `/password`: the old password, unless there is surely none."""
    return SecretScreen(Asked.NEW if model.login.guarded is False else Asked.OLD)


def _only(intent: ClientEffect) -> Update:
    return Update(intents=(intent,))


@dataclass(frozen=True, slots=True)
class LeavingScreen(KeyedScreen):
    """The wait for the confirmation."""

    state: str = "leaving"

    def on_key(self, model: Model, key: str) -> Update:
        """Leave without waiting."""
        match keymap.intent(model.options.keys, self.state, key):
            case "back":
                return Update(intents=(LeaveGame(),))
            case other:
                return self.answer(model, other, key)

    def draw(self, model: Model, canvas: Canvas) -> None:
        """Draw the reason for waiting."""
        draw_window(canvas, model, "Goodbye", ["Your password is being set; then the game ends."])
