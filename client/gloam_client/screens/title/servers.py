"""Other people's servers: those where this user played before, each as it answers now, and a line for an address."""

from dataclasses import dataclass, replace

from gloam_client.input import keymap
from gloam_client.screens.common.keyed_screen import KeyedScreen
from gloam_client.screens.common.text_field import EMPTY, TextField
from gloam_client.screens.common.window import draw_window, in_columns, move_selection
from gloam_client.state.client_effects import ClientEffect, GoTo, ProbeServer, ShowMessage
from gloam_client.state.home import Home
from gloam_client.state.model import Model, Replace, Update
from gloam_client.terminal.canvas import Canvas, Rect, fit_text
from gloam_client.user_files.address import Address, BadAddress, parse_invitation
from gloam_client.user_files.recent_servers import RecentServer
from gloam_shared.protocol.invite_code import Ticket
from gloam_shared.text import clean

_TYPED_MAX = 120
_SHOWN = 41


@dataclass(frozen=True, slots=True)
class ServersScreen(KeyedScreen):
    """The servers with one marked, and the address typed so far; `watches` says what for."""

    name: str
    watches: bool
    line: TextField = EMPTY
    marked: int = 0
    state: str = "servers"

    def on_key(self, model: Model, key: str) -> Update:
        """Mark a server, type an address, and go there."""
        servers = model.home.servers
        match keymap.intent(model.options.keys, self.state, key):
            case "up" | "down" as intent:
                marked = move_selection(self.marked, len(servers), intent)
                return Update(Replace(replace(self, marked=marked, line=EMPTY)))
            case "take":
                return self._go(servers)
            case "again":
                return Update(intents=probes(model))
            case intent if (line := self.line.edited(intent)) is not None:
                return Update(Replace(replace(self, line=line)))
            case other if other is None and len(key) == 1 and key.isprintable() and key.isascii():
                return Update(Replace(replace(self, line=self.line.typed(key, _TYPED_MAX))))
            case other:
                return self.answer(model, other, key)

    def draw(self, model: Model, canvas: Canvas) -> None:
        """Draw the servers, and the line for an address."""
        canvas.fill(Rect(0, 0, canvas.width, canvas.height))
        servers = model.home.servers
        lines = _rows(model.home) or ["You have played on no server yet."]
        marked = min(self.marked, len(servers) - 1) if servers and not self.line.text else None
        end = "watches there" if self.watches else "joins it"
        foot = f"Enter {end}. Or type an address, or paste an invite: HOST[:PORT] or HOST/CODE.PIN   > {self.line.with_cursor(_SHOWN)}"
        title = "Watch on a server" if self.watches else "Join a server"
        draw_window(canvas, model, title, lines, marked, foot=foot)

    def _go(self, servers: tuple[RecentServer, ...]) -> Update:
        """Go to the typed address, or to the marked server under the name of the last life there."""
        typed = self.line.text.strip()
        if not typed and not servers:
            return Update(
                intents=(ShowMessage("Type an address first, such as play.example.org.", "refused"),)
            )
        chosen = servers[min(self.marked, len(servers) - 1)] if servers and not typed else None
        try:
            address, ticket = parse_invitation(chosen.address if chosen else _bare(typed))
        except BadAddress as error:
            return Update(intents=(ShowMessage(str(error), "refused"),))
        return Update(intents=(GoTo(self.name, address, ticket, watches=self.watches),))


def probes(model: Model) -> tuple[ClientEffect, ...]:
    """Return the effects that ask each known server for its status."""
    wanted: list[ClientEffect] = []
    for server in model.home.servers:
        try:
            address: tuple[Address, Ticket] = parse_invitation(server.address)
        except BadAddress:
            continue
        wanted.append(ProbeServer(address[0]))
    return tuple(wanted)


def _bare(text: str) -> str:
    """Return the address in a whole command line that a friend sent: `gloam join HOST/CODE.PIN --name YOU`."""
    words = [word for word in text.split() if word not in ("gloam", "join", "watch")]
    return words[0] if words else text


def _rows(home: Home) -> list[str]:
    """Return a line for each server, in columns."""
    return in_columns([_cells(home, server) for server in home.servers])


def _cells(home: Home, server: RecentServer) -> tuple[str, ...]:
    status = home.status(server.address)
    if status is None:
        now = "asking ..."
    elif isinstance(status, str):
        now = "no answer"
    else:
        now = f"{fit_text(clean(status.campaign), 10)}, {status.players} playing, {status.ms} ms"
    return fit_text(server.address, 32), now, f"{server.name}: {server.life}" if server.life else server.name
