"""The proxy of HOSTING in front of a door: the real Caddy, with the file that HOSTING shows."""

import http.client
import re
import shutil
import ssl
import subprocess
import time
from pathlib import Path

import pytest
from websockets.sync.client import connect
from websockets.typing import Origin

from support.door.page_player import PagePlayer, begin
from support.door.running_door import RunningDoor
from support.processes.addresses import free_port
from support.processes.server_process import ServerProcess, run_server_command

ROOT = Path(__file__).parents[3]
PATIENCE_S = 60
CADDY = shutil.which("caddy")
pytestmark = [
    pytest.mark.end_to_end,
    pytest.mark.skipif(CADDY is None, reason="needs Caddy (apt-get install caddy)"),
]


def caddyfile(port: int, door: int, home: Path) -> str:
    """Return the file of HOSTING for this machine: its own port, and a certificate of Caddy's own."""
    text = (ROOT / "server" / "HOSTING.md").read_text(encoding="utf-8")
    found = re.search(r"^    (play\.example\.org \{\n.*?^    \})$", text, re.MULTILINE | re.DOTALL)
    assert found is not None
    site = found[1].replace("play.example.org {", f"localhost:{port} {{\ntls internal", 1)
    options = (
        f"{{\nadmin off\nskip_install_trust\nauto_https disable_redirects\nstorage file_system {home}\n}}\n"
    )
    return options + site.replace("127.0.0.1:8080", f"127.0.0.1:{door}")


def test_the_proxy_of_the_document_works(server: ServerProcess, tmp_path: Path) -> None:
    """Through Caddy the page arrives by TLS, a visitor plays, and the server sees their address and no forged one."""
    assert CADDY is not None
    port = free_port()
    origin = f"https://localhost:{port}"
    settings = {"origins": [origin], "trusted_proxies": ["127.0.0.1", "::1"]}
    with RunningDoor(tmp_path / "door", server.data / "door.sock", **settings) as door:
        file = tmp_path / "Caddyfile"
        file.write_text(caddyfile(port, door.door.web_port, tmp_path))
        caddy = subprocess.Popen(
            [CADDY, "run", "--config", str(file), "--adapter", "caddyfile"],
            env={"HOME": str(tmp_path), "PATH": "/usr/bin:/bin"},
            stderr=subprocess.DEVNULL,
        )
        try:
            trusting = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
            trusting.check_hostname, trusting.verify_mode = False, ssl.CERT_NONE
            assert "og:title" in page_of(port, trusting)
            with connect(
                f"wss://localhost:{port}/play",
                origin=Origin(origin),
                ssl=trusting,
                compression=None,
                additional_headers={"X-Forwarded-For": "203.0.113.9"},
            ) as line:
                begin(PagePlayer(line), "Proxa")
                who = run_server_command("who", "--data", str(server.data)).stdout
            assert re.search(r"Proxa: depth 1, level 1, from (127\.0\.0\.1|::1) by browser", who)
        finally:
            caddy.kill()
            caddy.wait()


def page_of(port: int, trusting: ssl.SSLContext) -> str:
    """Return the page, once the proxy listens and has its certificate."""
    deadline = time.monotonic() + PATIENCE_S
    while True:
        line = http.client.HTTPSConnection("localhost", port, timeout=10, context=trusting)
        try:
            line.request("GET", "/")
            return line.getresponse().read().decode()
        except OSError:
            assert time.monotonic() < deadline
            time.sleep(0.1)
        finally:
            line.close()
