"""A compose project with real containers, and a client of few words that plays in it.

Tests of it run where GLOAM_COMPOSE names a compose command, such as `GLOAM_COMPOSE="docker compose"`.
"""

import json
import os
import shlex
import socket
import ssl
import subprocess
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Final, TypeVar
from uuid import uuid4

import pytest

from gloam_shared import limits
from gloam_shared.protocol.codec import decode_from_server, encode
from gloam_shared.protocol.commands import Wait
from gloam_shared.protocol.framing import Framer, FrameWriter
from gloam_shared.protocol.messages.login import Bye, Hello, Joined, Login, Welcome
from gloam_shared.protocol.messages.play import SubmitCommand, Update
from gloam_shared.protocol.registry import PROTOCOL_VERSION, FromClient, FromServer
from gloam_shared.protocol.updates import UpdateReader
from gloam_shared.view.view import NOWHERE, View

ROOT: Final = Path(__file__).parents[3]
M = TypeVar("M", bound=FromServer)

needs_compose = pytest.mark.skipif(
    not os.environ.get("GLOAM_COMPOSE"),
    reason='GLOAM_COMPOSE names no compose command, such as "docker compose"',
)


class Composed:
    """One compose project of its own, on a port of its own."""

    def __init__(self, profile: str, **environment: str) -> None:
        with ExitStack() as free:
            listening = [free.enter_context(socket.create_server(("127.0.0.1", 0))) for _ in range(5)]
            ports: list[int] = [each.getsockname()[1] for each in listening]
        self.port, self.metrics_port, self.web_port, self.ssh_port, self.door_metrics_port = ports
        self._command = [
            *shlex.split(os.environ["GLOAM_COMPOSE"]),
            "--project-name",
            f"gloam-test-{uuid4().hex[:8]}",
            "--profile",
            profile,
        ]
        self.environment = {
            **os.environ,
            "GLOAM_PUBLISH": f"127.0.0.1:{self.port}",
            "GLOAM_METRICS_PUBLISH": f"127.0.0.1:{self.metrics_port}",
            "GLOAM_DOOR_PUBLISH": f"127.0.0.1:{self.web_port}",
            "GLOAM_DOOR_SSH_PUBLISH": f"127.0.0.1:{self.ssh_port}",
            "GLOAM_DOOR_METRICS_PUBLISH": f"127.0.0.1:{self.door_metrics_port}",
            "GLOAM_DOOR_ORIGINS": f"http://localhost:{self.web_port}",
            "GLOAM_SEED": "7",
            "GLOAM_OPEN": "1",
            "GLOAM_TRUSTED_NETWORKS": "198.51.100.0/24",
            "GLOAM_PROXY_NETWORKS": "192.0.2.7/32",
            **environment,
        }

    def run(self, *arguments: str, check: bool = True) -> subprocess.CompletedProcess[str]:
        done = subprocess.run(
            [*self._command, *arguments],
            check=False,
            cwd=ROOT,
            env=self.environment,
            capture_output=True,
            text=True,
            timeout=600,
        )
        assert done.returncode == 0 or not check, f"compose {' '.join(arguments)}: {done.stdout}{done.stderr}"
        return done

    def up(self, *services: str) -> None:
        """Start these services, or all of the profile, and wait until they are healthy."""
        self.run("up", "--detach", "--build", "--wait", *services)

    def config(self) -> dict[str, Any]:
        """Return the compose file as compose understands it."""
        return json.loads(self.run("config", "--format", "json").stdout)  # type: ignore[no-any-return]

    def inside(
        self, *command: str, check: bool = True, service: str = "server"
    ) -> subprocess.CompletedProcess[str]:
        return self.run("exec", "-T", service, *command, check=check)


class Player:
    """A client of few words, on the bare wire."""

    def __init__(self, port: int, token: bytes, name: str = "Composer") -> None:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)  # seen from the container this is another machine
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        self._line = context.wrap_socket(socket.create_connection(("127.0.0.1", port), timeout=10))
        self._framer = Framer(limits.FRAME_FROM_SERVER_MAX)
        self._frames = FrameWriter()
        self._come: list[FromServer] = []
        self._updates = UpdateReader()
        self.view: View = NOWHERE
        self.send(Hello(PROTOCOL_VERSION, "test"))
        self.wait_for(Welcome)
        self.send(Login(name, token))
        self.joined = self.wait_for(Joined)
        self.wait_for(Update)

    def send(self, message: FromClient) -> None:
        self._line.sendall(self._frames.frame(encode(message)))

    def wait_for(self, kind: type[M]) -> M:
        while True:
            while self._come:
                message = self._come.pop(0)
                assert not isinstance(message, Bye), message
                if isinstance(message, Update):
                    self.view = self._updates.read(message)
                if isinstance(message, kind):
                    return message
            data = self._line.recv(65_536)
            assert data, f"the server hung up; {kind.__name__} was due"
            self._come += map(decode_from_server, self._framer.feed(data))

    def act(self, number: int) -> None:
        self.send(SubmitCommand(number, self._updates.patch, Wait()))
        while self.wait_for(Update).done < number:
            pass

    def close(self) -> None:
        self._line.close()
