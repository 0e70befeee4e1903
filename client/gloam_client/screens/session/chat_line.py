"""The line of chat. A line that begins with / is a command to this client, not words to others."""

from dataclasses import dataclass, replace

from gloam_client.input import keymap
from gloam_client.render.layout import layout
from gloam_client.render.log_panel import TONES
from gloam_client.render.status_panel import friend_words
from gloam_client.screens.common.command_effects import message, offline_notice
from gloam_client.screens.common.help import Help
from gloam_client.screens.common.window import wrong_key
from gloam_client.screens.map.duel_requests import duel_effect
from gloam_client.screens.party.party_requests import WORDS as PARTY_WORDS
from gloam_client.screens.party.party_requests import run_party_command
from gloam_client.screens.party.party_screen import open_party
from gloam_client.screens.session.quit import Quit
from gloam_client.screens.session.secret_line import change_password
from gloam_client.screens.session.word_commands import LABELS, run_word_command
from gloam_client.screens.trade.start_trade import trade_with
from gloam_client.state.client_effects import SendMessage, ShowMessage
from gloam_client.state.model import Model, Pop, Push, Replace, Update
from gloam_client.state.name_completion import completed, completions
from gloam_client.terminal.canvas import BRIGHT, MARKED, Canvas
from gloam_shared import limits
from gloam_shared.protocol.messages import Away, SendChat
from gloam_shared.text import clean


@dataclass(frozen=True, slots=True)
class ChatScreen:
    """The line as typed so far. The map, the log and the status stay visible."""

    text: str = ""
    state: str = "say"
    stem: str | None = None
    """The line as it was before Tab completed its last word; None before that."""
    tries: int = 0
    """How many times Tab was pressed in a row."""

    def on_key(self, model: Model, key: str) -> Update:
        """Type, erase, send the line, or close."""
        intent = keymap.intent(model.options.keys, self.state, key)
        match intent:
            case "back":
                return Update(Pop())
            case "erase":
                return Update(Replace(ChatScreen(self.text[:-1])))
            case "clear":
                return Update(Replace(ChatScreen()))
            case "complete":
                return self._complete(model)
            case "send":
                return run_chat_line(model, self.text)
            case _ if len(key) == 1:
                return Update(Replace(ChatScreen((self.text + key)[: limits.CHAT_CELLS_MAX])))
            case _:
                return wrong_key(model, key)

    def _complete(self, model: Model) -> Update:
        """Complete the last word; each further Tab gives the next possibility."""
        line = self.text if self.stem is None else self.stem
        words = completions(model, line)
        if not words:
            stem = line.rpartition(" ")[2]
            return message(
                f'No player here has a name that begins with "{stem}"; /who lists them.'
                if stem
                else "No player is here; Esc closes the line."
            )
        text = completed(line, words[self.tries % len(words)])[: limits.CHAT_CELLS_MAX]
        return Update(Replace(replace(self, text=text, stem=line, tries=self.tries + 1)))

    def draw(self, _model: Model, canvas: Canvas) -> None:
        """Draw the line over the map's last row, with its end visible."""
        area = layout(canvas.width, canvas.height).map
        y = area.y + area.height - 1
        command, _, rest = self.text.partition(" ")
        label, tone = LABELS.get(command.casefold(), ("Say: ", ""))
        typed = rest if tone else self.text
        style = TONES[tone][1]._replace(bold=True) if tone else BRIGHT
        canvas.put(area.x, y, " " * area.width)
        x = canvas.put(area.x, y, label, style)
        x = canvas.put(x, y, typed[-(area.width - len(label) - 3) :], BRIGHT)
        canvas.put(x, y, " ", MARKED)

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
        case ["duel" | "peace" as wish, name]:
            wanted = duel_effect(model, name, agree=wish == "duel")
            return offline_notice(model) or wanted._replace(change=Pop())
        case ["duel" | "peace" as wish]:
            return message(f"Name a player in sight: /{wish} NAME.")._replace(change=Pop())
        case ["trade", name]:
            wanted = trade_with(model, name)
            return offline_notice(model) or wanted._replace(change=wanted.change or Pop())
        case ["trade"]:
            return message("Name a player beside you: /trade NAME.")._replace(change=Pop())
        case ["password"]:
            return Update(Replace(change_password(model)))
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


def _send(model: Model, sent: SendChat | Away, text: str = "") -> Update:
    """Return the message that goes out as the line closes; without a connection the line stays."""
    intents = (SendMessage(sent), *((ShowMessage(text),) if text else ()))
    return offline_notice(model) or Update(Pop(), intents)


def _who(model: Model) -> list[str]:
    if not model.friends:
        return ["No other player is in the dungeon."]
    return [friend_words(friend) for friend in model.friends]
