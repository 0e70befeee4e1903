"""The line of chat. A line that begins with / is a command to this client, not words to others."""

from dataclasses import dataclass, replace
from typing import Final

from gloam_client.input import keymap
from gloam_client.input.chat_commands import CHAT_COMMANDS
from gloam_client.render.layout import layout
from gloam_client.render.panels.log_panel import TONES
from gloam_client.render.panels.status_panel import friend_words
from gloam_client.screens.common.command_effects import message, offline_notice
from gloam_client.screens.common.help import Help
from gloam_client.screens.common.text_field import EMPTY, TextField
from gloam_client.screens.common.window import wrong_key
from gloam_client.screens.map.duel_requests import duel_effect
from gloam_client.screens.party.party_requests import WORDS as PARTY_WORDS
from gloam_client.screens.party.party_requests import run_party_command
from gloam_client.screens.party.party_screen import open_party
from gloam_client.screens.session.keep_name import ask_link
from gloam_client.screens.session.quit import Quit
from gloam_client.screens.session.secret_line import change_password
from gloam_client.screens.session.word_commands import LABELS, run_word_command
from gloam_client.screens.trade.start_trade import trade_with
from gloam_client.state.client_effects import RememberLine, SendMessage, ShowMessage
from gloam_client.state.model import Model, Pop, Push, Replace, Update
from gloam_client.terminal.canvas import BRIGHT, Canvas
from gloam_shared import limits
from gloam_shared.protocol.messages.chat import SendChat
from gloam_shared.protocol.messages.play import Away
from gloam_shared.text import cells, clean, fold
from gloam_shared.view.view import CreatureFlag


def completions(model: Model, text: str) -> list[str]:
    """Return what may stand in place of the last word of a line: commands at its start, elsewhere names.

    Names of players who spoke last come first.
    """
    before, _, stem = text.rpartition(" ")
    known = (
        [row[0].split()[0] for row in CHAT_COMMANDS] if not before and stem.startswith("/") else _names(model)
    )
    return [each for each in known if fold(each).startswith(fold(stem))]


def completed(text: str, word: str) -> str:
    """Return a line with another last word."""
    before, space, _ = text.rpartition(" ")
    return f"{before}{space}{word}"


def _names(model: Model) -> list[str]:
    in_sight = [one.name for one in model.view.creatures if one.marks & CreatureFlag.PLAYER]
    names = (
        *model.company.words.speakers,
        *(friend.name for friend in model.friends),
        *in_sight,
        *model.company.words.ignored,
        *model.company.words.blocked,
    )
    return [name for name in dict.fromkeys(map(clean, names)) if name and name != model.name]


_FIRST: Final = "You said no line before this one; Down comes back to yours."
_OWN: Final = "This is your own line; Up shows those before it."


@dataclass(frozen=True, slots=True)
class ChatScreen:
    """The line as typed so far. The map, the log and the status stay visible."""

    line: TextField = EMPTY
    state: str = "say"
    stem: str | None = None
    """The line as it was before Tab completed its last word; None before that."""
    tries: int = 0
    """The number of times that Tab was pressed in a row."""
    former: int = 0
    """The line's place in the earlier lines, counted back; 0 for the player's own, which `own` keeps meanwhile."""
    own: TextField = EMPTY

    def on_key(self, model: Model, key: str) -> Update:
        """Type, erase, send the line, or close."""
        intent = keymap.intent(model.options.keys, self.state, key)
        match intent:
            case "back":
                return Update(Pop())
            case "complete":
                return self._complete(model)
            case "send":
                return self._send(model)
            case "former" | "later":
                return self._recall(model, 1 if intent == "former" else -1)
            case _ if (line := self.line.edited(intent)) is not None:
                return self._become(line)
            case _ if len(key) == 1:
                return self.typed(key)
            case _:
                return wrong_key(model, key)

    def typed(self, text: str) -> Update:
        """Add text at the cursor, as much as one line of chat holds."""
        return self._become(self.line.typed(text, limits.CHAT_CELLS_MAX, _length))

    def _become(self, line: TextField) -> Update:
        return Update(Replace(replace(self, line=line, stem=None, tries=0)))

    def _send(self, model: Model) -> Update:
        """Send the line, and remember it where it closes; a secret is not remembered."""
        line = self.line.text.strip()
        done = run_chat_line(model, line)
        kept = line and done.change is not None and not line.casefold().startswith("/password")
        return done._replace(intents=(*done.intents, RememberLine(line))) if kept else done

    def _recall(self, model: Model, by: int) -> Update:
        """Show the line said before or after, or the player's own again."""
        said, former = model.company.words.said, self.former + by
        if not 0 <= former <= len(said):
            return message(_FIRST if by > 0 else _OWN, "quiet")
        own = self.own if self.former else self.line
        line = TextField(said[-former]) if former else own
        return Update(Replace(ChatScreen(line, former=former, own=own)))

    def _complete(self, model: Model) -> Update:
        """Complete the last word; each further Tab gives the next possibility."""
        line = self.line.before if self.stem is None else self.stem
        words = completions(model, line)
        if not words:
            stem = line.rpartition(" ")[2]
            return message(
                f'No player here has a name that begins with "{stem}"; /who lists them.'
                if stem
                else "No player is here; Esc closes the line."
            )
        text = completed(line, words[self.tries % len(words)])
        whole = TextField("", self.line.after).typed(text, limits.CHAT_CELLS_MAX, _length)
        return Update(Replace(replace(self, line=whole, stem=line, tries=self.tries + 1)))

    def draw(self, _model: Model, canvas: Canvas) -> None:
        """Draw the line over the map's last row, with the part around the cursor visible."""
        area = layout(canvas.width, canvas.height).map
        y = area.y + area.height - 1
        command, space, _ = self.line.text.partition(" ")
        label, tone = LABELS.get(command.casefold(), ("Say: ", ""))
        hidden = len(command + space) if tone and len(self.line.before) >= len(command + space) else 0
        line = self.line._replace(before=self.line.before[hidden:])
        style = TONES[tone][1]._replace(bold=True) if tone else BRIGHT
        canvas.put(area.x, y, " " * area.width)
        x = canvas.put(area.x, y, label, style)
        line.draw(canvas, x, y, area.width - len(label) - 2)

    def hints(self, model: Model) -> list[tuple[str, str]]:
        """Return the keys of the line."""
        return [*keymap.hints(model.options.keys, self.state), ("/help", "client commands")]


def run_chat_line(model: Model, line: str) -> Update:
    """Return the reaction to a finished line; a line for the server stays while there is no connection."""
    text = clean(line)
    if not text.startswith("/"):
        return _send(model, SendChat(text)) if text else Update(Pop())
    word, _, rest = text[1:].partition(" ")
    if (about_words := run_word_command(model, word.casefold(), rest.strip())) is not None:
        return about_words
    match text[1:].casefold().split():
        case ["quit"]:
            return Update(Replace(Quit()))
        case ["help"]:
            return Update(Replace(Help("say")))
        case ["who"]:
            return Update(Pop(), tuple(ShowMessage(line, kept=True) for line in _who(model)))
        case ["duel" | "peace" as request, name]:
            wanted = duel_effect(model, name, agree=request == "duel")
            return offline_notice(model) or wanted._replace(change=Pop())
        case ["duel" | "peace" as request]:
            return message(f"Name a player in sight: /{request} NAME.")._replace(change=Pop())
        case ["trade", name]:
            wanted = trade_with(model, name)
            return offline_notice(model) or wanted._replace(change=wanted.change or Pop())
        case ["trade"]:
            return message("Name a player beside you: /trade NAME.")._replace(change=Pop())
        case ["password"]:
            return Update(Replace(change_password(model)))
        case ["link"]:
            return ask_link(model)
        case ["party"]:
            opened = open_party(model)
            shown = Replace(opened.change.screen) if isinstance(opened.change, Push) else Pop()
            return opened._replace(change=shown)
        case [word, *_] as words if word in PARTY_WORDS:
            return run_party_command(model, words)
        case ["away"]:
            return _send(model, Away(), "You are marked as away; any command removes the mark.")
        case _:
            return Update(
                Pop(), (ShowMessage(f"There is no {text.split()[0]}; /help lists the commands.", "refused"),)
            )


def _length(text: str) -> int:
    """Return how much of a line of chat a text takes, in cells; the server bounds its bytes, too."""
    per_cell = limits.CHAT_BYTES_MAX // limits.CHAT_CELLS_MAX
    return max(cells(text), -(-len(text.encode(errors="replace")) // per_cell))


def _send(model: Model, sent: SendChat | Away, text: str = "") -> Update:
    """Return the message that goes out as the line closes; without a connection the line stays."""
    intents = (SendMessage(sent), *((ShowMessage(text),) if text else ()))
    return offline_notice(model) or Update(Pop(), intents)


def _who(model: Model) -> list[str]:
    if not model.in_company:
        return ["No other player is in the dungeon."]
    return [friend_words(friend) for friend in model.friends]
