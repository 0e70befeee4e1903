"""Messages to msgpack bytes and back, strictly: a wrong byte is refused with a code before anything prints it."""

from typing import Any, Final, TypeVar, get_args

import msgpack
import msgspec

from gloam_shared import limits
from gloam_shared.messages import FromClient, FromServer

T = TypeVar("T", bound=FromClient | FromServer)


class Malformed(Exception):
    """Bytes that are no message. `code` is for programs; the text never quotes what was sent."""

    def __init__(self, code: str, text: str) -> None:
        super().__init__(text)
        self.code = code
        self.text = text


_CLIENT_TAGS: Final = frozenset(kind.__struct_config__.tag for kind in get_args(FromClient))


def encode(message: FromClient | FromServer) -> bytes:
    """Return a message as the bytes of one frame's body."""
    packed: bytes = msgpack.packb(msgspec.to_builtins(message, builtin_types=(bytes,)))
    return packed


def decode_from_client(body: bytes) -> FromClient:
    """Return the client's message in `body`. Raises Malformed with a code of PROTOCOL.md."""
    raw = _unpack(body, elements_max=limits.ELEMENTS_MAX, string_max=limits.STRING_MAX)
    _check_shape(raw, limits.ELEMENTS_MAX)
    if type(raw[0]) is int and raw[0] not in _CLIENT_TAGS:
        raise Malformed("unknown", "A message of an unknown kind came; upgrade the older side.")
    return _convert(raw, FromClient)  # type: ignore[arg-type]  # mypy takes a union alias for no type


def decode_from_server(body: bytes) -> FromServer:
    """Return the server's message in `body`. Raises Malformed."""
    raw = _unpack(body, elements_max=len(body), string_max=len(body))
    return _convert(raw, FromServer)  # type: ignore[arg-type]  # as above


def _unpack(body: bytes, *, elements_max: int, string_max: int) -> Any:
    if not body:
        raise Malformed("empty", "An empty frame came.")
    try:
        return msgpack.unpackb(
            body,
            raw=False,
            strict_map_key=True,
            max_str_len=string_max,
            max_bin_len=string_max,
            max_array_len=elements_max,
            max_map_len=elements_max,
            max_ext_len=0,
        )
    except UnicodeDecodeError as error:
        raise Malformed("utf8", "Text came that is not UTF-8.") from error
    except (msgpack.StackError, RecursionError) as error:
        raise Malformed("depth", "A message came that is nested too deep.") from error
    except (ValueError, TypeError, OverflowError) as error:
        raise Malformed(_fault(str(error)), "Bytes came that are no message.") from error


def _fault(text: str) -> str:
    """Tell apart what msgpack reports by its words alone; anything else is simply malformed."""
    if "ext_len" in text:
        return "type"
    if "map key" in text or "unhashable" in text:
        return "keys"
    return "malformed"


def _check_shape(raw: Any, elements_max: int) -> None:
    """Refuse nesting and size beyond the limits, and maps, before anything walks or prints the message."""
    if not isinstance(raw, list) or not raw:
        raise Malformed("type", "A message is a list that begins with its kind.")
    level: list[Any] = [raw]
    elements = 0
    for _ in range(limits.DEPTH_MAX):
        inner: list[Any] = []
        for part in level:
            if isinstance(part, dict):
                inner.extend(part.values())
            elif isinstance(part, list):
                inner.extend(part)
        elements += len(inner)
        if elements > elements_max:
            raise Malformed("elements", "A message came with too many elements.")
        if any(isinstance(part, dict) and not part for part in inner) and elements > elements_max:
            raise Malformed("elements", "A message came with too many elements.")
        level = [part for part in inner if isinstance(part, list | dict)]
        if not level:
            return
    raise Malformed("depth", "A message came that is nested too deep.")


def _convert(raw: Any, kind: type[T]) -> T:
    try:
        return msgspec.convert(raw, kind, strict=True)
    except (msgspec.ValidationError, UnicodeDecodeError, OverflowError, RecursionError) as error:
        told = str(error)
        if "Object contains" in told or "unknown field" in told:
            code = "malformed"
        elif any(sign in told for sign in (">=", "<=", "length", "out of range")):
            code = "range"
        else:
            code = "type"
        raise Malformed(
            code, f"A message came that is out of shape: {told.partition(' - at')[0]}."
        ) from error
