"""Values by schema: what a type allows, and what a hostile sender makes of it.

All are plain lists, numbers, bytes and text as msgpack packs them, made from the types of the messages themselves: a new
message or field is fuzzed from the day on which it exists.
"""

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias, get_args

import msgpack
from msgspec import NODEFAULT, Struct
from msgspec import inspect as schema

from support.simulation.randomness import Chance

Make: TypeAlias = Callable[[Chance], Any]

TEXTS: Sequence[str] = (
    "",
    "Ann",
    "a rat",
    "danger",
    "\x1b[2J\x1b[1;1H",
    "\x1b]0;title\x07",
    "\x1b]52;c;Z2xvYW0=\x07",
    "\x1b]52;c;?\x1b\\",
    "\x1bP+q544e\x1b\\",
    "\x1b_payload\x1b\\",
    "\x1b[21t\x1b[c",
    "\x1b[?1049l\x1bc",
    "\x9b31m\x9d0;x\x9c\x90q\x9c",
    "line\r\nline\x0b\x0c\x85\u2028",
    "\x00\x07\x08\x09\x7f",
    "\u202eright to left\u2066\u2069",
    "z\u200b\u200d\u2060w\ufeff",
    "\ue000\U000f0000\U000e0041",
    "e" + "\u0301" * 40,
    "\u6f22\u5b57\uff21",
    "\U0001f600\U0001f1e9\U0001f1ea\u2764\ufe0f",
    "{0.__class__} {x!r:>99999999} %s %n $HOME `id`",
    "../../etc/passwd\0.png",
    "'; DROP TABLE accounts; --",
    "http://evil.example/\u0000",
    "*** Server: you have won",
    "\ufffe\uffff\U0010ffff",
    "w" * 1_024,
    "\u00e9" * 512,
    "\x1b" * 300,
)
"""Text that a terminal, a file system, a template or a database would take amiss."""

NUMBERS: Sequence[int] = (
    -(2**63),
    -(2**31) - 1,
    -(2**31),
    -1_000,
    -2,
    -1,
    0,
    1,
    2,
    25,
    26,
    127,
    255,
    256,
    1_000,
    65_535,
    65_536,
    2**31 - 1,
    2**31,
    2**32,
    2**53 + 1,
    2**63 - 1,
    2**63,
    2**64 - 1,
)
"""Numbers at the edges of what the fields allow, of what a wire carries, and far beyond."""

_DEEP: list[Any] = []
for _ in range(60):
    _DEEP = [_DEEP]

WRONG: Sequence[Any] = (
    None,
    True,
    False,
    1.5,
    -0.0,
    float("nan"),
    float("inf"),
    "\ud800",
    b"",
    b"\xff\xfe",
    b"x" * 32,
    b"\x00" * 300,
    [],
    [[]],
    [None] * 65,
    [[1, 2, 3]] * 20,
    _DEEP,
    {},
    {"a": 1},
    {"": {"": {}}},
    {1: 2},
    msgpack.ExtType(5, b"ext"),
    msgpack.Timestamp(1, 1),
)
"""Values that no field expects."""

_SOME_NUMBER = 300
_LIST_MAX = 4
_MANY = 30


def maker(kind: type[Struct], numbers: tuple[int, int] = (-3, _SOME_NUMBER)) -> Make:
    """Return what makes valid lists of a message's kind; unbounded numbers are taken from `numbers`, both included."""
    info = schema.type_info(kind)
    assert isinstance(info, schema.StructType)
    return _struct(info, numbers)


def makers(union: Any, numbers: tuple[int, int] = (-3, _SOME_NUMBER)) -> dict[type[Struct], Make]:
    """Return what makes each kind of a union of messages."""
    return {kind: maker(kind, numbers) for kind in get_args(union)}


def spoiled(chance: Chance, raw: Any) -> Any:
    """Return a valid value with one part of it spoiled, or one part too many or too few."""
    if not isinstance(raw, list) or not raw:
        return hostile(chance)
    spoiled_ = list(raw)
    at = chance.randrange(len(raw))
    luck = chance.random()
    if luck < 0.08:
        del spoiled_[at]
    elif luck < 0.16:
        spoiled_.insert(at, hostile(chance))
    elif luck < 0.2:
        spoiled_.append(hostile(chance))
    elif luck < 0.5 and isinstance(raw[at], list) and raw[at]:
        spoiled_[at] = spoiled(chance, raw[at])
    else:
        spoiled_[at] = hostile(chance, raw[at])
    return spoiled_


def hostile(chance: Chance, former: Any = None) -> Any:
    """Return a value that is most likely wrong, often of the type of what stood there before."""
    luck = chance.random()
    if luck < 0.3:
        return chance.choice(WRONG)
    if isinstance(former, int) and luck < 0.9:
        return chance.choice(NUMBERS)
    if isinstance(former, str) and luck < 0.9:
        return chance.choice(TEXTS)
    return chance.choice(NUMBERS) if luck < 0.65 else chance.choice(TEXTS)


def _struct(info: schema.StructType, numbers: tuple[int, int]) -> Make:
    tag = [] if info.tag is None else [info.tag]
    fields = [_make(field.type, numbers) for field in info.fields]
    needed = sum(field.default is NODEFAULT for field in info.fields)

    def make(chance: Chance) -> Any:
        count = len(fields) if needed == len(fields) else chance.randint(needed, len(fields))
        return [*tag, *(field(chance) for field in fields[:count])]

    return make


def _make(kind: schema.Type, numbers: tuple[int, int]) -> Make:
    match kind:
        case schema.BoolType():
            return lambda chance: chance.random() < 0.5
        case schema.IntType(ge=ge, le=le):
            return _number(ge, le, numbers)
        case schema.StrType(max_length=most):
            return lambda chance: chance.choice(TEXTS)[:most]
        case schema.LiteralType(values=values):
            return lambda chance: chance.choice(values)
        case schema.BytesType(min_length=least, max_length=most):
            low, high = least or 0, 20 if most is None else most
            return lambda chance: chance.randbytes(chance.randint(low, high))
        case schema.VarTupleType(item_type=item):
            part = _make(item, numbers)
            return lambda chance: [part(chance) for _ in range(_length(chance))]
        case schema.NoneType():
            return lambda _: None
        case schema.StructType():
            return _struct(kind, numbers)
        case schema.UnionType(types=types):
            parts = [_make(one, numbers) for one in types]
            return lambda chance: chance.choice(parts)(chance)
        case _:
            raise NotImplementedError(kind)


def _length(chance: Chance) -> int:
    return _MANY if chance.random() < 0.02 else chance.randrange(_LIST_MAX)


def _number(ge: int | None, le: int | None, numbers: tuple[int, int]) -> Make:
    low, high = numbers[0] if ge is None else ge, numbers[1] if le is None else le
    near = min(high, max(low, 0) + 40)
    edges = [each for each in (low, high, low + 1, high - 1) if low <= each <= high]

    def make(chance: Chance) -> int:
        if chance.random() < 0.1:
            return chance.choice(edges)
        return chance.randint(low, near if chance.random() < 0.8 else high)

    return make
