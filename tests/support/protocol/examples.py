"""One well-formed message of each kind, made from the types: tests of all messages need no list of their own."""

from typing import Any, TypeVar

import msgspec
from msgspec import NODEFAULT, Struct
from msgspec import inspect as schema

from gloam_shared.protocol.registry import CLIENT_MESSAGES, FromClient, Phase

_Kind = TypeVar("_Kind", bound=Struct)


def example_of(kind: type[_Kind]) -> _Kind:
    """Return a message with plain values in the fields that have no default: the least number, the first word, "Ann"."""
    return msgspec.convert(_struct(schema.type_info(kind)), kind)


def examples(*phases: Phase) -> list[FromClient]:
    """Return a message of each kind that a client may send only in these phases."""
    return [example_of(kind) for kind, row in CLIENT_MESSAGES.items() if row.phases <= {*phases}]


def _struct(info: schema.Type) -> list[Any]:
    assert isinstance(info, schema.StructType)
    tag = [] if info.tag is None else [info.tag]
    return tag + [_value(field.type) for field in info.fields if field.default is NODEFAULT]


def _value(kind: schema.Type) -> Any:
    match kind:
        case schema.BoolType():
            return False
        case schema.IntType(ge=least):
            return max(least or 0, 0)
        case schema.StrType(max_length=most):
            return "Ann"[:most]
        case schema.LiteralType(values=values):
            return values[0]
        case schema.BytesType(min_length=least):
            return b"t" * (least or 1)
        case schema.VarTupleType():
            return []
        case schema.StructType():
            return _struct(kind)
        case schema.UnionType(types=several):
            return _value(several[0])
        case _:
            raise NotImplementedError(kind)
