"""Messages to msgpack bytes and back, strictly: each fault has a code, and no error text repeats foreign bytes."""

from contextlib import suppress
from functools import cache
from typing import Any, Final, NamedTuple, get_args

import msgpack
import msgspec
from msgspec.structs import astuple, fields

from gloam_shared import limits
from gloam_shared.protocol.codes import FaultCode
from gloam_shared.protocol.messages.login import Hello
from gloam_shared.protocol.messages.play import Update
from gloam_shared.protocol.registry import FromClient, FromServer
from gloam_shared.view.changes import AnyChange, Friends


class Malformed(Exception):
    """Bytes that are not a message. `code` is for programs; neither text nor cause quotes the bytes."""

    def __init__(self, code: FaultCode, text: str) -> None:
        super().__init__(text)
        self.code = code
        self.text = text


class UnknownKind(Malformed):
    """A message of a kind that this side does not know. A client ignores it."""


_OUT_OF_SHAPE: Final[dict[FaultCode, str]] = {
    "type": "A message came with a field of the wrong type.",
    "malformed": "A message came with too few or too many fields.",
    "range": "A message came with a field that is out of its bounds.",
}
_FROM_CLIENT: Final = {kind.__struct_config__.tag: kind for kind in get_args(FromClient)}
_FROM_SERVER: Final = {kind.__struct_config__.tag: kind for kind in get_args(FromServer)}
_VALID_FROM_CLIENT: Final[msgspec.msgpack.Decoder[FromClient]] = msgspec.msgpack.Decoder(FromClient)
_CHANGES: Final = frozenset(kind.__struct_config__.tag for kind in get_args(AnyChange))


def encode(message: FromClient | FromServer) -> bytes:
    """Return a message as the bytes of one frame's body; fields at the end that have their defaults are left out."""
    return _ENCODER.encode(_without_defaults(message))


_ENCODER: Final = msgspec.msgpack.Encoder()
_FRIENDS_TAG: Final = Friends.__struct_config__.tag
_FRIENDS_KEPT: Final = 64
_packed_friends: dict[int, tuple[Friends, msgspec.Raw]] = {}
"""The newest packed changes of the party by their identities; the changes are kept with them so that these stay theirs."""


class _Shape(NamedTuple):
    """The packed form of one kind of struct: a list that begins with its tag, without defaults at the end."""

    head: list[int | str]
    required: int
    """The number of fields without a default."""
    defaults: tuple[Any, ...]
    last: str
    """The last field, if it has a default, else ""."""
    inner: tuple[int, ...]
    """The places of the fields that hold structs."""


@cache
def _shape(kind: type[msgspec.Struct]) -> _Shape:
    tag, names, defaults = kind.__struct_config__.tag, kind.__struct_fields__, kind.__struct_defaults__
    return _Shape(
        head=[] if tag is None else [tag],
        required=len(names) - len(defaults),
        defaults=defaults,
        last=names[-1] if defaults else "",
        inner=tuple([at for at, field in enumerate(fields(kind)) if _holds_structs(field.type)]),
    )


def _holds_structs(kind: Any) -> bool:
    """Return whether values of a type are structs, or tuples with structs in them."""
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        return True
    return any(_holds_structs(part) for part in get_args(kind))


def _without_defaults(part: Any) -> Any:
    """Return a struct as msgspec packs it: the struct itself if it has nothing to leave out, else a list of its fields.

    A change of the party is packed already: `party_difference` makes one object of it for all players.
    """
    kind: Any = type(part)
    if kind is Friends:
        return _packed_once(part)
    head, required, defaults, last, inner = _shape(kind)
    if not inner and not (last and getattr(part, last) == defaults[-1]):
        return part
    values = astuple(part)
    end = len(values)
    while end > required and values[end - 1] == defaults[end - 1 - required]:
        end -= 1
    packed = [*head, *values[:end]]
    for at in inner:
        value = values[at]
        if at < end and value is not None:
            packed[at + len(head)] = (
                [_without_defaults(each) for each in value]
                if isinstance(value, tuple)
                else _without_defaults(value)
            )
    return packed


def _packed_once(change: Friends) -> msgspec.Raw:
    known = _packed_friends.get(id(change))
    if known is None:
        if len(_packed_friends) >= _FRIENDS_KEPT:
            _packed_friends.clear()
        values: list[Any] = [_FRIENDS_TAG, change.gone, change.come]
        while not values[-1]:
            values.pop()
        known = _packed_friends[id(change)] = change, msgspec.Raw(_ENCODER.encode(values))
    return known[1]


def decode_from_client(body: bytes) -> FromClient:
    """Return the client's message in `body`. Raises Malformed with a code of PROTOCOL.md.

    Valid messages are read in one go. An element takes a byte at least, so a short body holds few enough of them. The slow
    way finds what is wrong with all others.
    """
    if len(body) <= limits.ELEMENTS_MAX:
        with suppress(msgspec.MsgspecError, UnicodeDecodeError, OverflowError, RecursionError):
            message = _VALID_FROM_CLIENT.decode(body)
            if type(message) is not Hello:  # its further fields are ignored, but not their depth
                return message
    return _decode_step_by_step(body)


def _decode_step_by_step(body: bytes) -> FromClient:
    """Return the client's message in `body`: the definition of a valid one, and of each fault."""
    raw = _unpack(body)
    if _count(raw, depth=1) > limits.ELEMENTS_MAX:
        raise Malformed("elements", "A message came with too many elements.")
    message: FromClient = _convert(raw, _kind_of(raw, _FROM_CLIENT))
    return message


def decode_from_server(body: bytes) -> FromServer:
    """Return the server's message in `body`, without changes of unknown kinds. Raises Malformed, of which UnknownKind."""
    raw = _unpack(body)
    kind = _kind_of(raw, _FROM_SERVER)
    if kind is Update and len(raw) > 1 and isinstance(raw[1], list):
        raw[1] = [change for change in raw[1] if not _is_unknown(change)]
    message: FromServer = _convert(raw, kind)
    return message


def _is_unknown(change: Any) -> bool:
    """Return whether this is a change of an unknown kind, which a later version may send."""
    return bool(isinstance(change, list) and change and type(change[0]) is int and change[0] not in _CHANGES)


def _unpack(body: bytes) -> Any:
    """Unpack the body of a frame; no length in it can exceed the frame's own size."""
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
        if "map key" in str(error):  # only the text of the error from msgpack identifies this case
            raise Malformed("keys", "A map came with a key that is not text.") from None
        raise Malformed("malformed", "Bytes came that are not a message.") from None


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
        raise UnknownKind("unknown", "A message of an unknown kind came; upgrade the older side.")
    return kinds[raw[0]]


def _convert(raw: Any, kind: type[Any]) -> Any:
    """Make a message of one known kind: msgspec prepares a single kind once, but a union at every call."""
    try:
        return msgspec.convert(raw, kind, strict=True)
    except (msgspec.ValidationError, UnicodeDecodeError, OverflowError, RecursionError) as error:
        raise _explain_mistake(str(error).partition(" - at")[0]) from None


def _explain_mistake(expected: str) -> Malformed:
    """Return the fault that msgspec found, as our own error."""
    if not expected.startswith("Expected"):
        return Malformed("unknown", "A part of a message came of an unknown kind; upgrade the older side.")
    code: FaultCode = "type"
    if ">=" in expected or "<=" in expected:  # also of a list within a field
        code = "range"
    elif expected.startswith("Expected `array` of"):
        code = "malformed"
    return Malformed(code, _OUT_OF_SHAPE[code])
