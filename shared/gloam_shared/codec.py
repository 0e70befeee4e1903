"""Messages to msgpack bytes and back, strictly: a wrong byte is refused with a code before anything prints it."""

from typing import Any, Final, get_args

import msgpack
import msgspec

from gloam_shared import limits
from gloam_shared.messages import FromClient, FromServer


class Malformed(Exception):
    """Bytes that are no message. `code` is for programs; neither text nor cause quotes what was sent."""

    def __init__(self, code: str, text: str) -> None:
        super().__init__(text)
        self.code = code
        self.text = text


_OUT_OF_SHAPE: Final = {
    "type": "A message came with a field of the wrong type.",
    "malformed": "A message came with too few or too many fields.",
    "range": "A message came with a field that is out of its bounds.",
}
_FROM_CLIENT: Final = {kind.__struct_config__.tag: kind for kind in get_args(FromClient)}
_FROM_SERVER: Final = {kind.__struct_config__.tag: kind for kind in get_args(FromServer)}


def encode(message: FromClient | FromServer) -> bytes:
    """Return a message as the bytes of one frame's body."""
    packed: bytes = msgpack.packb(msgspec.to_builtins(message, builtin_types=(bytes,)))
    return packed


def decode_from_client(body: bytes) -> FromClient:
    """Return the client's message in `body`. Raises Malformed with a code of PROTOCOL.md."""
    raw = _unpack(body)
    if _count(raw, depth=1) > limits.ELEMENTS_MAX:
        raise Malformed("elements", "A message came with too many elements.")
    message: FromClient = _convert(raw, _kind_of(raw, _FROM_CLIENT))
    return message


def decode_from_server(body: bytes) -> FromServer:
    """Return the server's message in `body`. Raises Malformed."""
    raw = _unpack(body)
    message: FromServer = _convert(raw, _kind_of(raw, _FROM_SERVER))
    return message


def _unpack(body: bytes) -> Any:
    """Unpack what a frame holds; nothing in it can announce more than the frame's own size."""
    if not body:
        raise Malformed("empty", "An empty frame came.")
    size = len(body)
    try:
        return msgpack.unpackb(
            body,
            max_str_len=size,
            max_bin_len=size,
            max_array_len=size,
            max_map_len=size,
            object_pairs_hook=_unique,
            ext_hook=_no_extension,
        )
    except UnicodeDecodeError:
        raise Malformed("utf8", "Text came that is not UTF-8.") from None
    except (msgpack.StackError, RecursionError):
        raise Malformed("depth", "A message came that is nested too deep.") from None
    except (ValueError, TypeError, OverflowError) as error:
        if "map key" in str(error):  # msgpack tells this apart by its words alone
            raise Malformed("keys", "A map came whose keys are not text.") from None
        raise Malformed("malformed", "Bytes came that are no message.") from None


def _unique(pairs: list[tuple[Any, Any]]) -> dict[Any, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise Malformed("keys", "A map came that has a key twice.")
    return found


def _no_extension(code: int, _data: bytes) -> Any:
    raise Malformed("type", f"An extension type ({code}) came; there are none.")


def _count(part: Any, depth: int) -> int:
    """Return how many elements the lists and maps of `part` hold together; refuse nesting beyond the limit."""
    if not isinstance(part, list | dict):
        return 0
    if depth > limits.DEPTH_MAX:
        raise Malformed("depth", "A message came that is nested too deep.")
    inner = part.values() if isinstance(part, dict) else part
    return len(part) + sum(_count(element, depth + 1) for element in inner)


def _kind_of(raw: Any, kinds: dict[Any, type[Any]]) -> type[Any]:
    if not isinstance(raw, list) or not raw or type(raw[0]) is not int:
        raise Malformed("type", "A message is a list that begins with the number of its kind.")
    if raw[0] not in kinds:
        raise Malformed("unknown", "A message of an unknown kind came; upgrade the older side.")
    return kinds[raw[0]]


def _convert(raw: Any, kind: type[Any]) -> Any:
    """Make a message of one known kind: msgspec prepares a single kind once, and a union of them at every call."""
    try:
        return msgspec.convert(raw, kind, strict=True)
    except (msgspec.ValidationError, UnicodeDecodeError, OverflowError, RecursionError) as error:
        raise _told(str(error).partition(" - at")[0]) from None


def _told(expected: str) -> Malformed:
    """Return the fault that msgspec found, in our own words."""
    if not expected.startswith("Expected"):
        return Malformed("unknown", "A part of a message came of an unknown kind; upgrade the older side.")
    code = "type"
    if expected.startswith("Expected `array` of"):
        code = "malformed"
    elif ">=" in expected or "<=" in expected:
        code = "range"
    return Malformed(code, _OUT_OF_SHAPE[code])
