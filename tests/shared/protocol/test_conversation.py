"""shared/conversation.txt is what a server says today, and its frames lead to the views that it tells."""

import json
import re
from collections.abc import Iterator

from gloam_shared.limits import FRAME_FROM_SERVER_MAX
from gloam_shared.protocol.codec import decode_from_client, decode_from_server
from gloam_shared.protocol.framing import Framer
from gloam_shared.protocol.messages.lives import Died
from gloam_shared.protocol.messages.login import Hello, Joined, Resume
from gloam_shared.protocol.messages.play import Update
from gloam_shared.protocol.updates import UpdateReader
from gloam_shared.view.view import NOWHERE
from support.protocol.conversation import FILE, parts, record

TEXT = FILE.read_text(encoding="utf-8")
SAID = re.findall(r"^# (\w+).*\n([<>])", TEXT, re.MULTILINE)
"""The comments above the frames: each frame's kind, and its direction."""


def entries() -> Iterator[tuple[str, str]]:
    """Yield each entry of the file: its sign, and what follows it on this line and on those that are indented."""
    sign, value = "", ""
    for line in (*TEXT.splitlines(), "#"):
        if line.startswith("  "):
            value += line[1:]
            continue
        if sign:
            yield sign, value
        sign, value = (line[0], line[2:]) if line[:1] in tuple("<>=-") else ("", "")


def test_it_is_what_a_server_says_today() -> None:
    assert record() == TEXT, "run `make protocol`"


def test_its_frames_lead_to_the_views_that_it_tells() -> None:
    reader, changes = UpdateReader(), parts(NOWHERE)
    framers = {sign: Framer(FRAME_FROM_SERVER_MAX) for sign in "<>"}
    kinds = iter(kind for kind, _ in SAID)
    updates = 0
    for sign, entry in entries():
        match sign:
            case "-":
                framers = {sign: Framer(FRAME_FROM_SERVER_MAX) for sign in "<>"}
            case "=":
                name, _, value = entry.partition(" ")
                changes[name] = json.loads(value)
            case ">":
                [body] = framers[sign].feed(bytes.fromhex(entry))
                assert type(decode_from_client(body)).__name__ == next(kinds)
            case "<":
                assert parts(reader.view) == changes
                [body] = framers[sign].feed(bytes.fromhex(entry))
                message = decode_from_server(body)
                assert type(message).__name__ == next(kinds)
                if isinstance(message, Update):
                    updates += 1
                    reader.read(message)
    assert parts(reader.view) == changes
    assert updates > 15


def test_it_has_all_that_a_client_meets_early() -> None:
    server = [kind for kind, sign in SAID if sign == "<"]
    client = [kind for kind, sign in SAID if sign == ">"]
    assert client[0] == "Hello"
    assert client[-1] == "Goodbye"
    assert server[-1] == "Bye"
    assert {each.__name__ for each in (Died, Joined, Update)} <= {*server}
    assert {"Answer", "Pace", "Heartbeat", "MapMemory", "ResumeToken", "Spoken", "Welcome"} <= {*server}
    assert {each.__name__ for each in (Hello, Resume)} <= {*client}
    assert {
        "Acknowledge",
        "SubmitCommand",
        "Login",
        "NewLife",
        "HeartbeatReply",
        "AskMapMemory",
        "SendChat",
    } <= {*client}
