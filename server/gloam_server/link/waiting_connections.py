"""The requests and logins that wait while a view process has no turn process, and the handing over to the next one.

A command is not kept: each client in play gets `Joined` again, and repeats its unanswered command, as after a resume.
"""

from collections import deque
from collections.abc import Callable
from collections.abc import Set as AbstractSet
from typing import Final

from gloam_server.engine.publishing.view_side import ViewSide
from gloam_server.link.addresses import address_to_link
from gloam_server.link.link_messages import LogIn, Opened, Request, Resumed, ToTurnProcess
from gloam_server.net.connection_counts import AdmissionStatus
from gloam_server.net.conversation import Conversation
from gloam_server.sessions.session import State
from gloam_shared.protocol.messages.play import SubmitCommand

_KEPT_MAX: Final = 4_096
"""The most requests that wait: the oldest is dropped, and its client asks again."""


class WaitingConnections:
    """The logins that no turn process has answered, and the requests that none has got."""

    def __init__(self) -> None:
        self._logins: dict[int, LogIn] = {}
        self._requests: deque[Request] = deque(maxlen=_KEPT_MAX)

    def log_in(self, login: LogIn) -> None:
        """Keep a login until it is answered: to repeat it changes nothing, because its device and token stay valid."""
        self._logins[login.connection] = login

    def checked(self, connection: int) -> None:
        """Forget the login of a connection: it is answered."""
        self._logins.pop(connection, None)

    def closed(self, connection: int) -> None:
        """Forget everything of a connection that is lost."""
        self.checked(connection)
        self._send_of({connection}, lambda _: None)

    def ask(self, request: Request) -> None:
        """Keep a request that there is no turn process for, unless it is a command."""
        if not isinstance(request.message, SubmitCommand):
            self._requests.append(request)

    def hand_over(
        self,
        views: ViewSide,
        admission_of: Callable[[Conversation], AdmissionStatus],
        send: Callable[[ToTurnProcess], object],
    ) -> None:
        """Send a new turn process all open connections, the players on them, and what waits. Watchers are cut, and their clients return."""
        views.forget_elsewhere()
        for number, connection in list(views.clients.conversations.items()):
            if not connection.is_open:
                continue
            if connection.state is State.WATCHING:
                connection.close(at_once=True)
                continue
            send(Opened(number, address_to_link(connection.address), admission_of(connection)))
            client = views.clients.by_account(connection.player)
            if connection.state is State.PLAYING and client is not None and client.connection is connection:
                send(Resumed(number, client.account, client.name, connection.abilities))
            elif number in self._logins:
                send(self._logins[number])
        playing = {
            number for number, each in views.clients.conversations.items() if each.state is State.PLAYING
        }
        self._send_of(views.clients.conversations.keys() - playing, send)

    def play_on(self, connection: int, send: Callable[[ToTurnProcess], object]) -> None:
        """Send what waits of a connection whose player the turn process has taken in again."""
        if self._requests:
            self._send_of({connection}, send)

    def _send_of(self, connections: AbstractSet[int], send: Callable[[ToTurnProcess], object]) -> None:
        waiting, self._requests = self._requests, deque(maxlen=_KEPT_MAX)
        for request in waiting:
            if request.connection in connections:
                send(request)
            else:
                self._requests.append(request)
